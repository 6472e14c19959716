import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { failed, made, madeName, runHere } from '../../../testing/calls/run-here.ts';
import { fixture } from '../../../testing/documents/collection.ts';
import { ODD_PAGES } from '../../../testing/documents/odd-pages.ts';
import { onePage } from '../../../testing/documents/written-pdf.ts';
import { difference, drawnPage, inkBox } from '../../../testing/oracles/page-images.ts';
import { pageObjects, surveyBytes } from '../../../testing/oracles/pages.ts';
import { askProgram, missing, pdfinfo, pdftotext, qpdfCheck } from '../../../testing/oracles/programs.ts';

const skip = missing('qpdf', 'pdfinfo', 'pdftotext', 'pdftoppm');
const TIED = readFileSync(fixture('tied-pages.pdf'));

const lay = (params: Record<string, string>, bytes: Uint8Array = TIED) =>
  runHere('general/multi-page-layout', { files: { fileInput: { name: 'a.pdf', bytes } }, params });

/** Page numbers by where they stand, upper left first, with their places rounded to cells. */
function places(bytes: Buffer, rows: number, columns: number, sheet = 1): (number | undefined)[][] {
  const xml = askProgram('pdftotext', ['-bbox', '-f', String(sheet), '-l', String(sheet), '{}', '-'], bytes);
  const [, width = '0', height = '0'] = /<page width="([\d.]+)" height="([\d.]+)"/.exec(xml) ?? [];
  const grid: (number | undefined)[][] = Array.from({ length: rows }, () => Array(columns).fill(undefined));
  const words = [
    ...xml.matchAll(/<word xMin="([\d.]+)" yMin="([\d.]+)" xMax="([\d.]+)" yMax="([\d.]+)">(.*?)<\/word>/g),
  ];
  words.forEach((word, index) => {
    if (words[index - 1]?.[5] !== 'page') return;
    const [x, y] = [(Number(word[1]) + Number(word[3])) / 2, (Number(word[2]) + Number(word[4])) / 2];
    const row = grid[Math.floor((y / Number(height)) * rows)];
    if (row) row[Math.floor((x / Number(width)) * columns)] = Number(word[5]);
  });
  return grid;
}

const ORDERS: [Record<string, string>, (number | undefined)[][]][] = [
  [
    { pagesPerSheet: '4' },
    [
      [1, 2],
      [3, 4],
    ],
  ],
  [
    { pagesPerSheet: '4', readingDirection: 'RTL' },
    [
      [2, 1],
      [4, 3],
    ],
  ],
  [
    { pagesPerSheet: '4', arrangement: 'BY_COLUMNS' },
    [
      [1, 3],
      [2, 4],
    ],
  ],
  [
    { pagesPerSheet: '4', arrangement: 'BY_COLUMNS', readingDirection: 'RTL' },
    [
      [3, 1],
      [4, 2],
    ],
  ],
  [
    { mode: 'CUSTOM', rows: '3', cols: '2' },
    [
      [1, 2],
      [3, 4],
      [5, undefined],
    ],
  ],
  [{}, [[1, 2]]],
];

for (const [params, expected] of ORDERS) {
  test(`${JSON.stringify(params)} arranges pages as ${JSON.stringify(expected)}`, { skip }, async () => {
    const ran = await lay(params, ODD_PAGES);
    const bytes = made(ran);
    qpdfCheck(bytes);
    assert.equal(madeName(ran), 'a_multi_page_layout.pdf');
    assert.match(pdfinfo(bytes)['Page size'] ?? '', /^595\.276 x 841\.89/);
    assert.deepEqual(places(bytes, expected.length, expected[0]?.length ?? 0), expected);
  });
}

test('further pages make further sheets', { skip }, async () => {
  const bytes = made(await lay({ pagesPerSheet: '4' }, ODD_PAGES));
  assert.equal(pdfinfo(bytes).Pages, '2');
  assert.equal(pageObjects(bytes), 2);
  assert.deepEqual(places(bytes, 2, 2, 2), [
    [5, undefined],
    [undefined, undefined],
  ]);
});

test('400 pages fit on one sheet', { skip }, async () => {
  const bytes = made(await lay({ pagesPerSheet: '400', orientation: 'LANDSCAPE' }));
  assert.match(pdfinfo(bytes)['Page size'] ?? '', /^841\.89 x 595\.276/);
});

test('one page in one cell looks like the page, scaled', { skip }, async () => {
  for (const file of ['everything.pdf', 'text-two-pages.pdf']) {
    const before = readFileSync(fixture(file));
    const bytes = made(await lay({ mode: 'CUSTOM', rows: '1', cols: '1' }, before));
    const scaled = made(
      await runHere('general/scale-pages', {
        files: { fileInput: { name: 'a.pdf', bytes: before } },
        params: { pageSize: 'A4' },
      }),
    );
    assert.ok(difference(drawnPage(bytes), drawnPage(scaled)) < 0.002, file);
    assert.ok(difference(drawnPage(before), drawnPage(bytes)) < 0.1, file);
    assert.deepEqual(surveyBytes(bytes), surveyBytes(before), file);
  }
});

