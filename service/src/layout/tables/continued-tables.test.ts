import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  gridRules,
  rowsOfTexts,
  smallPage,
  type Text,
  upright,
} from '../../../testing/documents/table-page.ts';
import { runsText } from '../lines/runs.ts';
import type { PageItems } from '../page-items.ts';
import { joinContinued, placeTables } from './continued-tables.ts';
import { findTables } from './find-tables.ts';

const HEAD = ['Item', 'Town', 'Price'];
const COLUMNS = [50, 150, 250, 350];

/** A ruled table of so many rows after its head; `more` is written besides. */
function page(from: number, rows: number, more: Text[] = [], { head = true, shift = 0 } = {}): PageItems {
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

const join = (...pages: PageItems[]) =>
  joinContinued(pages.map((items, i) => placeTables(i + 1, findTables(items, i + 1), items)));
const foot = (number: number): Text => ({ x: 300, y: 780, text: `${number}` });
const runningHead: Text = { x: 50, y: 40, text: 'Annual report of the company' };

const CASES: { what: string; pages: PageItems[]; rows: number[] }[] = [
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

test('a row that the page end has cut in two is one row again', () => {
  const cut = (texts: Text[], rows: number[], from: number, to: number): PageItems =>
    smallPage(texts, {
      rules: [...gridRules([50, 150, 350], rows), ...[50, 150, 350].map((x) => upright(x, from, to))],
    });
  const first = cut(
    [
      { x: 55, y: 714, text: 'Option' },
      { x: 155, y: 714, text: 'Meaning' },
      { x: 55, y: 734, text: '-a' },
      { x: 155, y: 734, text: 'Reads all files of the' },
    ],
    [700, 720],
    700,
    760,
  );
  const second = cut(
    [
      { x: 155, y: 44, text: 'folder named' },
      { x: 55, y: 64, text: '-b' },
      { x: 155, y: 64, text: 'Reads none' },
    ],
    [50, 70],
    30,
    70,
  );
  const [table, ...more] = joinContinued(
    [first, second].map((items, i) => placeTables(i + 1, findTables(items, i + 1), items)),
  );
  assert.equal(more.length, 0);
  assert.deepEqual(
    table?.table.rows.map(({ cells }) =>
      cells.map(({ blocks: [block] }) => (block?.kind === 'paragraph' ? runsText(block.runs) : '')),
    ),
    [
      ['Option', 'Meaning'],
      ['-a', 'Reads all files of the folder named'],
      ['-b', 'Reads none'],
    ],
  );
});
