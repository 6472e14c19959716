import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseHocr } from './hocr.ts';

const page = (inside: string): string =>
  `<body><div class='ocr_page' id='page_1' title='image "a.pgm"; bbox 0 0 1000 800; ppageno 0'>
   <div class='ocr_carea' title="bbox 0 0 9 9"><p class='ocr_par' lang='eng' title="bbox 0 0 9 9">${inside}</p></div></div></body>`;
const line = (title: string, words: string): string =>
  `<span class='ocr_line' id='line_1_1' title="${title}">${words}</span>`;
const word = (title: string, text: string, more = ''): string =>
  `<span class='ocrx_word' id='word_1_1' title='${title}'${more}>${text}</span>`;

test('words come with their lines, places and baselines', () => {
  const read = parseHocr(
    page(
      line(
        'bbox 10 20 400 60; baseline -0.01 -6; x_size 36; x_descenders 6; x_ascenders 9',
        word('bbox 10 20 90 60; x_wconf 96', 'R&amp;D') +
          word('bbox 100 20 200 58; x_wconf 80', '<strong><em>&lt;bold&gt;</em></strong>'),
      ),
    ),
  );
  assert.deepEqual(read, {
    width: 1000,
    height: 800,
    paragraphs: [
      [
        {
          box: { left: 10, top: 20, right: 400, bottom: 60 },
          turn: 0,
          baseline: { slope: -0.01, rise: 6 },
          size: 36,
          rightToLeft: false,
          words: [
            { text: 'R&D', box: { left: 10, top: 20, right: 90, bottom: 60 }, confidence: 96 },
            { text: '<bold>', box: { left: 100, top: 20, right: 200, bottom: 58 }, confidence: 80 },
          ],
        },
      ],
    ],
  });
});

test('lines that lie and words that go to the left are told', () => {
  const read = parseHocr(
    page(
      line('bbox 10 20 50 400; textangle 270; x_size 36; x_descenders 8', word('bbox 10 20 50 90', 'down')) +
        line('bbox 10 20 400 60; baseline 0 0', word('bbox 10 20 90 60', 'שלום', " lang='heb' dir='rtl'")),
    ),
  );
  const [down, left] = read?.paragraphs.flat() ?? [];
  assert.equal(down?.turn, 270);
  assert.equal(down?.baseline.rise, 8);
  assert.equal(left?.rightToLeft, true);
  assert.equal(left?.size, 40);
});

const oddities: [name: string, hocr: string, words: number | undefined][] = [
  ['nothing', '', undefined],
  ['no page', "<span class='ocrx_word' title='bbox 1 2 3 4'>x</span>", undefined],
  ['a page without words', page(''), 0],
  [
    'words without a place or a text',
    page(line('bbox 0 0 9 9', word('', 'x') + word('bbox 1 1 5 5', ' '))),
    0,
  ],
  ['a word of no size', page(line('bbox 0 0 9 9', word('bbox 5 5 5 9', 'x'))), 0],
  ['numbers beyond sense', page(line('bbox 0 0 9 9; baseline 1e9 x', word('bbox 1 1 99999999 5', 'x'))), 0],
  [
    'a word that does not end',
    page(line('bbox 0 0 9 9', "<span class='ocrx_word' title='bbox 1 1 5 5'>x")),
    1,
  ],
  [
    'characters that are none',
    page(line('bbox 0 0 9 9', word('bbox 1 1 5 5', '&#0;&#x110000;&#99999999;'))),
    0,
  ],
];
for (const [name, hocr, words] of oddities) {
  test(`read without fault: ${name}`, () => {
    assert.equal(
      parseHocr(hocr)
        ?.paragraphs.flat()
        .reduce((sum, each) => sum + each.words.length, 0),
      words,
    );
  });
}
