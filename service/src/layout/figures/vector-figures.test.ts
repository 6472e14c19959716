import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  gridRules,
  level,
  rowsOfTexts,
  smallPage,
  type Text,
  upright,
} from '../../../testing/documents/table-page.ts';
import type { Box } from '../model.ts';
import type { Fill, PageItems, Rule } from '../page-items.ts';
import { findTables } from '../tables/find-tables.ts';
import { findVectorFigures } from './vector-figures.ts';

const box = (x: number, y: number, width: number, height: number): Box => ({ x, y, width, height });
const fill = (x: number, y: number, width: number, height: number, color = '#3366cc'): Fill => ({
  box: box(x, y, width, height),
  color,
});

const SENTENCE =
  'the committee reviewed the figures of the year and found that growth went on in most regions';
const prose = (lines: number, top: number, x = 60, count = SENTENCE.length): Text[] =>
  Array.from({ length: lines }, (_, i) => ({ x, y: top + i * 12, text: SENTENCE.slice(0, count) }));

const found = (page: PageItems): string[] =>
  findVectorFigures(
    page,
    findTables(page, 1).map(({ area }) => area),
  ).map(({ words }) => words.map(({ text }) => text).join(' '));

/** Bars on an axis from x = 150 to 400, with its labels. */
function barChart(top: number): { texts: Text[]; fills: Fill[]; rules: Rule[] } {
  const heights = [40, 70, 25, 90];
  const foot = top + 100;
  return {
    fills: heights.map((height, i) => fill(160 + i * 60, foot - height, 40, height)),
    rules: [
      level(foot, 150, 400),
      upright(150, top, foot),
      ...[1, 2].map((k) => level(top + k * 33, 150, 400)),
    ],
    texts: [
      ...['North', 'South', 'East', 'West'].map((text, i) => ({ x: 165 + i * 60, y: foot + 12, text })),
      ...['0', '50', '100'].map((text, i) => ({ x: 146, y: foot - i * 48, text, right: true })),
    ],
  };
}

test('a chart amid text is a drawing with its labels, without the text and its caption', () => {
  const { texts, fills, rules } = barChart(200);
  const caption = { x: 180, y: 336, text: 'Figure 1: Tonnes by region' };
  const page = smallPage([...prose(8, 80), ...texts, caption, ...prose(8, 380)], { fills, rules });
  const [vectorFigure, ...others] = findVectorFigures(page);
  assert.ok(vectorFigure);
  assert.equal(others.length, 0);
  assert.equal(vectorFigure.words.map(({ text }) => text).join(' '), 'North South East West 0 50 100');
  const { x, y, width, height } = vectorFigure.box;
  assert.ok(x < 150 && x + width > 400 && y <= 200 && y + height > 312 && y + height < 328);
});

test('curves and their axes are a drawing, labels turned on their side too', () => {
  const texts = rowsOfTexts([['Mon', 'Tue', 'Wed', 'Thu']], [160, 220, 280, 340], { top: 310 });
  const page = smallPage([...texts, ...prose(4, 400)], {
    curves: [box(155, 210, 240, 80), box(155, 230, 240, 50)],
    rules: [level(300, 150, 400), upright(150, 200, 300)],
  });
  const [word] = smallPage([{ x: 100, y: 100, text: 'Percent' }]).words;
  assert.ok(word);
  page.words.push({ ...word, turn: -90, box: box(138, 230, 10, 35), baseline: 146 });
  assert.deepEqual(found(page), ['Mon Tue Wed Thu Percent']);
});

test('boxes of a diagram belong to it by the arrows between them', () => {
  const boxes = [0, 1, 2].map((i) => fill(80 + i * 150, 200, 100, 40, '#eeeeff'));
  const texts = ['Receive order', 'Check stock', 'Send goods'].map((text, i) => ({
    x: 95 + i * 150,
    y: 224,
    text,
  }));
  const arrows = [180, 330].map((x) => level(220, x, x + 50));
  const heads = [226, 376].map((x) => box(x, 217, 5, 6));
  const bow = box(130, 240, 300, 40);
  const page = smallPage([...prose(6, 80), ...texts], {
    fills: boxes,
    rules: arrows,
    curves: [...heads, bow],
  });
  assert.deepEqual(found(page), ['Receive order Check stock Send goods']);
});

