// Tables with level lines only.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  level,
  rowsOfTexts,
  smallPage,
  type Text,
  tables,
  upright,
} from '../../../testing/documents/table-page.ts';

const OPTIONS = [
  ['-s', 'specify the score for a synonymic base exchange of letters'],
  ['-n', 'specify the score for a nonsynonymic base exchange of letters'],
  ['-b', 'specify the score for the end of a hit within a query'],
  ['-q', 'specify the score for a stop codon within a query sequence'],
  ['-h', 'specify the score for a stop codon within a hit sequence'],
  ['-p', 'specify the largest span between regions of one reading frame'],
  ['-o', 'specify the name of the database that is used for hits'],
  ['-k', 'specify the name of the database that is used for queries'],
  ['-help', 'show all options and what they are specified for'],
];

test('options and long texts between two lines are a table', () => {
  const page = smallPage(rowsOfTexts(OPTIONS, [50, 110], { step: 12 }), {
    rules: [88, 202].map((y) => level(y, 45, 420)),
  });
  assert.deepEqual(tables(page), [OPTIONS]);
});

test('three short options between two lines are a table where its title says so', () => {
  const rows = OPTIONS.slice(0, 3).map(([a = '', b = '']) => [a, b.slice(0, 30).trim()]);
  const rules = [88, 130].map((y) => level(y, 45, 300));
  const texts = rowsOfTexts(rows, [50, 110], { step: 12 });
  const title = (text: string): Text => ({ x: 100, y: 78, text });
  assert.deepEqual(tables(smallPage([title('Table 2: Overview of options.'), ...texts], { rules })), [rows]);
  assert.deepEqual(tables(smallPage([title('Overview of options.'), ...texts], { rules })), []);
});

test('names of groups in few rows are a column, however near the next one begins', () => {
  const rows = [
    ['Family', 'Distribution', 'Root'],
    ['Transformed gammas', 'Transformed gamma', 'trgamma'],
    ...['Inverse gamma', 'Weibull', 'Exponential', 'Chi', 'Rayleigh', 'Maxwell', 'Nakagami'].map((name) => [
      '',
      name,
      name.toLowerCase().slice(0, 4),
    ]),
    ['Other', 'Loggamma', 'lgamma'],
    ...['Gumbel', 'Cauchy', 'Laplace', 'Levy', 'Pareto', 'Burr', 'Zipf', 'Beta'].map((name) => [
      '',
      name,
      name.toLowerCase(),
    ]),
  ];
  const page = smallPage(rowsOfTexts(rows, [50, 152, 260]), {
    rules: [88, 104, 222, 360].map((y) => level(y, 45, 340)),
  });
  assert.deepEqual(tables(page), [rows]);
});

test('a head that leaves the labels out stands over rows whose first is the name of a group', () => {
  const rows = [
    ['', 'alpha', 'beta', 'gamma'],
    ['Model fitting:', '', '', ''],
    ['Fixed effects', 'yes', 'yes', 'no'],
    ['Random effects', 'yes', 'no', 'no'],
    ['Plotting:', '', '', ''],
    ['Forest plots', 'yes', 'yes', 'yes'],
    ['Funnel plots', 'no', 'yes', 'yes'],
  ];
  const page = smallPage(rowsOfTexts(rows, [50, 160, 220, 280]), {
    rules: [104, 146, 190].map((y) => level(y, 45, 330)),
  });
  assert.deepEqual(tables(page), [rows]);
});

test('a sentence between two tables of one width is in neither', () => {
  const [first, second] = [
    [
      ['Field', 'Type', 'Comment'],
      ['width', 'INT32', 'in pixels'],
      ['height', 'INT32', 'in pixels'],
      ['gravity', 'INT32', 'where it stays'],
    ],
    [
      ['Name', 'Value', 'Field'],
      ['USSize', '1', 'size by the user'],
      ['PSize', '2', 'size by program'],
      ['PAspect', '4', 'aspects'],
    ],
  ] as const;
  const page = smallPage(
    [
      ...rowsOfTexts(first, [50, 160, 260]),
      { x: 48, y: 168, text: 'The bits of these hints are defined as follows:' },
      ...rowsOfTexts(second, [50, 160, 260], { top: 192 }),
    ],
    { rules: [88, 104, 148, 180, 196, 240].map((y) => level(y, 45, 360)) },
  );
  assert.deepEqual(tables(page), [first, second]);
});

test('rows under the line of a head, cut off by the end of the page, belong to it', () => {
  const rows = [
    ['when', 'by', 'what'],
    ['30-sep', 'Alois', 'added a chapter about sample programs of the library'],
    ['7-oct', 'Dieter', 'inserted a chapter about the calculation of houses'],
    ['8-oct', 'Dieter', 'changed the appendix about versions and their changes'],
    ['12-oct', 'Alois', 'added a new chapter about using it with other languages'],
  ];
  const page = smallPage(rowsOfTexts(rows, [50, 120, 190]), {
    rules: [88, 104].map((y) => level(y, 45, 500)),
  });
  assert.deepEqual(tables(page), [rows]);
});

test('a row under the last line that the upright line goes on beside is there, however low', () => {
  const rows = [
    ['Determine capacity', 'fms'],
    ['Define an entry', 'addhost'],
    ['Remove an entry', 'delhost'],
    ['Display entries', 'listhosts'],
  ];
  const page = smallPage(rowsOfTexts(rows, [50, 200], { top: 100, step: 11.5 }), {
    rules: [...[103, 114.5, 126].map((y) => level(y, 45, 300)), upright(190, 91.5, 137.5)],
  });
  assert.deepEqual(tables(page), [rows]);
});

test('no table: numbered headings under each other', () => {
  const rows = [
    ['5.2.10', 'NOP'],
    ['5.2.10.1', 'NOP Example'],
    ['5.2.11', 'Set Engine'],
  ];
  assert.deepEqual(tables(smallPage(rowsOfTexts(rows, [50, 110], { step: 20 }))), []);
});

test('no table: items of lists between the lines at the head and the foot of a page', () => {
  const items = Array.from({ length: 9 }, (_, i): Text[] => [
    { x: 50, y: 100 + i * 12, text: '\uf0b7' },
    { x: 62, y: 100 + i * 12, text: 'the registers are named and may be used by any of the programs' },
  ]).flat();
  assert.deepEqual(tables(smallPage(items, { rules: [88, 202].map((y) => level(y, 45, 420)) })), []);
});