const BLACK = onePage({ content: '0 0 612 792 re f', page: '/MediaBox [0 0 100 100]' });

test('margins and gaps are kept free', { skip }, async () => {
  const margins = { topMargin: '50', bottomMargin: '392', leftMargin: '100', rightMargin: '95' };
  const one = made(await lay({ mode: 'CUSTOM', rows: '1', cols: '1', ...margins }, BLACK));
  // 400 by 400 points are left: from 100 to 500 across, from 50 to 450 down.
  const box = inkBox(drawnPage(one)) ?? [];
  [100, 50, 499, 449].forEach((at, side) => {
    assert.ok(Math.abs(at - (box[side] ?? 0)) <= 1, `${box}`);
  });
  const two = made(await lay({ innerMargin: '195' }, BLACK));
  const cell = inkBox(drawnPage(two)) ?? [];
  assert.ok(Math.abs((cell[2] ?? 0) - 200) <= 2, `${cell}`);
});

test('frames stand inside their cells, and pages inside their frames', { skip }, async () => {
  const params = { mode: 'CUSTOM', rows: '1', cols: '1', addBorder: 'true', borderWidth: '10' };
  const image = drawnPage(made(await lay(params, onePage({ page: '/MediaBox [0 0 100 100]' }))));
  assert.deepEqual(inkBox(image), [0, 0, 594, 841]);
  const at = (x: number, y: number) => image.rgb[(y * image.width + x) * 3];
  assert.equal(at(5, 400), 0);
  assert.equal(at(15, 400), 255);
});

test('bookmarks, links, fields, annotations and tags move to the sheets', { skip }, async () => {
  const before = surveyBytes(TIED);
  const bytes = made(await lay({}));
  const after = surveyBytes(bytes);
  const sheet = (page: number | null) => (page === null ? null : Math.floor(page / 2));
  assert.deepEqual(after, {
    ...before,
    pages: 2,
    pageLabels: null,
    outline: before.outline.map((entry) => ({ ...entry, to: sheet(entry.to) })),
    links: before.links.map(({ from, to }) => ({ from: sheet(from), to: sheet(to) })),
  });
  const words = (pdf: Uint8Array) => askProgram('pdfinfo', ['-struct-text', '{}'], pdf).match(/"[^"]*"/g);
  assert.deepEqual(words(bytes), words(TIED));
});

test('text of every page is there', { skip }, async () => {
  const bytes = made(await lay({ pagesPerSheet: '4' }));
  for (const page of [1, 2, 3, 4]) assert.match(pdftotext(bytes), new RegExp(`Text of page ${page}`));
});

const FULL: Record<string, string>[] = [
  { leftMargin: '300', rightMargin: '300' },
  { topMargin: '400', bottomMargin: '400', innerMargin: '400', pagesPerSheet: '4' },
  { mode: 'CUSTOM', cols: '300', innerMargin: '2' },
  { mode: 'CUSTOM', cols: '300', addBorder: 'true' },
];

for (const params of FULL) {
  test(`${JSON.stringify(params)} leaves no room, naming the margins`, async () => {
    const problem = failed(await lay(params));
    assert.equal(problem.reason, 'invalid_parameter');
    for (const field of ['innerMargin', 'topMargin', 'bottomMargin', 'leftMargin', 'rightMargin'])
      assert.ok(problem.detail.includes(field), problem.detail);
  });
}

const REFUSED: [Record<string, string>, string][] = [
  [{ mode: 'ANY' }, 'mode'],
  [{ pagesPerSheet: '3' }, 'pagesPerSheet'],
  [{ pagesPerSheet: '441' }, 'pagesPerSheet'],
  [{ mode: 'CUSTOM', rows: '0' }, 'rows'],
  [{ mode: 'CUSTOM', cols: '301' }, 'cols'],
  [{ arrangement: 'SPIRAL' }, 'arrangement'],
  [{ readingDirection: 'UP' }, 'readingDirection'],
  [{ orientation: 'ROUND' }, 'orientation'],
  [{ innerMargin: '-1' }, 'innerMargin'],
  [{ topMargin: '401' }, 'topMargin'],
  [{ bottomMargin: 'x' }, 'bottomMargin'],
  [{ leftMargin: '1.5' }, 'leftMargin'],
  [{ rightMargin: '401' }, 'rightMargin'],
  [{ addBorder: 'maybe' }, 'addBorder'],
  [{ borderWidth: '51' }, 'borderWidth'],
];

for (const [params, field] of REFUSED) {
  test(`${JSON.stringify(params)} is refused, naming ${field}`, async () => {
    const problem = failed(await lay(params));
    assert.equal(problem.reason, 'invalid_parameter');
    assert.ok(problem.detail.includes(field), problem.detail);
  });
}

test('a border of no width is no border', { skip }, async () => {
  const blank = onePage({ page: '/MediaBox [0 0 100 100]' });
  const params = { mode: 'CUSTOM', rows: '1', cols: '1', addBorder: 'true' };
  assert.equal(inkBox(drawnPage(made(await lay({ ...params, borderWidth: '0' }, blank)))), undefined);
  assert.notEqual(inkBox(drawnPage(made(await lay(params, blank)))), undefined);
});
