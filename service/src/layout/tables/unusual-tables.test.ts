// Tables within tables and beside each other, heads over columns, narrow cells; and what is drawn like a table.
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
import { turnUpright } from './frame.ts';
import { separateProse } from './prose.ts';

const monospace = (texts: readonly Text[]): Text[] => texts.map((text) => ({ ...text, monospace: true }));

test('a table in a cell of another: the outer table keeps its cells, the inner one its words', () => {
  const outer = [
    ['Menu', 'What it does'],
    ['Open', 'opens a file'],
    ['Check', ''],
    ['Close', 'closes the file'],
  ];
  const rows = [88, 108, 128, 180, 200];
  const texts = [102, 122, 142, 194].flatMap((y, i) => rowsOfTexts([outer[i] ?? []], [50, 160], { top: y }));
  const inner = rowsOfTexts(
    [
      ['all', 'every split'],
      ['one', 'this split'],
    ],
    [170, 230],
    { top: 146, step: 20 },
  );
  const page = smallPage([...texts, ...inner], {
    rules: [...gridRules([45, 155, 340], rows), ...gridRules([165, 225, 330], [134, 152, 172])],
  });
  const [found, ...more] = tables(page);
  assert.equal(more.length, 0);
  assert.deepEqual(found?.[0], outer[0]);
  assert.deepEqual(found?.[1], outer[1]);
  assert.deepEqual(found?.[2], ['Check', 'all every split one this split']);
  assert.deepEqual(found?.[3], outer[3]);
});

test('tables side by side whose rows stand at other heights stay two', () => {
  const left = [
    ['Town', 'People'],
    ['Bath', '94,782'],
    ['Wells', '12,023'],
    ['Frome', '28,559'],
    ['Street', '12,709'],
  ];
  const right = [
    ['River', 'Miles'],
    ['Avon', '83'],
    ['Brue', '31'],
    ['Axe', '25'],
  ];
  const page = smallPage(
    [
      ...rowsOfTexts(left, [50, -180], { top: 100, step: 14 }),
      ...rowsOfTexts(right, [320, -440], { top: 100, step: 18 }),
    ],
    {
      rules: [
        ...[88, 104, 162].map((y) => level(y, 45, 185)),
        ...[88, 104, 160].map((y) => level(y, 315, 445)),
      ],
    },
  );
  assert.deepEqual(tables(page), [left, right]);
});

test('a title in the middle between two lines stands over all columns', () => {
  const rows = [
    ['Input', ''],
    ['-index', 'name of the index that was made before'],
    ['-range', 'part of the sequences to be searched'],
    ['Output', ''],
    ['-out', 'name of the file for what was found'],
    ['-tab', 'table instead of text'],
    ['-md5', 'checksums in the heads of files'],
    ['Filter', ''],
    ['-seed', 'least length of a seed that is looked at'],
    ['-min', 'least length of a repeat'],
  ];
  const texts = rows.flatMap((row, i) =>
    row[1] === ''
      ? [{ x: 200, y: 100 + i * 14, text: row[0] ?? '' }]
      : rowsOfTexts([row], [50, 120], { top: 100 + i * 14 }),
  );
  const rules = [88, 104, 132, 146, 188, 202, 230].map((y) => level(y, 45, 395));
  assert.deepEqual(tables(smallPage(texts, { rules })), [rows]);
});

test('figures under figures are two rows, with a label before them or without', () => {
  const rows = [
    ['', 'Hurdle', 'Zero'],
    ['hosp', '0.212', '0.201'],
    ['', '(0.021)', '(0.020)'],
    ['school', '0.021', '0.021'],
    ['', '(0.005)', '(0.004)'],
    ['age', '0.126', '0.129'],
    ['', '(0.012)', '(0.012)'],
    ['AIC', '24210.1', '24211.4'],
    ['BIC', '24306.0', '24307.3'],
  ];
  const page = smallPage(rowsOfTexts(rows, [50, -170, -240], { step: 13 }), {
    rules: [...[89, 103, 181, 208].map((y) => level(y, 45, 245)), upright(110, 89, 208)],
  });
  assert.deepEqual(tables(page), [rows]);
});

test('a head of two lines whose first stands over one column only', () => {
  const rows = [
    ['Time', 'Status', 'Number at Risk', 'Rate'],
    ['1', '1', '2', '0.25'],
    ['2', '1', '3', '0.50'],
    ['5', '1', '5', '0.75'],
    ['7', '0', '4', '1.00'],
  ];
  const head: Text[] = [
    { x: 150, y: 88, text: 'Number' },
    { x: 50, y: 100, text: 'Time' },
    { x: 95, y: 100, text: 'Status' },
    { x: 150, y: 100, text: 'at Risk' },
    { x: 210, y: 100, text: 'Rate' },
  ];
  const page = smallPage([...head, ...rowsOfTexts(rows.slice(1), [50, 95, 150, 210], { top: 114 })], {
    rules: [level(104, 45, 240), upright(140, 80, 160)],
  });
  assert.deepEqual(tables(page), [rows]);
});

