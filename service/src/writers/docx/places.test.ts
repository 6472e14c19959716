import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { document, page, paragraph, run, table } from '../../../testing/documents/layout-models.ts';
import { noOffice, printed } from '../../../testing/oracles/office-documents.ts';
import { missing, pdfinfo, pdftotext } from '../../../testing/oracles/programs.ts';
import type { Block, Box, Flow, Line, List, Paragraph } from '../../layout/model.ts';
import { Letters } from '../letters.ts';
import { AS_IT_WAS, flowHeight } from './heights.ts';
import { writeDocx } from './write-docx.ts';

const skip = noOffice() || missing('pdftotext');
const folder = mkdtempSync(join(tmpdir(), 'bindery-docx-places-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** Lines of text, each with where it begins and how wide it is. */
function linesOf(given: readonly [text: string, box: Box][], more: Partial<Flow> = {}): Paragraph {
  const lines = given.map(([text, box]): Line => {
    return { runs: [run(text)], box, turn: 0, direction: more.direction ?? 'ltr' };
  });
  const [left, right] = [
    Math.min(...lines.map(({ box }) => box.x)),
    Math.max(...lines.map(({ box }) => box.x + box.width)),
  ];
  const [first, last] = [lines.at(0)?.box, lines.at(-1)?.box];
  const top = first?.y ?? 0;
  return {
    ...paragraph([run(given.map(([text]) => text).join(' '))], top, more),
    lines,
    box: { x: left, y: top, width: right - left, height: (last?.y ?? 0) + 10 - top },
  };
}

const at = (y: number, x: number, width: number): Box => ({ x, y, width, height: 10 });

const CAPTION = linesOf([['Caption of it', at(100, 72, 60)]]);
const captioned: Block[] = [{ ...table(140), caption: CAPTION }, paragraph('below', 240)];

const HEBREW = '\u05e9\u05dc\u05d5\u05dd \u05e2\u05d5\u05dc\u05dd';
const rightToLeft: Block[] = [
  // As wide as the page: its first line ends far to the left of the second.
  linesOf(
    [
      [`${HEBREW} `.repeat(14).trim(), at(100, 122, 400)],
      [HEBREW, at(112, 467, 55)],
    ],
    { direction: 'rtl' },
  ),
];

const hanging: List = {
  kind: 'list',
  ordered: false,
  start: 1,
  page: 1,
  box: { x: 90, y: 100, width: 400, height: 22 },
  items: [
    {
      marker: '•',
      markerLeft: 90,
      blocks: [
        linesOf([
          [
            'Alpha words that stand behind a marker and go on and on as far as the line is long, no',
            at(100, 120, 360),
          ],
          ['under it they go on at its edge', at(112, 90, 140)],
        ]),
      ],
    },
  ],
};

/** Lines of their own, closer than is usual for their size. */
const close = Array.from({ length: 40 }, (_, i) => linesOf([[`row${i} of many`, at(100 + 10 * i, 72, 60)]]));

const called = [
  paragraph(
    [
      run('Called '),
      run('7 ', { look: { position: 'superscript', size: 6 }, note: 0 }),
      run('and going on.'),
    ],
    100,
  ),
];
const NOTE = linesOf([['Note with words', at(700, 72, 70)]]);

/** As large as a poster. */
const poster = page(6, [linesOf([['Large letters', at(2000, 1000, 900)]])], { width: 2384, height: 3370 });

const TEXT = 'Begins here and goes on with words and words up to the place where it ends';
/** There is no such size in Word. */
const between = run(TEXT, { look: { size: 10.9 } });
const naturalWidth = new Letters(document([])).lengthOf([run(TEXT)]) * 1.09;
const oddSize = [100, 116, 132].map((y): Paragraph => {
  const odd = linesOf([[TEXT, at(y, 72, naturalWidth)]]);
  return { ...odd, runs: [between], lines: odd.lines.map((line) => ({ ...line, runs: [between] })) };
});

const gapped = linesOf([['Votes against 65', at(201, 210, 170)]]);
const ofGaps = table(160);
for (const { cells } of ofGaps.rows.slice(1, 2))
  for (const cell of cells.slice(1))
    cell.blocks = [
      { ...gapped, lines: gapped.lines.map((line) => ({ ...line, stops: [{ at: 14, x: 370 }] })) },
    ];

let pdf: Buffer;
before(async () => {
  if (skip) return;
  const pages = [captioned, rightToLeft, [hanging], close, called].map((blocks, i) => page(i + 1, blocks));
  pages.push(poster, page(7, [...oddSize, ofGaps]));
  const made = await writeDocx(join(folder, 'a.docx'), document(pages, { notes: [NOTE] }), { mode: 'flow' });
  pdf = printed(readFileSync(made.path), 'docx');
});

const placesOn = (number: number): { text: string; x: number; y: number; end: number }[] =>
  [
    ...pdftotext(pdf, '-bbox', '-f', String(number), '-l', String(number)).matchAll(
      /xMin="([-\d.]+)" yMin="[-\d.]+" xMax="([-\d.]+)" yMax="([-\d.]+)">(.*?)<\/word>/g,
    ),
  ].map(([, x, end, y, text = '']) => ({ text, x: Number(x), y: Number(y), end: Number(end) }));

function placeOf(number: number, text: string): { x: number; y: number } {
  const found = placesOn(number).find((word) => word.text === text);
  assert.ok(found, `${text} on page ${number}`);
  return found;
}

const isNear = (value: number, wanted: number, by: number): void =>
  assert.ok(Math.abs(value - wanted) <= by, `${value} is not within ${by} of ${wanted}`);

test('a table stands as far below its caption as it stood', { skip }, () => {
  assert.equal(pdfinfo(pdf).Pages, '7');
  const caption = placeOf(1, 'Caption');
  isNear(caption.y, 110, 6);
  isNear(placeOf(1, 'Head').y - caption.y, 40, 6);
  isNear(placeOf(1, 'below').y, 250, 6);
});

test('what is written from right to left begins at the right, all of it on the page', { skip }, () => {
  const words = placesOn(2);
  assert.equal(words.length, 30);
  for (const { x, end } of words) assert.ok(x > 60 && end < 540, `${x} to ${end}`);
  const rights = [...new Set(words.map(({ y }) => y))].map((y) =>
    Math.max(...words.filter((word) => word.y === y).map(({ end }) => end)),
  );
  assert.ok(rights.length >= 2);
  for (const right of rights) isNear(right, 522, 6);
});

test('lines of an item begin where they began, behind the marker or under it', { skip }, () => {
  isNear(placeOf(3, 'Alpha').x, 120, 3);
  isNear(placeOf(3, 'under').x, 90, 3);
});

test('lines of their own are as close as they were', { skip }, () => {
  isNear(placeOf(4, 'row39').y - placeOf(4, 'row0').y, 390, 6);
});

test('a note is called once, and begins with its mark once', { skip }, () => {
  const text = pdftotext(pdf, '-raw', '-f', '5', '-l', '5').replace(/\s+/g, ' ');
  assert.match(text, /Called 7 ?and going on/);
  assert.match(text, /[^7]7 ?Note with words/);
  assert.equal(text.match(/7/g)?.length, 2);
});

test('a page larger than paper is made smaller with what stands on it', { skip }, () => {
  const size = pdfinfo(pdf, '-f', '6', '-l', '6')['Page    6 size'] ?? '';
  const [, width, height] = /^([\d.]+) x ([\d.]+)/.exec(size) ?? [];
  isNear(Number(height), 1584, 1);
  const { x, y } = placeOf(6, 'Large');
  isNear(x / Number(width), 1000 / 2384, 0.01);
  isNear(y / Number(height), 2010 / 3370, 0.01);
});

test('letters of a size that Word has not are as wide as they were', { skip }, () => {
  const ends = placesOn(7).find(({ text }) => text === 'ends');
  isNear((ends?.end ?? 0) - placeOf(7, 'Begins').x, naturalWidth, 2);
});

test('what stands behind a gap stays there, at whichever side of its cell the rest is', { skip }, () => {
  const [against, behind] = [placeOf(7, 'against'), placeOf(7, '65')];
  isNear(behind.y, against.y, 1);
  isNear(behind.x, 370, 4);
});

test('fonts may be drawn wider in one size than in another', () => {
  const lineOf = (size: number, wider: number) => {
    const text =
      'So many words in a row that they tell how wide the letters of this size are drawn on the page.';
    const own = run(text, { look: { size } });
    const box = at(100, 72, new Letters(document([])).lengthOf([run(text)]) * (size / 10) * wider);
    return { ...paragraph([own], 100), lines: [{ runs: [own], box, turn: 0, direction: 'ltr' as const }] };
  };
  const blocks = [lineOf(12, 1), lineOf(12, 1), lineOf(9, 1.06), lineOf(9, 1.06), lineOf(9, 1.06)];
  const letters = new Letters(document([page(1, blocks)]));
  assert.equal(letters.scaleOf(run('', { look: { size: 12 } }).style), 1);
  assert.equal(letters.scaleOf(run('', { look: { size: 9 } }).style), 1.06);
});

test('where it is a close call, text takes as many lines as it had', () => {
  const text = 'Words that are nearly too long for the line they stand on';
  const had = linesOf([
    [text.slice(0, 40), at(100, 72, 200)],
    [text.slice(40), at(112, 72, 60)],
  ]);
  const flow = { ...had, runs: [run(text)], align: 'justify' as const };
  const letters = new Letters(document([page(1, [])]));
  const length = letters.lengthOf(flow.runs);
  const heightIn = (width: number): number => Math.round(flowHeight(flow, width, AS_IT_WAS, letters));
  assert.equal(heightIn(length * 0.9), 24);
  assert.equal(heightIn(length * 1.0005), 24);
  assert.equal(heightIn(length * 1.05), 12);
});
