import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { prepareZXingModule, writeBarcode } from 'zxing-wasm/writer';
import { failed, made, madeName, runHere } from '../../../testing/calls/run-here.ts';
import { corpus, noCorpus } from '../../../testing/documents/collection.ts';
import { pdfOf, streamOf } from '../../../testing/documents/written-pdf.ts';
import { zipEntries } from '../../../testing/oracles/archives.ts';
import { missing, pdfinfo, pdftotext, qpdfCheck } from '../../../testing/oracles/programs.ts';
import { splitAtDividers } from '../../pdf/pages/divider-pages.ts';

const skip = missing('qpdf', 'pdfinfo', 'pdftotext');

before(async () => {
  const wasm = readFileSync(fileURLToPath(import.meta.resolve('zxing-wasm/writer/zxing_writer.wasm')));
  await prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(wasm).buffer }, fireImmediately: true });
});

/** A QR code as filled squares, its lower-left corner at the origin, a quiet zone around it. */
async function qrCode(text: string, moduleSize: number): Promise<{ operators: string; side: number }> {
  const { symbol } = await writeBarcode(text, { format: 'QRCode' });
  const { data, width, height } = symbol;
  const squares: string[] = [];
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      if ((data[y * width + x] ?? 255) > 127) continue;
      squares.push(`${(x + 4) * moduleSize} ${(height - y + 3) * moduleSize} ${moduleSize} ${moduleSize} re`);
    }
  }
  return { operators: `${squares.join('\n')} f`, side: (width + 8) * moduleSize };
}

interface Mark {
  text: string;
  moduleSize?: number;
  x?: number;
  y?: number;
  /** Degrees. */
  turn?: number;
  inverted?: boolean;
}

async function marked({
  text,
  moduleSize = 3,
  x = 60,
  y = 300,
  turn = 0,
  inverted = false,
}: Mark): Promise<string> {
  const { operators, side } = await qrCode(text, moduleSize);
  const [cos, sin] = [Math.cos, Math.sin].map((of) => Number(of((turn * Math.PI) / 180).toFixed(6))) as [
    number,
    number,
  ];
  const place = `1 0 0 1 ${x + side / 2} ${y + side / 2} cm ${cos} ${sin} ${-sin} ${cos} 0 0 cm 1 0 0 1 ${-side / 2} ${-side / 2} cm`;
  const ground = inverted ? `0 g 0 0 ${side} ${side} re f 1 g` : '0 g';
  return `q ${place} ${ground} ${operators} Q`;
}

const word = (text: string) => `BT /F 18 Tf 72 720 Td (${text}) Tj ET`;

/** Each page has a content stream of its own. */
const document = (...contents: string[]) =>
  pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${contents.length} /Kids [${contents.map((_, i) => `${4 + i * 2} 0 R`).join(' ')}] /MediaBox [0 0 595 842] /Resources << /Font << /F 3 0 R >> >> >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...contents.flatMap((content, i) => [
      `<< /Type /Page /Parent 2 0 R /Contents ${5 + i * 2} 0 R >>`,
      streamOf(content),
    ]),
  ]);

const run = (bytes: Uint8Array, params: Record<string, string> = {}) =>
  runHere('misc/auto-split-pdf', { files: { fileInput: { name: 'a.pdf', bytes } }, params });

/** The words of each part. */
async function parts(
  bytes: Uint8Array,
  params: Record<string, string> = {},
): Promise<Record<string, string>> {
  const ran = await run(bytes, params);
  assert.equal(madeName(ran), 'a.zip');
  const entries = await zipEntries(made(ran));
  for (const { bytes: part } of entries) qpdfCheck(part);
  return Object.fromEntries(
    entries.map(({ name, bytes: part }) => [name, pdftotext(part).trim().split(/\s+/).join(' ')]),
  );
}

const DIVIDER = 'pdf-split';

