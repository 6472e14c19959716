import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gridRules, level, rowsOfTexts, smallPage } from '../../../testing/documents/table-page.ts';
import { findTables } from './find-tables.ts';

const found = (page: ReturnType<typeof smallPage>): number => findTables(page, 1).length;

const UNITS = [
  ['Key', 'Value', 'Unit'],
  ['prop alpha', '1', 'mm'],
  ['prop beta', '22', 'cm'],
  ['prop gamma', '333', 'km'],
];

test('short texts that begin with small letters are values, not running text', () => {
  assert.equal(found(smallPage(rowsOfTexts(UNITS, [50, 150, 220]))), 1);
});

test('no table: an index in columns', () => {
  const entries = ['apples', 'pears', 'plums', 'cherries', 'quinces', 'medlars'].map((word, i) => [
    `${word} ${i * 12 + 3}, ${i * 12 + 9}`,
    `store of ${word} ${i + 40}`,
    `cellar ${i + 90}`,
  ]);
  assert.equal(found(smallPage(rowsOfTexts(entries, [50, 200, 350]))), 0);
});

test('no table: fields in frames with their labels over them', () => {
  const rows = [
    ['Name', 'Place', 'Trade'],
    ['Ada', 'London', 'Reckoner'],
    ['Friend', 'Home', 'Hobby'],
    ['Charles', 'Devon', 'Engines'],
  ];
  const frames = [112, 148].flatMap((y) =>
    [48, 168, 288].flatMap((x) => gridRules([x, x + 90], [y - 5, y + 12])),
  );
  assert.equal(found(smallPage(rowsOfTexts(rows, [50, 170, 290], { step: 18 }), { rules: frames })), 0);
});

test('no table: labels with their values, one after the other between lines', () => {
  const rows = [
    ['Record No 2', 'Version 2', 'Date: 28 May'],
    ['Base: votes cast', 'Majority: more than half', 'Quorum: more than half'],
    ['Members: 257', '', 'Result: carried'],
    ['President: Ada', '', 'Clerk: Charles'],
  ];
  const rules = [88, 160].map((y) => level(y, 45, 500));
  assert.equal(found(smallPage(rowsOfTexts(rows, [50, 190, 350]), { rules })), 0);
  const heads = [['Name', 'Rule', 'Note'], ...rows];
  const headed = [76, 91, 160].map((y) => level(y, 45, 500));
  assert.equal(found(smallPage(rowsOfTexts(heads, [50, 190, 350], { top: 86 }), { rules: headed })), 1);
});

/** A page of letters of one width. */
const typewritten = (rows: readonly (readonly string[])[]) => {
  const letters = Array.from({ length: 30 }, (_, i) => ({
    x: 50,
    y: 400 + i * 12,
    text: 'and all the other words of the page are written with the same machine',
    monospace: true,
  }));
  const texts = rowsOfTexts(rows, [50, 150, 250], { top: 100, step: 12 });
  return smallPage([...texts.map((text) => ({ ...text, monospace: true })), ...letters]);
};

test('no table: markup and drawings in letters, where all is typewritten', () => {
  const markup = ['language', 'lccn', 'place', 'number', 'class'].map((name) => [
    '<!ELEMENT',
    name,
    '%with; >',
  ]);
  assert.equal(found(typewritten(markup)), 0);
  const drawing = ['/~~', '|o', '||_', 'XX', '@%;'].map((part) => [part, '\\__/', `${part}|`]);
  assert.equal(found(typewritten(drawing)), 0);
  assert.equal(found(typewritten(UNITS)), 1);
});

test('what a title calls a table is one, in letters of one width too', () => {
  const rows = [
    ['*', 'Segment', 'Circle'],
    ['Segment', 'P', 'Segment'],
    ['Circle', '', 'Segment'],
    ['Plane', 'P', 'Circle'],
  ];
  const texts = rowsOfTexts(rows, [50, 120, 190]).map((text) => ({ ...text, monospace: true }));
  const prose = { x: 50, y: 250, text: 'Other words of this page have letters of their own widths' };
  assert.equal(found(smallPage([...texts, prose])), 0);
  const title = { x: 60, y: 166, text: 'Table 3.2: Object intersection types.' };
  assert.equal(found(smallPage([...texts, prose, title])), 1);
});

test('no table: what stands under one frame and over the next', () => {
  const block = (top: number) => [
    { x: 50, y: top, text: 'Upper1(N)' },
    { x: 250, y: top, text: '(operation)' },
    { x: 50, y: top + 14, text: 'Returns' },
    { x: 250, y: top + 14, text: 'groups' },
    { x: 50, y: top + 28, text: 'where' },
    { x: 250, y: top + 28, text: 'integers' },
    { x: 50, y: top + 60, text: 'gap G1 is CongruenceSubgroup' },
  ];
  const box = (top: number) => gridRules([45, 320], [top, top + 30]);
  const page = smallPage([...block(100), ...block(220), { x: 50, y: 85, text: 'gap G1' }], {
    rules: [...box(60), ...box(142), ...box(262)],
  });
  assert.equal(found(page), 0);
});

test('no table: a part of a drawing with the numbers of its pins', () => {
  const texts = [
    { x: 60, y: 112, text: 'Reset Clk Q8' },
    ...rowsOfTexts([['9', '7', '6', '5']], [52, 82, 112, 142], { top: 132 }),
  ];
  const rules = [...gridRules([45, 165], [100, 120]), ...gridRules([45, 75, 105, 135, 165], [120, 140])];
  assert.equal(found(smallPage(texts, { rules })), 0);
});