const HAN = [
  ['部門', '担当', '件数'],
  ['営業一課', '佐藤', '12'],
  ['営業二課', '鈴木', '8'],
  ['総務', '高橋', '31'],
  ['経理', '田中', '7'],
];

test('Han in narrow cells: texts of two lines go on without a space', () => {
  const texts: Text[] = HAN.flatMap((row, r) =>
    row.flatMap((text, c) => {
      const [x, y] = [50 + c * 30, 100 + r * 30];
      return text.length > 2
        ? [
            { x, y, text: text.slice(0, 2) },
            { x, y: y + 11, text: text.slice(2) },
          ]
        : [{ x, y, text }];
    }),
  );
  const rules = gridRules([47, 77, 107, 137], [88, 118, 148, 178, 208, 238]);
  assert.deepEqual(tables(smallPage(texts, { rules })), [HAN]);
});

test('single Han in the cells of a table are no vertical writing', () => {
  const rows = [
    ['月', '火', '水', '木', '計'],
    ['3', '4', '6', '2', '15'],
    ['男', '女', '男', '女', '4'],
    ['1', '2', '9', '7', '19'],
    ['8', '6', '4', '2', '20'],
  ];
  assert.deepEqual(tables(smallPage(rowsOfTexts(rows, [50, 90, 130, 170, 210]))), [rows]);
});

test('no table: writing from top to bottom', () => {
  const columns = ['春は曙やうやう白く', '夏は夜月の頃はさら', '秋は夕暮れ夕日のさ', '冬はつとめて雪の降'];
  const texts = columns.flatMap((column, c) =>
    [...column].map((text, i) => ({ x: 300 - c * 30, y: 100 + i * 13, text })),
  );
  assert.deepEqual(tables(smallPage(texts)), []);
});

test('no table: what a console prints, figures too', () => {
  const printed = rowsOfTexts(
    [
      ['[1,]', '1', '-1', '0.25'],
      ['[2,]', '1', '1', '0.50'],
      ['[3,]', '1', '-1', '0.75'],
      ['[4,]', '1', '1', '1.00'],
    ],
    [50, -100, -140, -190],
    { top: 130, step: 12 },
  );
  const summary = rowsOfTexts(
    [
      ['', 'Estimate', 'Error', 't'],
      ['age', '1.20', '0.33', '3.6'],
      ['dose', '0.41', '0.09', '4.5'],
      ['sex', '2.02', '0.71', '2.8'],
    ],
    [50, -150, -200, -240],
    { top: 130, step: 12 },
  );
  const call = (text: string): Text[] => [{ x: 50, y: 106, text }];
  for (const texts of [
    printed,
    [...call('> summary(fit)'), ...summary],
    [...call('$ stat --table'), ...summary],
    [...call('>>> fit.params'), ...summary],
  ])
    assert.deepEqual(tables(smallPage(monospace(texts))), []);
});

test('no table: programs beside their notes', () => {
  const listing = [
    ['#include', '<stdio.h>', '// for printing'],
    ['int', 'main(void) {', '// begins here'],
    ['return', '0;', '// no error'],
    ['}', '', '// end'],
  ];
  assert.deepEqual(tables(smallPage(monospace(rowsOfTexts(listing, [50, 120, 230])))), []);
});

test('no table: links with a line under each', () => {
  const links = ['Annual report', 'Press release', 'Share register', 'Annual survey'];
  const texts = links.flatMap((text, i) => [
    { x: 50, y: 100 + i * 24, text },
    { x: 220, y: 100 + i * 24, text: `${20 + i} pages` },
  ]);
  const rules = links.map((text, i) => level(102 + i * 24, 50, 50 + text.length * 5 - 2.5));
  assert.deepEqual(tables(smallPage(texts, { rules })), []);
});

test('no table: lines over sums, where the labels of the figures stand before them', () => {
  const labels = ['Net:', 'Tax:', 'Sum:', 'Paid:', 'Left:'];
  const texts = labels.flatMap((text, i) => [
    { x: 300, y: 100 + i * 16, text },
    { x: 440, y: 100 + i * 16, text: `${i + 1}20.00`, right: true },
    { x: 520, y: 100 + i * 16, text: `${i + 1}10.00`, right: true },
  ]);
  const rules = [88, 120, 168].map((y) => level(y, 405, 525));
  assert.deepEqual(tables(smallPage(texts, { rules })), []);
});

test('a name in several fonts is one word, and several such names are no running text', () => {
  const names = ['subfloat[b][c]{body}', 'subfloat[d][e]{body}', 'subfloat[f][g]{body}'];
  const page = smallPage(names.map((text, i) => ({ x: 50, y: 100 + i * 14, text })));
  // Each bracket in a font of its own.
  const words = page.words.flatMap((word) =>
    word.text.split(/(?=[[\]{}])/).map((text, i, parts) => {
      const before = parts.slice(0, i).join('').length * 5;
      const box = { ...word.box, x: word.box.x + before, width: text.length * 5 };
      return { ...word, text, box, glued: i > 0, spaced: i === 0 && word.spaced };
    }),
  );
  const [frame] = turnUpright({ ...page, words });
  assert.equal(separateProse(frame?.words ?? []).prose.length, 0);
});
