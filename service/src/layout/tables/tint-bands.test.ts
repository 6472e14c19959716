import assert from 'node:assert/strict';
import { test } from 'node:test';
import { smallPage, type Text } from '../../../testing/documents/table-page.ts';
import { runsText } from '../lines/runs.ts';
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
