// Glyphs that PDFium tells as other letters, and glyphs that say which text they mean: read whole, as another reader does.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { made, runHere } from '../../../../testing/calls/run-here.ts';
import { fixture } from '../../../../testing/documents/collection.ts';
import { onePage, streamOf } from '../../../../testing/documents/written-pdf.ts';
import { missing, pdftotext } from '../../../../testing/oracles/programs.ts';

/** Codes of the font: what they mean, and how wide they are in thousandths. */
const SIGNS: [unicode: string, width: number][] = [
  ['2F47', 1000], // a radical, which reads as the glyph for "day"
  ['672C', 1000],
  ['8A9E', 1000],
  ['FB01', 556], // fi
  ['006C', 278],
  ['0065', 556],
  ['FEFB', 650], // lam and alef
  ['0645', 600],
  ['0020', 250],
  ['0915', 770],
  ['093F', 260],
  ['0054', 500], // T and h
];

function written(content: string): Uint8Array {
  const codes = SIGNS.map(
    ([unicode], i) => `<${code(i)}> <${unicode === '0054' ? '00540068' : unicode}>`,
  ).join('\n');
  const toUnicode = `/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /A def /CMapType 2 def
1 begincodespacerange <0000> <FFFF> endcodespacerange ${SIGNS.length} beginbfchar\n${codes}\nendbfchar
endcmap end end`;
  return onePage({
    page: '/Resources << /Font << /F 5 0 R >> >>',
    content,
    more: [
      '<< /Type /Font /Subtype /Type0 /BaseFont /Some /Encoding /Identity-H /DescendantFonts [6 0 R] /ToUnicode 8 0 R >>',
      `<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Some /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity)
        /Supplement 0 >> /FontDescriptor 7 0 R /W [1 [${SIGNS.map(([, width]) => width).join(' ')}]] >>`,
      `<< /Type /FontDescriptor /FontName /Some /Flags 4 /FontBBox [0 -200 1000 800] /ItalicAngle 0 /Ascent 800
        /Descent -200 /CapHeight 700 /StemV 80 >>`,
      streamOf(toUnicode),
    ],
  });
}

const code = (i: number): string => (i + 1).toString(16).padStart(4, '0').toUpperCase();
/** The glyph that means this. */
const cached = (unicode: string): string => code(SIGNS.findIndex(([told]) => told === unicode));
const show = (unicodes: string[]): string => `<${unicodes.map(cached).join('')}> Tj`;

async function textOf(bytes: Uint8Array): Promise<string> {
  const ran = await runHere('convert/pdf/text', { files: { fileInput: { name: 'a.pdf', bytes } } });
  return made(ran).toString().trim();
}

const inNormalForm = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[\u200e-\u202e]/g, '')
    .trim();

test('signs that stand for other letters are as wide as they were set', {
  skip: missing('pdftotext'),
}, async () => {
  const lines = [
    ['2F47', '672C', '8A9E'],
    ['FB01', '006C', '0065'],
  ];
  const content = lines.map((line, i) => `BT /F 20 Tf 72 ${700 - i * 60} Td ${show(line)} ET`);
  content.push(
    // Each glyph alone, as browsers write them.
    `BT /F 20 Tf 72 520 Td ${show(['2F47'])} ET BT /F 20 Tf 92 520 Td ${show(['672C'])} ET`,
    // To the left: a letter, and before it the two that are one glyph.
    `BT /F 20 Tf 100 460 Td ${show(['FEFB'])} ET BT /F 20 Tf 113 460 Td ${show(['0645'])} ET`,
  );
  const bytes = written(content.join('\n'));
  const read = (await textOf(bytes)).split(/\n+/);
  assert.deepEqual(read, ['日本語', 'file', '日本', 'ملا']);
  const other = inNormalForm(pdftotext(bytes)).split(/\s*\n\s*/);
  assert.deepEqual(other.slice(0, 3), read.slice(0, 3));
});

test('text that is meant stands where all its signs do, once', { skip: missing('pdftotext') }, async () => {
  const actualTexts = (text: string, drawn: string): string =>
    `/Span << /ActualText <FEFF${text}> >> BDC ${drawn} EMC`;
  const at = (x: number, unicode: string): string => `BT /F 20 Tf ${x} 700 Td ${show([unicode])} ET`;
  const bytes = written(
    [
      actualTexts('0915093F', `${at(72, '093F')} ${at(77.2, '0915')}`),
      // Its second glyph stands behind the first of the next: sorted by place, they mingle.
      actualTexts('09150947', `${at(92.6, '0915')} ${at(108.2, '093F')}`),
      actualTexts('09150948', `${at(108, '0915')} ${at(123.4, '093F')}`),
      at(128.6, '0020'),
      actualTexts('65E5', at(133.6, '2F47')),
      at(153.6, '672C'),
    ].join('\n'),
  );
  const text = await textOf(bytes);
  assert.equal(text, 'किकेकै 日本');
  assert.equal(inNormalForm(pdftotext(bytes)), text);
});

test('a space over a ligature parts no word', async () => {
  const at = (x: number, unicodes: string[]): string => `BT /F 20 Tf ${x} 700 Td ${show(unicodes)} ET`;
  // The glyph of two letters is 10 wide; the space stands in its middle, or behind it.
  const over = await textOf(written([at(72, ['0054']), at(77, ['0020']), at(82, ['0065'])].join('\n')));
  assert.equal(over, 'The');
  const behind = await textOf(written([at(72, ['0054']), at(82, ['0020']), at(87, ['0065'])].join('\n')));
  assert.equal(behind, 'Th e');
});

test('ligatures end no word', { skip: missing('pdftotext') }, async () => {
  const ran = await runHere('convert/pdf/text', { files: { fileInput: fixture('tables.pdf') } });
  const words = made(ran).toString().split(/\s+/);
  for (const word of ['figures', 'differed']) assert.ok(words.includes(word), word);
});
