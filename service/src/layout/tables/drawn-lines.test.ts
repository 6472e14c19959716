import assert from 'node:assert/strict';
import { test } from 'node:test';
import { level, rowsOfTexts, smallPage } from '../../../testing/documents/table-page.ts';
import { findTables } from './find-tables.ts';

const ROWS = [
  ['Name', 'Town', 'Age'],
  ['Ann', 'Bath', '34'],
  ['Bob', 'York', '28'],
];
const LEFTS = [50, 90, 130];
const TOPS = [100, 120, 140];

const shape = (page: ReturnType<typeof smallPage>): [number, number][] =>
  findTables(page, 1).map(({ table }) => [table.rows.length, table.columnEdges.length - 1]);

test('cells that are boxes of their own, sunk into the page, make a table', () => {
  // Browsers draw such frames as areas with slanted ends: thin, but no rectangles.
  const boxes = [
    ...TOPS.flatMap((y) => LEFTS.map((x) => ({ x, y, width: 37.5, height: 17.5 }))),
    { x: 47.5, y: 97.5, width: 122.5, height: 62.5 },
  ];
  const page = smallPage(rowsOfTexts(ROWS, [54, 94, 134], { top: 113, step: 20 }), {
    rules: boxes.flatMap(({ x, y, width, height }) => [
      level(y, x, x + width),
      level(y + height, x, x + width),
    ]),
    curves: boxes.flatMap(({ x, y, width, height }) => [
      { x: x - 0.4, y, width: 0.8, height },
      { x: x + width - 0.4, y, width: 0.8, height },
    ]),
  });
  assert.deepEqual(shape(page), [[3, 3]]);
});

test('rows of dots are lines', () => {
  const dots = (count: number): number[] => Array.from({ length: count }, (_, i) => i * 1.5);
  const dot = (x: number, y: number) => ({ box: { x, y, width: 0.8, height: 0.8 }, color: '#999999' });
  const fills = [
    ...[100, 120, 140, 160].flatMap((y) => dots(80).map((x) => dot(50 + x, y))),
    ...[50, 90, 130, 170].flatMap((x) => dots(40).map((y) => dot(x, 100 + y))),
  ];
  const page = smallPage(rowsOfTexts(ROWS, [54, 94, 134], { top: 113, step: 20 }), { fills });
  assert.deepEqual(shape(page), [[3, 3]]);
  const [found] = findTables(page, 1);
  assert.equal(found?.table.ruled, true);
});
