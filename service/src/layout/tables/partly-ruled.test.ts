// Tables whose lines part groups of rows or columns only.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  gridRules,
  level,
  rowsOfTexts,
  smallPage,
  type Text,
  tables,
  upright,
} from '../../../testing/documents/table-page.ts';

const PEOPLE = [
  ['Age', 'Men', 'Women', 'Men', 'Women'],
  ['20-29', '13,340', '14,032', '2,194', '2,776'],
  ['30-39', '15,492', '15,745', '2,433', '2,902'],
  ['40-49', '12,895', '12,644', '1,641', '1,995'],
  ['50-59', '8,551', '9,112', '937', '1,166'],
];
const COLUMNS = [50, -150, -200, -260, -310];

test('upright lines between groups of columns: the columns of a group are found, their heads too', () => {
  const page = smallPage(rowsOfTexts(PEOPLE, COLUMNS, { top: 100, step: 14 }), {
    rules: [...[88, 104, 162].map((y) => level(y, 45, 315)), ...[100, 208].map((x) => upright(x, 88, 162))],
  });
  assert.deepEqual(tables(page), [PEOPLE]);
});

test('a head in the middle of a group stands over its columns', () => {
  const heads: Text[] = [
    { x: 138, y: 86, text: 'North' },
    { x: 246, y: 86, text: 'South' },
  ];
  const page = smallPage([...heads, ...rowsOfTexts(PEOPLE, COLUMNS, { top: 100, step: 14 })], {
    rules: [...[74, 104, 162].map((y) => level(y, 45, 315)), ...[100, 208].map((x) => upright(x, 74, 162))],
  });
  const [first, second, ...rest] = tables(page)[0] ?? [];
  assert.deepEqual([first?.[1], first?.[3]], ['North', 'South']);
  assert.deepEqual(second?.slice(1), PEOPLE[0]?.slice(1));
  assert.deepEqual(rest, PEOPLE.slice(1));
});

test('a sign before an amount, or one word after another, is no column', () => {
  const rows = [
    ['Item', 'Price'],
    ['Paper clips', '$ 4.00'],
    ['Steel pins', '$ 6.00'],
    ['Small cards', '$ 9.00'],
    ['Green ribbon', '$ 2.00'],
  ];
  const page = smallPage(rowsOfTexts(rows, [50, 160], { top: 100, step: 14 }), {
    rules: [
      ...[88, 104, 162].map((y) => level(y, 45, 215)),
      ...[45, 150, 215].map((x) => upright(x, 88, 162)),
    ],
  });
  assert.deepEqual(tables(page), [rows]);
});

const MODELS = [
  ['Label', 'Model', 'What it is'],
  ['CL-0', 'lm', 'clusters with no weights at all'],
  ['CL-1', 'lm', 'clusters with the weights'],
  ['CL-2', 'glm', 'clusters twice'],
  ['plain', 'lm', 'nothing'],
  ['basic', 'glm', 'hardly anything'],
  ['random', 'lmer', 'an intercept'],
  ['gee', 'geeglm', 'an estimate of all'],
];

test('level lines between groups of rows: each line of text is a row', () => {
  const page = smallPage(rowsOfTexts(MODELS, [50, 120, 200], { top: 100, step: 14 }), {
    rules: [90, 104, 146, 174, 202].map((y) => level(y, 45, 380)),
  });
  assert.deepEqual(tables(page), [MODELS]);
});

test('drawn cells around groups of rows: each line of text is a row', () => {
  const page = smallPage(rowsOfTexts(MODELS, [50, 120, 200], { top: 100, step: 14 }), {
    rules: [
      ...[90, 104, 146, 174, 202].map((y) => level(y, 45, 420)),
      ...[45, 112, 192, 420].map((x) => upright(x, 90, 202)),
    ],
  });
  assert.deepEqual(tables(page), [MODELS]);
});

