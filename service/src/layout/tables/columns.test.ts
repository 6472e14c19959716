import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gridRules, rowsOfTexts, smallPage } from '../../../testing/documents/table-page.ts';
import { runsText } from '../lines/runs.ts';
import { findTables } from './find-tables.ts';

const texts = (page: ReturnType<typeof smallPage>): string[][][] =>
  findTables(page, 1).map(({ table }) =>
    table.rows.map(({ cells }) =>
      cells.map(({ blocks }) => blocks.map((b) => (b.kind === 'paragraph' ? runsText(b.runs) : '')).join()),
    ),
  );

const PEOPLE = [
  ['Name', 'Town', 'Amount', 'Date'],
  ['Person 1', 'Paris', '0.00', '2024-03-01'],
  ['Person 2', 'Rome', '37.50', '2024-03-02'],
  ['Person 3', 'Oslo', '112.50', '2024-03-03'],
  ['Person 4', 'Bern', '1150.00', '2024-03-04'],
];

test('figures that end where the next column begins are a column of their own', () => {
  assert.deepEqual(texts(smallPage(rowsOfTexts(PEOPLE, [50, 150, -260, 262]))), [PEOPLE]);
});

test('numbers after a word that all rows have do not part from it', () => {
  const rows = PEOPLE.map(([name = '', , amount = '']) => [name, amount]);
  assert.deepEqual(texts(smallPage(rowsOfTexts(rows, [50, -260]))), [rows]);
});

test('where some rows lack lines between cells, their texts keep to the columns of the others', () => {
  const rows = [
    ['', '2024', '2023'],
    ['Revenue', '1,234', '1,100'],
    ['Sales', '800', '700'],
    ['Profit', '434', '400'],
  ];
  const edges = [100, 120, 140, 160, 180];
  const rules = [
    ...gridRules([50, 200], edges),
    ...gridRules([50, 100, 150, 200], [120, 140]),
    ...gridRules([50, 100, 150, 200], [160, 180]),
  ];
  assert.deepEqual(texts(smallPage(rowsOfTexts(rows, [54, 104, 154], { top: 113, step: 20 }), { rules })), [
    rows,
  ]);
});

test('a raised mark follows what it marks', () => {
  const page = smallPage(
    rowsOfTexts(
      [
        ['Area', 'Note'],
        ['m', 'x'],
        ['km', 'y'],
      ],
      [54, 104],
      { top: 113, step: 20 },
    ),
    {
      rules: gridRules([50, 100, 150], [100, 120, 140, 160]),
    },
  );
  const [unit] = page.words.filter(({ text }) => text === 'm');
  assert.ok(unit);
  page.words.push({
    ...unit,
    text: '2',
    box: { x: unit.box.x + unit.box.width, y: unit.box.y - 2.5, width: 4, height: 8.3 },
    baseline: unit.baseline - 3.9,
    style: { ...unit.style, size: 8.3 },
    glued: true,
  });
  assert.equal(texts(page)[0]?.[1]?.[0], 'm2');
});
