// Heads and rows that lines leave outside.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  gridRules,
  level,
  rowsOfTexts,
  smallPage,
  tables,
  upright,
} from '../../../testing/documents/table-page.ts';

const SIZES = [
  ['size', 'default', 'option', 'large'],
  ['tiny', '0', '1', '2'],
  ['small', '1', '2', '3'],
  ['normal', '2', '3', '4'],
  ['huge', '3', '4', '5'],
];
const COLUMNS = [50, 110, 160, 210];
const frame = gridRules([100, 150, 200, 250], [104, 118, 132, 146, 160]);

test('heads over a frame, and labels beside it, are its first row and column', () => {
  const page = smallPage(rowsOfTexts(SIZES, COLUMNS, { top: 100, step: 14 }), { rules: frame });
  assert.deepEqual(tables(page), [SIZES]);
});

test('a line of text over a frame is no head', () => {
  const [, ...rows] = SIZES;
  for (const texts of [['These are the sizes of all letters'], ['', 'n = 3', '', 'all of the others here']]) {
    const words = [
      ...rowsOfTexts([texts], COLUMNS, { top: 100 }),
      ...rowsOfTexts(rows, COLUMNS, { top: 114 }),
    ];
    assert.deepEqual(tables(smallPage(words, { rules: frame })), [rows]);
  }
});

const COUNTS = (kind: string) => [
  ['Male', '', 'Control', 'Early', 'Late'],
  ['', `${kind}C`, '75', '54', '29'],
  ['', `${kind}T`, '93', '44', '13'],
  ['', 'Total', '168', '98', '42'],
  ['Female', '', 'Control', 'Early', 'Late'],
  ['', `${kind}C`, '76', '26', '17'],
  ['', `${kind}T`, '69', '20', '10'],
  ['', 'Total', '145', '46', '27'],
];
const COUNT_COLUMNS = [50, 100, 150, 210, 270];

test('the title of another table, and the same head again, end a table that ends without a line', () => {
  const texts = [
    ...rowsOfTexts(COUNTS('A'), COUNT_COLUMNS, { top: 100 }),
    { x: 140, y: 228, text: 'Another locus' },
    ...rowsOfTexts(COUNTS('G'), COUNT_COLUMNS, { top: 258 }),
  ];
  const rules = [104, 160, 262, 318, 360].map((y) => level(y, 45, 310));
  assert.deepEqual(tables(smallPage(texts, { rules })), [COUNTS('A'), COUNTS('G')]);
});

test('the line of a running head is no line of the table under it', () => {
  const rows = SIZES.map(([a = '', b = '', c = '']) => [a, b, c]);
  const texts = [
    ...rowsOfTexts([['CONTEXT', '', '21']], [50, 150, 240], { top: 60 }),
    ...rowsOfTexts(rows, [50, 150, 240], { top: 110 }),
  ];
  const rules = [64, 114, 172].map((y) => level(y, 45, 260));
  assert.deepEqual(tables(smallPage(texts, { rules })), [rows]);
});

test('a head and one row before the end of a page, between two lines that cross', () => {
  const head = [
    { x: 50, y: 100, text: 'Parameter', bold: true },
    { x: 160, y: 100, text: 'Description', bold: true },
  ];
  const row = rowsOfTexts([['PATH', 'Location of files']], [50, 160], { top: 114 });
  const rules = [level(104, 45, 300), upright(150, 90, 120)];
  assert.deepEqual(tables(smallPage([...head, ...row], { rules })), [
    [
      ['Parameter', 'Description'],
      ['PATH', 'Location of files'],
    ],
  ]);
  const plain = head.map((text) => ({ ...text, bold: false }));
  assert.deepEqual(tables(smallPage([...plain, ...row], { rules })), []);
});

test('a head of several lines, each with a label and names of its own, is several rows', () => {
  const rows = [
    ['Type', 'Linear', 'Augmented'],
    ['Distribution', 'Poisson', 'Hurdle'],
    ['Method', 'ML', 'Quasi'],
    ['hosp', '0.165', '0.212'],
    ['school', '0.026', '0.021'],
  ];
  const page = smallPage(rowsOfTexts(rows, [50, 160, 230], { top: 100, step: 12 }), {
    rules: gridRules([45, 150, 220, 300], [90, 128, 140, 152]),
  });
  assert.deepEqual(tables(page), [rows]);
});
