import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { failed, made, madeName, runHere } from '../../../testing/calls/run-here.ts';
import { fixture } from '../../../testing/documents/collection.ts';
import { pdfOf, streamOf } from '../../../testing/documents/written-pdf.ts';
import { drawnPage, inkBox } from '../../../testing/oracles/page-images.ts';
import { pageObjects, plainBytes, surveyBytes } from '../../../testing/oracles/pages.ts';
import { askProgram, missing, pdfinfo, qpdfCheck } from '../../../testing/oracles/programs.ts';

const skip = missing('qpdf', 'pdfinfo', 'pdftotext', 'pdftoppm');

/** Letter pages that say their number in the middle. */
function numbered(count: number, box = '0 0 612 792'): Buffer {
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  return pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${count} /MediaBox [${box}] /Kids [${numbers.map((n) => `${3 + n} 0 R`).join(' ')}] >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...numbers.map(
      (n) =>
        `<< /Type /Page /Parent 2 0 R /Resources << /Font << /F 3 0 R >> >> /Contents ${3 + count + n} 0 R >>`,
    ),
    ...numbers.map((n) => streamOf(`BT /F 100 Tf 200 350 Td (p${n}) Tj ET`)),
  ]);
}

const bind = (params: Record<string, string>, bytes: Uint8Array = numbered(8)) =>
  runHere('general/booklet-imposition', { files: { fileInput: { name: 'a.pdf', bytes } }, params });

/** What stands on the left and right of each side; 0 for nothing. */
function sides(bytes: Buffer): [number, number][] {
  const xml = askProgram('pdftotext', ['-bbox', '{}', '-'], bytes);
  return xml
    .split('<page ')
    .slice(1)
    .map((page) => {
      const width = Number(/width="([\d.]+)"/.exec(page)?.[1]);
      const found: [number, number] = [0, 0];
      for (const [, x, number] of page.matchAll(/<word xMin="([\d.]+)"[^>]*>p(\d+)<\/word>/g))
        found[Number(x) < width / 2 ? 0 : 1] = Number(number);
      return found;
    });
}

const EIGHT: [number, number][] = [
  [8, 1],
  [2, 7],
  [6, 3],
  [4, 5],
];
const CASES: [string, number, Record<string, string>, [number, number][]][] = [
  ['eight pages', 8, {}, EIGHT],
  [
    'five pages are padded to eight',
    5,
    {},
    [
      [0, 1],
      [2, 0],
      [0, 3],
      [4, 5],
    ],
  ],
  [
    'one page',
    1,
    {},
    [
      [0, 1],
      [0, 0],
    ],
  ],
  [
    'a spine at the right',
    8,
    { spineLocation: 'RIGHT' },
    [
      [1, 8],
      [7, 2],
      [3, 6],
      [5, 4],
    ],
  ],
  [
    'fronts only',
    8,
    { duplexPass: 'FIRST' },
    [
      [8, 1],
      [6, 3],
    ],
  ],
  [
    'backs only',
    8,
    { duplexPass: 'SECOND' },
    [
      [2, 7],
      [4, 5],
    ],
  ],
  [
    'backs swapped',
    8,
    { flipOnShortEdge: 'true' },
    [
      [8, 1],
      [7, 2],
      [6, 3],
      [5, 4],
    ],
  ],
  ['single sided, nothing is swapped', 8, { flipOnShortEdge: 'true', doubleSided: 'false' }, EIGHT],
  [
    'signatures of one sheet',
    8,
    { sheetsPerSignature: '1' },
    [
      [4, 1],
      [2, 3],
      [8, 5],
      [6, 7],
    ],
  ],
  [
    'each signature is padded by itself',
    6,
    { sheetsPerSignature: '1' },
    [
      [4, 1],
      [2, 3],
      [0, 5],
      [6, 0],
    ],
  ],
  ['signatures larger than the document', 8, { sheetsPerSignature: '100' }, EIGHT],
];

for (const [name, count, params, expected] of CASES) {
  test(`${name}: ${JSON.stringify(expected)}`, { skip }, async () => {
    const ran = await bind(params, numbered(count));
    const bytes = made(ran);
    qpdfCheck(bytes);
    assert.equal(madeName(ran), 'a_booklet.pdf');
    assert.deepEqual(sides(bytes), expected);
    assert.equal(pageObjects(bytes), expected.length);
    assert.match(pdfinfo(bytes)['Page size'] ?? '', /^792 x 612/);
  });
}

