import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PageMarks } from '../page-marks.ts';
import { joinContinued, placeTables } from './continued.ts';
import { findTables } from './find-tables.ts';
import { gridRules, rowsOfTexts, smallPage, type Text } from './small-page.ts';

const HEAD = ['Item', 'Town', 'Price'];
const COLUMNS = [50, 150, 250, 350];

/** A ruled table of so many rows after its head; `more` is written besides. */
function page(from: number, rows: number, more: Text[] = [], { head = true, shift = 0 } = {}): PageMarks {
  const body = Array.from({ length: rows }, (_, i) => [`No ${from + i}`, 'Bath', `${from + i}.50`]);
  const all = head ? [HEAD, ...body] : body;
  return smallPage(
    [
      ...rowsOfTexts(
        all,
        [55, 155, 255].map((x) => x + shift),
        { top: 114, step: 20 },
      ),
      ...more,
    ],
    {
      rules: gridRules(
        COLUMNS.map((x) => x + shift),
        Array.from({ length: all.length + 1 }, (_, i) => 100 + i * 20),
      ),
    },
  );
}

const join = (...pages: PageMarks[]) =>
  joinContinued(pages.map((marks, i) => placeTables(i + 1, findTables(marks, i + 1), marks)));
const foot = (number: number): Text => ({ x: 300, y: 780, text: `${number}` });
const runningHead: Text = { x: 50, y: 40, text: 'Annual report of the company' };

const CASES: { what: string; pages: PageMarks[]; rows: number[] }[] = [
  { what: 'a head repeated is dropped', pages: [page(1, 20), page(21, 5)], rows: [26] },
  {
    what: 'without a head repeated all rows stay',
    pages: [page(1, 20), page(21, 5, [], { head: false })],
    rows: [26],
  },
  {
    what: 'running heads and page numbers part nothing',
    pages: [1, 2, 3].map((n) => page(n * 20, 5, [runningHead, foot(n)])),
    rows: [16],
  },
  {
    what: 'pages of a book stand left and right in turns',
    pages: [page(1, 9), page(10, 5, [], { shift: 20 })],
    rows: [15],
  },
  {
    what: 'a title over the second table parts them',
    pages: [page(1, 20), page(21, 5, [{ x: 50, y: 90, text: 'Table 2: Another matter' }])],
    rows: [21, 6],
  },
  {
    what: 'so does a note under the first',
    pages: [page(1, 20, [{ x: 50, y: 540, text: 'Source: own figures' }]), page(21, 5)],
    rows: [21, 6],
  },
  {
    what: 'a title that says it goes on does not',
    pages: [page(1, 20), page(21, 5, [{ x: 50, y: 90, text: 'Table 1 (continued)' }])],
    rows: [26],
  },
];

for (const { what, pages, rows } of CASES) {
  test(what, () => {
    const joined = join(...pages);
    assert.deepEqual(
      joined.map(({ table }) => table.rows.length),
      rows,
    );
    assert.equal(joined[0]?.table.page, 1);
  });
}

test('a page without tables between parts them', () => {
  const joined = join(page(1, 5), smallPage([{ x: 50, y: 100, text: 'Nothing here' }]), page(6, 5));
  assert.deepEqual(
    joined.map(({ table }) => table.page),
    [1, 3],
  );
});
