import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  gridRules,
  level,
  rowsOfTexts,
  smallPage,
  type Text,
  turnPage,
  upright,
} from '../../../testing/documents/table-page.ts';
import { runsText } from '../lines/runs.ts';
import type { PageItems } from '../page-items.ts';
import { findTables } from './find-tables.ts';

/** The tables of a page as texts, spanned places empty. */
function tables(page: PageItems): string[][][] {
  return findTables(page, 1).map(({ table }) =>
    table.rows.map(({ cells }) => {
      const row = Array<string>(table.columnEdges.length - 1).fill('');
      for (const { column, blocks } of cells)
        row[column] = blocks
          .map((block) => (block.kind === 'paragraph' ? runsText(block.runs) : ''))
          .join('\n');
      return row;
    }),
  );
}

const FRUIT = [
  ['Region', 'Fruit', 'Tonnes', 'Change'],
  ['North', 'Apples and pears', '1,204', '3.5%'],
  ['South', 'Oranges', '987', '-1.2%'],
  ['East', 'Plums', '12', '0.4%'],
  ['West', 'Sour cherries', '4,310', '12.0%'],
];
const COLUMNS = [50, 120, -280, -340];

const PROSE =
  'the committee reviewed the annual figures and found that growth had continued in most regions although its pace differed'.split(
    ' ',
  );

/** Full lines of running text. */
function prose(lines: number, x: number, words: number, top = 100): Text[] {
  return Array.from({ length: lines }, (_, i) => ({
    x,
    y: top + i * 12,
    text: Array.from({ length: words }, (__, w) => PROSE[(i * words + w) % PROSE.length]).join(' '),
  }));
}

test('a table of aligned texts, columns left and right', () => {
  assert.deepEqual(tables(smallPage(rowsOfTexts(FRUIT, COLUMNS))), [FRUIT]);
});

test('the table in the middle of prose is found without the prose', () => {
  const page = smallPage([
    ...prose(5, 50, 12, 60),
    ...rowsOfTexts(FRUIT, COLUMNS, { top: 150 }),
    ...prose(5, 50, 12, 250),
  ]);
  assert.deepEqual(tables(page), [FRUIT]);
});

test('a table in one column of a page in two columns', () => {
  const page = smallPage([
    ...rowsOfTexts(FRUIT, [40, 90, -210, -260], { top: 112, step: 12 }),
    ...prose(20, 310, 9, 100),
    ...prose(8, 40, 7, 196),
  ]);
  assert.deepEqual(tables(page), [FRUIT]);
});

test('drawn cells, and cells made one by a line that is missing', () => {
  const columns = [50, 120, 190, 260];
  const rows = [100, 120, 140, 160, 180];
  const drawn = gridRules(columns, rows).filter(({ axis, at }) => !(axis === 'vertical' && at === 190));
  // "Years" stands over two columns, "Spain" over two rows.
  const rules = [
    ...drawn.filter(({ axis, at }) => !(axis === 'horizontal' && at === 160)),
    upright(190, 120, 180),
    level(160, 120, 260),
  ];
  const page = smallPage(
    [
      { x: 55, y: 114, text: 'Country' },
      { x: 170, y: 114, text: 'Years' },
      { x: 125, y: 134, text: '2020' },
      { x: 195, y: 134, text: '2021' },
      { x: 55, y: 164, text: 'Spain' },
      { x: 125, y: 154, text: '1' },
      { x: 195, y: 154, text: '2' },
      { x: 125, y: 174, text: '3' },
      { x: 195, y: 174, text: '4' },
    ],
    { rules },
  );
  assert.deepEqual(tables(page), [
    [
      ['Country', 'Years', ''],
      ['', '2020', '2021'],
      ['Spain', '1', '2'],
      ['', '3', '4'],
    ],
  ]);
  const [found] = findTables(page, 1);
  const spans = found?.table.rows.flatMap(({ cells }) =>
    cells.map(({ rowSpan, columnSpan }) => [rowSpan, columnSpan]),
  );
  assert.deepEqual(
    spans?.filter(([rows = 1, columns = 1]) => rows * columns > 1),
    [
      [1, 2],
      [2, 1],
    ],
  );
});

