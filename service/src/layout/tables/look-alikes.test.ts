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
