import assert from 'node:assert/strict';
import { test } from 'node:test';
import { smallPage, type Text } from '../../../testing/documents/table-page.ts';
import { runsText } from '../lines/runs.ts';
import type { Fill } from '../page-items.ts';
import { findTables } from './find-tables.ts';

const line = (y: number, ...texts: [number, string][]): Text[] => texts.map(([x, text]) => ({ x, y, text }));

test('a shaded row holds all lines of its texts', () => {
  const page = smallPage(
    [
      ...line(110, [52, 'A'], [252, 'B'], [352, 'C']),
      ...line(130, [52, '1'], [252, '2'], [352, '3']),
      ...line(150, [52, '4'], [252, '5'], [352, '6']),
      ...line(170, [52, 'long cell that will wrap over several']),
      ...line(177, [252, '8'], [352, '9']),
      ...line(184, [52, 'lines because it holds many words']),
    ],
    {
      fills: [117, 161].flatMap((y, i) =>
        [50, 250, 350].map((x, j) => ({
          box: { x, y, width: j === 0 ? 200 : 100, height: i === 0 ? 18 : 30 },
          color: '#dddddd',
        })),
      ),
    },
  );
  const rows = findTables(page, 1).flatMap(({ table }) =>
    table.rows.map(({ cells }) =>
      cells.map(({ blocks: [block] }) => (block?.kind === 'paragraph' ? runsText(block.runs) : '')),
    ),
  );
  assert.deepEqual(rows, [
    ['A', 'B', 'C'],
    ['1', '2', '3'],
    ['4', '5', '6'],
    ['long cell that will wrap over several lines because it holds many words', '8', '9'],
  ]);
});

test('rows on colours that meet are tables, each its own, and headings between them are none of their rows', () => {
  const rows = [
    ['Feature', 'Setting'],
    ['Standard', 'plain'],
    ['Swash', 'curled'],
    ['Small', 'capital'],
  ];
  const colors = ['#aaaaaa', '#dddddd', '#eeeeee', '#dddddd'];
  const at = (top: number): Text[] =>
    rows.flatMap(([a = '', b = ''], i) => line(top + 13 + i * 20, [55, a], [200, b]));
  const fills = (top: number): Fill[] =>
    colors.flatMap((color, i) =>
      // The head is a colour a cell, the rows one each.
      (i === 0 ? [50, 190] : [50]).map((x) => ({
        box: { x, y: top + i * 20, width: i > 0 ? 300 : x === 50 ? 140 : 160, height: 20 },
        color,
      })),
    );
  const page = smallPage([...at(100), ...line(200, [50, 'Letters of another kind']), ...at(210)], {
    fills: [...fills(100), ...fills(210)],
  });
  assert.deepEqual(
    findTables(page, 1).map(({ table }) =>
      table.rows.map(({ cells }) =>
        cells.map(({ blocks: [block] }) => (block?.kind === 'paragraph' ? runsText(block.runs) : '')),
      ),
    ),
    [rows, rows],
  );
});