test('lines in pieces, double lines and sides left open are those of a ruled table', () => {
  const rules = [100, 120, 140, 160].flatMap((y) => [
    level(y, 50, 120),
    level(y, 121.5, 190),
    level(y + 1.2, 188, 260),
  ]);
  const page = smallPage(
    rowsOfTexts(
      [
        ['Name', 'Town', 'Age'],
        ['Ann', 'Bath', '34'],
        ['Bob', 'York', '28'],
      ],
      [55, 125, 195],
      { top: 114, step: 20 },
    ),
    { rules: [...rules, upright(120, 100, 160), upright(190, 100, 160)] },
  );
  assert.deepEqual(tables(page), [
    [
      ['Name', 'Town', 'Age'],
      ['Ann', 'Bath', '34'],
      ['Bob', 'York', '28'],
    ],
  ]);
});

test('level lines only: texts of several lines stay in their cells', () => {
  const page = smallPage(
    rowsOfTexts(
      [
        ['Name', 'Use', 'State'],
        ['Alpha', 'Reads the whole page and', 'Active'],
        ['', 'tells where its tables are', ''],
        ['Beta', 'Writes what was found to', 'Retired'],
        ['', 'a file', ''],
        ['Gamma', 'Nothing', 'Planned'],
      ],
      [50, 120, 300],
      { top: 112, step: 12 },
    ),
    { rules: [level(100, 45, 350), level(116, 45, 350), level(180, 45, 350)] },
  );
  assert.deepEqual(tables(page), [
    [
      ['Name', 'Use', 'State'],
      ['Alpha', 'Reads the whole page and tells where its tables are', 'Active'],
      ['Beta', 'Writes what was found to a file', 'Retired'],
      ['Gamma', 'Nothing', 'Planned'],
    ],
  ]);
});

test('a head over several columns spans them', () => {
  const page = smallPage(
    rowsOfTexts(
      [
        ['', 'Aluminium oxide', '', 'Silicon carbide', ''],
        ['', '2009', '2010', '2009', '2010'],
        ['Brazil', '50,000', '50,000', '43,000', '43,000'],
        ['China', '700,000', '700,000', '455,000', '455,000'],
        ['France', '40,000', '40,000', '16,000', '16,000'],
      ],
      [50, 152, -240, 272, -360],
    ).map((text) =>
      /^[\d,]+$/.test(text.text) && !text.right ? { ...text, x: text.x + 28, right: true } : text,
    ),
  );
  const [found] = findTables(page, 1);
  assert.deepEqual(
    found?.table.rows[0]?.cells.map(({ column, columnSpan }) => [column, columnSpan]),
    [
      [0, 1],
      [1, 2],
      [3, 2],
    ],
  );
  assert.equal(found?.table.rows.length, 5);
});

test('tables side by side come from left to right', () => {
  const left = gridRules([50, 100, 150], [100, 120, 140, 160]);
  const right = gridRules([200, 260, 320], [100, 120, 140, 160]);
  const cells = [
    ['a', '1', 'x', '7'],
    ['b', '2', 'y', '8'],
    ['c', '3', 'z', '9'],
  ];
  const page = smallPage(rowsOfTexts(cells, [55, 105, 205, 265], { top: 114, step: 20 }), {
    rules: [...right, ...left],
  });
  assert.deepEqual(tables(page), [cells.map((row) => row.slice(0, 2)), cells.map((row) => row.slice(2))]);
});

test('turned tables read like upright ones', () => {
  const upright = smallPage(rowsOfTexts(FRUIT, COLUMNS), { rules: [level(104, 45, 345)] });
  for (const degrees of [90, 180, 270] as const) {
    const page = turnPage(upright, degrees);
    assert.deepEqual(tables(page), [FRUIT], `${degrees} degrees`);
    const [found] = findTables(page, 1);
    const { x, y, width, height } = found?.area ?? { x: 0, y: 0, width: 0, height: 0 };
    for (const word of page.words)
      assert.ok(
        word.box.x >= x - 1 &&
          word.box.x + word.box.width <= x + width + 1 &&
          word.box.y >= y - 1 &&
          word.box.y + word.box.height <= y + height + 1,
        `${degrees} degrees: ${word.text}`,
      );
    assert.equal(found?.turn, degrees);
  }
});

