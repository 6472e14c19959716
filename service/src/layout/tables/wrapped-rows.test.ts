// Texts that go on in another line of their row.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { level, rowsOfTexts, smallPage, type Text, tables } from '../../../testing/documents/table-page.ts';

const HEAD = ['Function', 'Kind', 'References'];
const COLUMNS = [50, 150, 220];

/** Lines of text between the three lines of a table; the head is set off. */
const page = (rows: readonly (readonly string[])[], more: readonly Text[] = []) =>
  smallPage([...rowsOfTexts([HEAD, ...rows], COLUMNS, { top: 100, step: 12 }), ...more], {
    rules: [88, 103, 100 + rows.length * 12 + 4].map((y) => level(y, 45, 420)),
  });

const FIRST = ['bayes', 'count', 'Riebler and others, a report'];
const LAST = ['rogerson', 'score', 'Rogerson and Yamada, the city'];

test('a year alone in its line goes on with the names that filled the line before', () => {
  const rows = [FIRST, ['outbreak', 'score', 'Andersson, Frisén and Schiöler'], ['', '', '(2009)'], LAST];
  assert.deepEqual(tables(page(rows)), [
    [HEAD, FIRST, ['outbreak', 'score', 'Andersson, Frisén and Schiöler (2009)'], LAST],
  ]);
});

test('a quotation that is open goes on, with figures too, whatever room its line had', () => {
  for (const [opened, closed] of [
    ['appendix “Changes from', '1.00 to 1.01”'],
    ['appendix [Changes from', '1.00 to 1.01]'],
    ['Anhang „Von Fassung', '1.00 bis 1.01“'],
  ] as const) {
    const rows = [FIRST, ['notes', 'text', opened], ['', '', closed], LAST];
    assert.deepEqual(tables(page(rows)), [[HEAD, FIRST, ['notes', 'text', `${opened} ${closed}`], LAST]]);
  }
});

test('without an open quotation, a figure where there was room begins a row', () => {
  const rows = [FIRST, ['notes', 'text', 'short words'], ['', '', '1.01'], LAST];
  assert.deepEqual(tables(page(rows)), [[HEAD, ...rows]]);
});

test('figures under figures are rows, with a label or without', () => {
  const rows = [
    ['bayes', '1.20', '0.024'],
    ['', '1.25', '0.065'],
    ['boda', '1.31', '0.062'],
    ['', '1.36', '0.055'],
  ];
  assert.deepEqual(tables(page(rows)), [[HEAD, ...rows]]);
});

test('a label and a text beside it that both go on are one row', () => {
  const rows = [
    ['Random-effects full', 'L', 'double dense sparse triangu-'],
    ['factor', '', 'lar matrix'],
    ['Block of all effects', 'RZX', 'double dense matrix, and more'],
    ['Linear predictor now', 'mu', 'double vector of all residuals'],
  ];
  assert.deepEqual(tables(page(rows)), [
    [HEAD, ['Random-effects full factor', 'L', 'double dense sparse triangu-lar matrix'], ...rows.slice(2)],
  ]);
});

test('a raised sign and its figure stand after the unit they raise', () => {
  const base = page([FIRST, ['speed', 'text', '9.81 m'], LAST]);
  const line = base.words.findLast(({ text }) => text === 'm');
  assert.ok(line);
  const raised = (text: string, x: number, glued: boolean) => ({
    ...line,
    text,
    glued,
    spaced: false,
    box: { x, y: line.box.y - 2, width: 4, height: 7 },
    baseline: line.baseline - 3.6,
    style: { ...line.style, size: 7 },
  });
  const at = line.box.x + line.box.width;
  const words = [...base.words, raised('−', at, true), raised('2', at + 4, true)];
  assert.equal(tables({ ...base, words })[0]?.[2]?.[2], '9.81 m−2');
});