const MARKS: [name: string, mark: Mark][] = [
  ['large, in the middle', { text: DIVIDER, moduleSize: 8, x: 150 }],
  ['small, in a corner', { text: DIVIDER, moduleSize: 1.2, x: 540, y: 2 }],
  ['upside down', { text: DIVIDER, turn: 180 }],
  ['on its side', { text: DIVIDER, turn: 90 }],
  ['askew', { text: DIVIDER, turn: 33 }],
  ['white on black', { text: DIVIDER, inverted: true }],
  ['the text of a common sheet', { text: 'https://github.com/Stirling-Tools/Stirling-PDF' }],
];
for (const [name, mark] of MARKS) {
  test(`a divider is found: ${name}`, { skip }, async () => {
    const found = await parts(document(word('one'), await marked(mark), word('two'), word('three')));
    assert.deepEqual(found, { 'a_1.pdf': 'one', 'a_2.pdf': 'two three' });
  });
}

test('of several codes on a page one is enough', { skip }, async () => {
  const page = [await marked({ text: 'another', y: 500 }), await marked({ text: DIVIDER, y: 100 })].join(
    '\n',
  );
  assert.deepEqual(await parts(document(word('one'), page, word('two'))), {
    'a_1.pdf': 'one',
    'a_2.pdf': 'two',
  });
});

test('a code with another text is no divider, unless it is asked for', { skip }, async () => {
  const bytes = document(word('one'), await marked({ text: 'invoice 7' }), word('two'));
  assert.deepEqual(Object.keys(await parts(bytes)), ['a_1.pdf']);
  assert.equal(Object.keys(await parts(bytes, { markerText: 'invoice' })).length, 1);
  for (const markerText of ['invoice 7', '*']) {
    assert.deepEqual(await parts(bytes, { markerText }), { 'a_1.pdf': 'one', 'a_2.pdf': 'two' });
  }
});

test('the back of a divider goes in duplex mode', { skip }, async () => {
  const bytes = document(word('one'), await marked({ text: DIVIDER }), word('back'), word('two'));
  assert.deepEqual(await parts(bytes, { duplexMode: 'true' }), { 'a_1.pdf': 'one', 'a_2.pdf': 'two' });
});

test('without a divider there is one part; with nothing else there is none', { skip }, async () => {
  assert.deepEqual(await parts(document(word('one'), word('two'))), { 'a_1.pdf': 'one two' });
  const divider = await marked({ text: DIVIDER });
  assert.equal(failed(await run(document(divider, divider))).reason, 'nothing_found');
});

test('refused: an empty or long marker text', async () => {
  const { reason, detail } = failed(await run(document(word('one')), { markerText: 'x'.repeat(1001) }));
  assert.equal(reason, 'invalid_parameter');
  assert.match(detail, /markerText/);
});

const CUTS: [dividers: number[], pages: number, bothSides: boolean, runs: [number, number][]][] = [
  [[], 3, false, [[0, 3]]],
  [[0], 3, false, [[1, 3]]],
  [[2], 3, false, [[0, 2]]],
  [
    [1, 2],
    5,
    false,
    [
      [0, 1],
      [3, 5],
    ],
  ],
  [
    [1],
    5,
    true,
    [
      [0, 1],
      [3, 5],
    ],
  ],
  [
    [1, 2],
    6,
    true,
    [
      [0, 1],
      [4, 6],
    ],
  ],
  [[4], 5, true, [[0, 4]]],
  [[0, 1, 2], 3, false, []],
];
for (const [dividers, count, bothSides, runs] of CUTS) {
  test(`${count} pages with dividers at ${dividers.join(', ') || 'none'}${bothSides ? ', both sides' : ''}`, () => {
    assert.deepEqual(
      splitAtDividers(dividers, count, bothSides).map(({ from, to }) => [from, to]),
      runs,
    );
  });
}

const COLLECTED: Record<string, number[]> = { 'composed_scan.pdf': [1, 2, 1], 'composed_vector.pdf': [2, 3] };
test('sheets of others, drawn and scanned', { skip: skip || noCorpus() }, async () => {
  for (const path of corpus('qr')) {
    const expected = COLLECTED[path.split('/').at(-1) ?? ''];
    if (!expected) continue;
    const entries = await zipEntries(made(await run(readFileSync(path))));
    assert.deepEqual(
      entries.map(({ bytes }) => Number(pdfinfo(bytes).Pages)),
      expected,
      path,
    );
  }
});