test('a landscape document keeps its sheet', { skip }, async () => {
  const bytes = made(await bind({}, numbered(4, '0 0 800 500')));
  assert.match(pdfinfo(bytes)['Page size'] ?? '', /^800 x 500/);
  assert.deepEqual(sides(bytes), [
    [4, 1],
    [2, 3],
  ]);
});

const BLACK = pdfOf([
  '<< /Type /Catalog /Pages 2 0 R >>',
  '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
  '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 600] /Contents 4 0 R >>',
  streamOf('0 0 400 600 re f'),
]);

test('the gutter is left free at the fold, frames stand around the halves', { skip }, async () => {
  // A page of 400 by 600 in a half of 300 by 400 is 266.7 wide; 100 less leaves 200 by 300.
  const wide = inkBox(drawnPage(made(await bind({}, BLACK)))) ?? [];
  assert.ok(Math.abs((wide[0] ?? 0) - 316) <= 2, `${wide}`);
  const narrow = inkBox(drawnPage(made(await bind({ addGutter: 'true', gutterSize: '100' }, BLACK)))) ?? [];
  assert.ok(Math.abs((narrow[0] ?? 0) - 400) <= 1, `${narrow}`);
  const ignored = inkBox(drawnPage(made(await bind({ gutterSize: '100' }, BLACK)))) ?? [];
  assert.deepEqual(ignored, wide);
  const framed = inkBox(drawnPage(made(await bind({ addBorder: 'true' }, BLACK))));
  assert.deepEqual(framed, [0, 0, 599, 399]);
});

test('pages of the other pass leave nothing behind', { skip }, async () => {
  const tied = readFileSync(fixture('tied-pages.pdf'));
  const bytes = made(await bind({ duplexPass: 'FIRST' }, tied));
  const plain = plainBytes(bytes);
  // The front holds pages 4 and 1.
  for (const page of [1, 2, 3, 4])
    assert.equal(plain.includes(`(Form of page ${page})`), page === 1 || page === 4, `page ${page}`);
  assert.deepEqual(
    surveyBytes(bytes).outline.map(({ title, to }) => [title, to]),
    [
      ['Part A', 0],
      ['Part B', null],
      ['B one', 0],
      ['Web', null],
    ],
  );
});

test('what belongs to pages moves to the sheets', { skip }, async () => {
  const tied = readFileSync(fixture('tied-pages.pdf'));
  const before = surveyBytes(tied);
  const after = surveyBytes(made(await bind({}, tied)));
  const side = (page: number | null) => (page === null ? null : page === 0 || page === 3 ? 0 : 1);
  const byPlace = (a: { from: number; to: number | null }, b: { from: number; to: number | null }) =>
    a.from - b.from || (a.to ?? -1) - (b.to ?? -1);
  assert.deepEqual(
    { ...after, links: after.links.sort(byPlace) },
    {
      ...before,
      pages: 2,
      pageLabels: null,
      outline: before.outline.map((entry) => ({ ...entry, to: side(entry.to) })),
      links: before.links.map(({ from, to }) => ({ from: side(from) ?? 0, to: side(to) })).sort(byPlace),
    },
  );
});

const REFUSED: [Record<string, string>, string][] = [
  [{ pagesPerSheet: '4' }, 'pagesPerSheet'],
  [{ addBorder: 'x' }, 'addBorder'],
  [{ spineLocation: 'TOP' }, 'spineLocation'],
  [{ addGutter: 'x' }, 'addGutter'],
  [{ gutterSize: '-1' }, 'gutterSize'],
  [{ addGutter: 'true', gutterSize: '307' }, 'gutterSize'],
  [{ doubleSided: 'x' }, 'doubleSided'],
  [{ duplexPass: 'THIRD' }, 'duplexPass'],
  [{ flipOnShortEdge: 'x' }, 'flipOnShortEdge'],
  [{ sheetsPerSignature: '101' }, 'sheetsPerSignature'],
];

for (const [params, field] of REFUSED) {
  test(`${JSON.stringify(params)} is refused, naming ${field}`, async () => {
    const problem = failed(await bind(params));
    assert.equal(problem.reason, 'invalid_parameter');
    assert.ok(problem.detail.includes(field), problem.detail);
  });
}