test('a cell whose text did not fit on one line stays whole', () => {
  const texts: Text[] = [
    { x: 50, y: 100, text: 'Name' },
    { x: 120, y: 100, text: 'Purpose' },
    { x: 260, y: 100, text: 'Where to get' },
    { x: 50, y: 120, text: 'gpsim' },
    { x: 120, y: 120, text: 'simulates what is in' },
    { x: 120, y: 132, text: 'the small processor' },
    { x: 260, y: 120, text: 'the archive of all' },
    { x: 260, y: 132, text: 'projects for these' },
    { x: 50, y: 152, text: 'indent' },
    { x: 120, y: 152, text: 'formats the sources' },
    { x: 120, y: 164, text: 'as everybody wishes' },
    { x: 260, y: 152, text: 'the same directory' },
    { x: 260, y: 164, text: 'somewhere below it' },
  ];
  const page = smallPage(texts, {
    rules: [
      ...[88, 106, 138, 170].map((y) => level(y, 45, 360)),
      ...[45, 115, 225, 360].map((x) => upright(x, 88, 170)),
    ],
  });
  assert.equal(tables(page)[0]?.length, 3);
});

test('a row between the last two lines where no upright line is drawn', () => {
  const rows = [...PEOPLE, ['All', '50,278', '51,533', '7,205', '8,839']];
  const page = smallPage(rowsOfTexts(rows, COLUMNS, { top: 100, step: 14 }), {
    rules: [
      ...[88, 104, 162, 176].map((y) => level(y, 45, 315)),
      ...[100, 208].map((x) => upright(x, 88, 162)),
    ],
  });
  assert.deepEqual(tables(page), [rows]);
});

test('a list of words under each other is a row each, not one text', () => {
  const rows = [
    ['Display', 'Extract'],
    ['print', 'nobs'],
    ['summary', 'marks'],
    ['plot', 'counts'],
    ['animate', ''],
    ['update', ''],
  ];
  const page = smallPage(rowsOfTexts(rows, [50, 150], { top: 100, step: 14 }), {
    rules: [90, 104, 176].map((y) => level(y, 45, 230)),
  });
  assert.deepEqual(tables(page), [rows]);
});

test('numbered formulas are no table', () => {
  const texts = Array.from({ length: 5 }, (_, i) => [
    { x: 120, y: 100 + i * 24, text: `y = ${i} x + z` },
    { x: 500, y: 100 + i * 24, text: `(${i + 1})` },
  ]).flat();
  assert.deepEqual(tables(smallPage(texts)), []);
});

test('one upright line between two halves: names and figures on both sides are rows of columns', () => {
  const rows = [
    ['galaxy', 'speed', 'far', 'galaxy', 'speed', 'far'],
    ['NGC0300', '133', '2.00', 'NGC3621', '609', '6.64'],
    ['NGC0925', '664', '9.16', 'NGC4321', '1433', '15.21'],
    ['NGC1326', '1794', '16.14', 'NGC4414', '619', '17.70'],
    ['NGC1365', '1594', '17.95', 'NGC4496', '1424', '14.86'],
  ];
  const page = smallPage(rowsOfTexts(rows, [50, -140, -190, 210, -300, -350]), {
    rules: [...[88, 104, 162].map((y) => level(y, 45, 355)), upright(200, 88, 162)],
  });
  assert.deepEqual(tables(page), [rows]);
});

test('paragraphs of texts in a few of the drawn rows are no rows of their own', () => {
  const rows = [
    ['Name', 'Value', 'Note'],
    ['AutoUpdateOf', 'yes or no', 'Starts the update of the study browser.'],
    ['Browser', '', 'Default: true.'],
    ['FontSize', 'number', 'Sets the size of the letters of all the'],
    ['', '', 'components of the page.'],
    ['FontName', 'string', 'Sets the name of the letters of all the'],
    ['', '', 'components of the page.'],
    ['FontLog', 'string', 'Sets the name of the letters of all the'],
    ['', '', 'components of the page.'],
    ['WarnUnsigned', 'yes or no', 'Displays a warning message.'],
    ['Objects', '', 'Default: true.'],
    ['Panel', 'number', 'Sets the place of the panel of all the'],
    ['', '', 'components of the page.'],
  ];
  const page = smallPage(rowsOfTexts(rows, [50, 120, 175], { top: 100, step: 12 }), {
    rules: gridRules([46, 116, 170, 382], [90, 104, 128, 152, 176, 200, 224, 248]),
  });
  assert.deepEqual(
    tables(page)[0]?.map(([name]) => name),
    ['Name', 'AutoUpdateOf Browser', 'FontSize', 'FontName', 'FontLog', 'WarnUnsigned Objects', 'Panel'],
  );
});