test('heads turned to save width are those of their columns', () => {
  const page = smallPage(
    rowsOfTexts(
      [
        ['North', '1', '2'],
        ['South', '3', '4'],
      ],
      [55, 105, 145],
      { top: 174, step: 20 },
    ),
    { rules: gridRules([50, 100, 140, 180], [100, 160, 180, 200]) },
  );
  // Written upwards, from the foot of their cells.
  const turned = turnPage(
    smallPage(
      [
        { x: 645, y: 118, text: 'Apples' },
        { x: 645, y: 158, text: 'Pears' },
      ],
      { width: 800, height: 600 },
    ),
    270,
  );
  const words = [...page.words, ...turned.words];
  assert.deepEqual(tables({ ...page, words }), [
    [
      ['', 'Apples', 'Pears'],
      ['North', '1', '2'],
      ['South', '3', '4'],
    ],
  ]);
});

test('the last row keeps all lines of its texts', () => {
  const page = smallPage(
    rowsOfTexts(
      [
        ['Name', 'Use', 'State'],
        ['Alpha', 'Reads', 'Active'],
        ['Beta', 'Writes', 'Retired'],
        ['Gamma', 'Does many things that take a long', 'Planned'],
        ['', 'text to tell what they are', ''],
      ],
      [50, 120, 330],
      { step: 12 },
    ),
  );
  assert.deepEqual(tables(page)[0]?.at(-1), [
    'Gamma',
    'Does many things that take a long text to tell what they are',
    'Planned',
  ]);
});

test('heads, alignment and borders are told', () => {
  const page = smallPage(
    rowsOfTexts(FRUIT, COLUMNS, { top: 114, step: 20 }).map((text, i) =>
      i < 4 ? { ...text, bold: true } : text,
    ),
    { rules: gridRules([45, 115, 230, 290, 345], [100, 120, 140, 160, 180, 200]) },
  );
  const [found] = findTables(page, 1);
  assert.equal(found?.table.headerRows, 1);
  assert.deepEqual(
    found?.table.rows[1]?.cells.map(({ align }) => align),
    ['left', 'left', 'right', 'right'],
  );
  assert.deepEqual(found?.table.rows[1]?.cells[0]?.borders, {
    top: true,
    right: true,
    bottom: true,
    left: true,
  });
});

const numbered = (texts: readonly string[]): string[][] => texts.map((text, i) => [`${i + 1}.`, text]);

