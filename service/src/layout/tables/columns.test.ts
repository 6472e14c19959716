import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gridRules, level, rowsOfTexts, smallPage } from '../../../testing/documents/table-page.ts';
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

const COMMANDS = [
  ['Command', 'List of captions', 'Caption'],
  ['float', '(b)', '(b)'],
  ['float with caption', '(c) Sub', '(c) Sub'],
  ['float with two', '(d) Sub', '(d) Sub'],
  ['float with the longest name', '(f) List', '(f) Sub'],
  ['float and list', '(g) List', '(g)'],
];

test('a head that begins over the longest text beside it makes no column between them', () => {
  const texts_ = rowsOfTexts(COMMANDS, [50, 190, 270], { top: 100, step: 12 }).map((text) =>
    text.text === 'List of captions' ? { ...text, x: 175 } : text,
  );
  const page = smallPage(texts_, { rules: [88, 103, 164].map((y) => level(y, 45, 320)) });
  assert.deepEqual(texts(page), [COMMANDS]);
});

test('words of a stretched line are no column', () => {
  const rows = [
    ['Name', 'Math', 'Type'],
    ['lambda', '4.1', 'double'],
    ['factor', '1.8', 'double dense matrix'],
    ['vector', '4.9', 'double vector'],
    ['block', '1.8', 'double dense matrix'],
    ['modes', '3.1', 'double'],
  ];
  const stretched = [
    { x: 230, y: 112, text: 'sparse' },
    { x: 275, y: 112, text: 'of' },
  ];
  const page = smallPage([...rowsOfTexts(rows, [50, 120, 190], { top: 100, step: 12 }), ...stretched], {
    rules: [88, 103, 164].map((y) => level(y, 45, 300)),
  });
  assert.deepEqual(
    texts(page)[0]?.map(([, , type]) => type),
    ['Type', 'double sparse of', ...rows.slice(2).map(([, , type]) => type)],
  );
});

test('a text that reaches nearly to the next column ends where that begins', () => {
  const rows = [
    ['Family', 'Encodings', 'Shapes'],
    ['Generic', 'OT1, T1', 'n, it'],
    ['Roman', 'OT1, OT4, T1, T2A, LY1', 'n, sl'],
    ['Charter', 'OT1, T1, T5', 'n, sc'],
    ['Garamond', 'OT1, LY1', 'n'],
    ['Letter', 'OT1, TS1', 'n, it'],
    ['Minion', 'T1', 'n, it'],
    ['Times', 'OT1', 'n, it'],
  ];
  const end = 120 + 'OT1,OT4,T1,T2A,LY1'.length * 5 + 4 * 2.5;
  const page = smallPage(rowsOfTexts(rows, [50, 120, end + 4], { top: 100, step: 12 }), {
    rules: [88, 103, 188].map((y) => level(y, 45, 300)),
  });
  assert.deepEqual(texts(page), [rows]);
});
