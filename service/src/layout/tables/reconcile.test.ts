import assert from 'node:assert/strict';
import { test } from 'node:test';
import { level, rowsOfTexts, smallPage, type Text } from '../../../testing/documents/table-page.ts';
import { runsText } from '../lines/runs.ts';
import { findTables } from './find-tables.ts';

const texts = (page: ReturnType<typeof smallPage>): string[][][] =>
  findTables(page, 1).map(({ table }) =>
    table.rows.map(({ cells }) =>
      cells.map(({ blocks }) => blocks.map((b) => (b.kind === 'paragraph' ? runsText(b.runs) : '')).join()),
    ),
  );

const PROSE: Text[] = [0, 1, 2].map((line) => ({
  x: 40,
  y: 186 + line * 12,
  text: 'the committee reviewed all figures and found that growth had continued in most regions of the land',
}));

const ACCOUNT = [
  ['', '2024', '2023'],
  ['Revenue', '1,234', '1,100'],
  ['Cost of sales', '(800)', '(700)'],
  ['Gross profit', '434', '400'],
  ['Administration', '(120)', '(110)'],
  ['Operating profit', '314', '290'],
];
const places = rowsOfTexts(ACCOUNT, [50, -200, -260]);

test('lines between rows only: the row under the last line is there', () => {
  const rules = [104, 118, 132, 146, 160].map((y) => level(y, 45, 265));
  assert.deepEqual(texts(smallPage([...places, ...PROSE], { rules })), [ACCOUNT]);
});

test('short lines over sums do not make a table of the figures alone', () => {
  const rules = [132, 160].map((y) => level(y, 170, 265));
  assert.deepEqual(texts(smallPage([...places, ...PROSE], { rules })), [ACCOUNT]);
});

test('a head without a text over the labels is there, and prose below is not', () => {
  const rules = [104, 175].map((y) => level(y, 45, 265));
  assert.deepEqual(texts(smallPage([...places, ...PROSE], { rules })), [ACCOUNT]);
});

test('tables side by side with lines of their own stay two', () => {
  const beside = rowsOfTexts(ACCOUNT, [320, -470, -530]);
  const rules = [90, 104, 175].flatMap((y) => [level(y, 45, 265), level(y, 315, 535)]);
  assert.deepEqual(texts(smallPage([...places, ...beside], { rules })), [ACCOUNT, ACCOUNT]);
});