const NO_TABLES: Record<string, PageItems> = {
  prose: smallPage(prose(30, 50, 12)),
  'prose in two columns': smallPage([...prose(30, 40, 7), ...prose(30, 320, 7)]),
  'prose in three columns': smallPage([...prose(30, 40, 5), ...prose(30, 220, 5), ...prose(30, 400, 5)]),
  'a list': smallPage(rowsOfTexts(numbered(['Apples', 'Pears', 'Plums', 'Oranges']), [50, 70])),
  'a list with signs': smallPage(
    rowsOfTexts(
      ['One', 'Two', 'Three'].map((text) => ['•', text]),
      [50, 65],
    ),
  ),
  'a contents page with dots': smallPage(
    rowsOfTexts(
      [1, 2, 3, 4, 5].map((n) => [`Chapter ${n} ${'. '.repeat(20)}`, `${n * 12}`]),
      [50, -400],
    ),
  ),
  'a contents page without dots': smallPage(
    rowsOfTexts(
      [1, 2, 3, 4, 5].map((n) => [`Chapter about ${PROSE[n]}`, `${n * 12}`]),
      [50, -400],
    ),
  ),
  'labels and values': smallPage(
    rowsOfTexts(
      [
        ['Invoice no.:', '2024-117'],
        ['Date:', '3 May 2024'],
        ['Customer:', '42'],
        ['Page:', '1'],
      ],
      [50, 150],
    ),
  ),
  'program text': smallPage(
    rowsOfTexts(
      [
        ['x', '= 1'],
        ['yy', '= 22'],
        ['zzz', '= 333'],
        ['w', '= 4'],
      ],
      [50, 90],
    ).map((text) => ({ ...text, monospace: true })),
  ),
  'a chart: lines that cross, and nothing in their cells': smallPage(
    rowsOfTexts([['0.6'], ['0.4'], ['0.2'], ['0']], [30], { top: 104, step: 50 }),
    { rules: gridRules([60, 120, 180, 240, 300], [100, 150, 200, 250]) },
  ),
  'a frame around a text': smallPage(prose(3, 60, 8, 120), { rules: gridRules([50, 400], [100, 170]) }),
  'a form: hardly a cell like its neighbour': smallPage(
    [
      ...['Name', 'First name', 'Street', 'Town', 'Born', 'Account', 'Bank'].map((text, i) => ({
        x: 55 + (i % 2) * 130,
        y: 110 + Math.floor(i / 2) * 20,
        text,
      })),
      { x: 300, y: 130, text: 'Office use' },
    ],
    {
      rules: [
        ...[100, 120, 140, 160, 180].map((y) => level(y, 50, 400)),
        upright(50, 100, 180),
        upright(400, 100, 180),
        upright(180, 100, 120),
        upright(230, 120, 140),
        upright(120, 140, 160),
        upright(330, 140, 160),
        upright(280, 160, 180),
        upright(150, 160, 180),
        upright(360, 100, 120),
      ],
    },
  ),
  'a page without words': smallPage([], { rules: gridRules([50, 100, 150], [100, 150, 200]) }),
};

for (const [what, page] of Object.entries(NO_TABLES)) {
  test(`no table: ${what}`, () => {
    assert.deepEqual(tables(page), []);
  });
}

/** Pages that only take time. They must come back at all: each loop over such a page has its bound. */
const HOSTILE: Record<string, () => PageItems> = {
  'more lines of text than a page has room for': () =>
    smallPage(Array.from({ length: 50_000 }, (_, i) => ({ x: (i % 5) * 100, y: i * 0.016, text: `${i}` }))),
  'one line of many words': () =>
    smallPage(
      Array.from({ length: 20_000 }, (_, i) => ({ x: i * 0.03, y: 100 + (i % 2) * 12, text: 'ab cd' })),
    ),
  'a fine grid': () =>
    smallPage(rowsOfTexts(FRUIT, COLUMNS), {
      rules: gridRules(
        Array.from({ length: 150 }, (_, i) => i * 4),
        Array.from({ length: 190 }, (_, i) => i * 4),
      ),
    }),
  'ten thousand lines here and there': () =>
    smallPage(rowsOfTexts(FRUIT, COLUMNS), {
      rules: Array.from({ length: 10_000 }, (_, i) =>
        i % 2
          ? level((i * 7) % 800, (i * 13) % 500, ((i * 13) % 500) + 60)
          : upright((i * 11) % 600, (i * 17) % 700, ((i * 17) % 700) + 60),
      ),
    }),
  'a hundred thousand lines': () =>
    smallPage(rowsOfTexts(FRUIT, COLUMNS), {
      rules: Array.from({ length: 100_000 }, (_, i) => level(i / 125, 0, 600)),
    }),
  'many columns': () =>
    smallPage(
      Array.from({ length: 30_000 }, (_, i) => ({
        x: (i % 300) * 20,
        y: Math.floor(i / 300) * 8,
        text: 'a',
      })),
      {
        width: 6000,
      },
    ),
  'places that are no numbers': () => {
    const page = smallPage(rowsOfTexts(FRUIT, COLUMNS), {
      rules: [level(Number.NaN, 0, 10), level(10, 0, Infinity)],
    });
    const [first] = page.words;
    if (first) first.box = { x: Number.NaN, y: 1, width: 1, height: 1 };
    return page;
  },
};

for (const [what, make] of Object.entries(HOSTILE)) {
  test(`a hostile page is let go: ${what}`, { timeout: 60_000 }, () => {
    assert.ok(Array.isArray(findTables(make(), 1)));
  });
}