test('boxes behind text are none: callouts, code, cells, buttons, fields', () => {
  const code: Text[] = ['let sum = 0;', 'for (const x of all) sum += x;', 'print(sum);'].map((text, i) => ({
    x: 70,
    y: 212 + i * 12,
    text,
    monospace: true,
  }));
  const callout = smallPage([...prose(5, 110), ...code, ...prose(4, 300)], {
    fills: [fill(55, 98, 520, 66, '#fff4d0')],
    curves: [box(55, 98, 520, 66), box(60, 196, 400, 48), box(61, 197, 398, 46)],
  });
  assert.deepEqual(found(callout), []);
  const buttons = smallPage(
    ['Send', 'Cancel', 'Help me'].map((text, i) => ({ x: 70 + i * 90, y: 212, text })),
    {
      curves: [0, 1, 2].flatMap((i) => [box(62 + i * 90, 198, 60, 22), box(63 + i * 90, 199, 58, 20)]),
    },
  );
  assert.deepEqual(found(buttons), []);
  const fields = smallPage(
    ['Name', 'Street', 'Town', 'Country'].map((text, i) => ({ x: 60, y: 112 + i * 30, text })),
    {
      fills: [0, 1, 2, 3].map((i) => fill(140, 100 + i * 30, 200 + i * 20, 16, '#eef2ff')),
      rules: [0, 1, 2, 3].flatMap((i) => gridRules([140, 340 + i * 20], [100 + i * 30, 116 + i * 30])),
    },
  );
  assert.deepEqual(found(fields), []);
});

test('tables stay tables, shaded as they may be', () => {
  const rows = [
    ['Region', 'Tonnes', 'Change'],
    ['North', '1,204', '3.5%'],
    ['South', '987', '-1.2%'],
    ['East', '12', '0.4%'],
  ];
  const page = smallPage(rowsOfTexts(rows, [60, -200, -300]), {
    rules: gridRules([55, 150, 210, 310], [88, 104, 118, 132, 146]),
    fills: [0, 1, 2, 3].flatMap((i) => [55, 150, 210].map((x) => fill(x, 90 + i * 14, 80, 14, '#88aadd'))),
  });
  assert.equal(findTables(page, 1).length, 1);
  assert.deepEqual(found(page), []);
});

test('backgrounds, frames, rules between columns, underlines and dotted lines are none', () => {
  const dots = Array.from({ length: 60 }, (_, i) => box(200 + i * 5, 500, 1.5, 1.5));
  const page = smallPage([...prose(20, 80), { x: 60, y: 640, text: 'Signed' }], {
    fills: [fill(0, 0, 600, 800, '#223355'), fill(0, 0, 600, 40)],
    curves: [box(10, 10, 580, 780), box(14, 14, 572, 772), ...dots],
    rules: [upright(300, 60, 700), level(642, 60, 300), ...gridRules([20, 580], [20, 780])],
  });
  assert.deepEqual(found(page), []);
});

test('running text that reaches into a drawing keeps its words', () => {
  const page = smallPage([...prose(10, 100)], { curves: [box(40, 90, 200, 120), box(50, 95, 180, 110)] });
  assert.deepEqual(found(page), []);
});

test('figures of two columns stay two', () => {
  const curves = (x: number): Box[] => [
    box(x, 210, 220, 80),
    box(x + 10, 220, 180, 60),
    box(x + 20, 230, 90, 40),
  ];
  const page = smallPage([...prose(6, 320, 50, 44), ...prose(6, 320, 316, 44)], {
    curves: [...curves(50), ...curves(290)],
  });
  assert.equal(findVectorFigures(page).length, 2);
});

test('a map of thousands of lines is one drawing', () => {
  const curves = Array.from({ length: 20_000 }, (_, i) =>
    box(100 + ((i * 7919) % 4001) / 10, 100 + ((i * 104_729) % 3989) / 10, 2 + (i % 7), 3 + (i % 5)),
  );
  assert.equal(findVectorFigures(smallPage(prose(4, 600), { curves })).length, 1);
});

test('frames within frames whose sides have slanted ends are no drawing', () => {
  const frames = [box(60, 60, 200, 120), box(64, 64, 80, 20), box(150, 64, 106, 20), box(150, 90, 106, 80)];
  const page = smallPage(
    [
      ...rowsOfTexts([['Outer', 'Other']], [70, 156], { top: 70 }),
      ...rowsOfTexts(
        [
          ['one', 'two'],
          ['three', 'four'],
        ],
        [156, 206],
        { top: 100 },
      ),
    ],
    {
      rules: frames.flatMap(({ x, y, width, height }) => [
        level(y, x, x + width),
        level(y + height, x, x + width),
      ]),
      curves: frames.flatMap(({ x, y, width, height }) => [
        box(x, y, 0.75, height),
        box(x + width, y, 0.75, height),
      ]),
    },
  );
  assert.deepEqual(findVectorFigures(page), []);
});
