import assert from 'node:assert/strict';
import { test } from 'node:test';
import { duplicateOrder, type PresetMode, presetOrder } from './page-order.ts';

const ORDERS: [PresetMode, number, number[]][] = [
  ['REVERSE_ORDER', 3, [3, 2, 1]],
  ['REVERSE_ORDER', 1, [1]],
  ['DUPLEX_SORT', 6, [1, 6, 2, 5, 3, 4]],
  ['DUPLEX_SORT', 5, [1, 5, 2, 4, 3]],
  ['DUPLEX_SORT', 1, [1]],
  ['BOOKLET_SORT', 8, [1, 8, 2, 7, 3, 6, 4, 5]],
  ['BOOKLET_SORT', 7, [1, 7, 2, 6, 3, 5, 4]],
  ['SIDE_STITCH_BOOKLET_SORT', 8, [4, 1, 2, 3, 8, 5, 6, 7]],
  ['SIDE_STITCH_BOOKLET_SORT', 6, [4, 1, 2, 3, 6, 5, 6, 6]],
  ['SIDE_STITCH_BOOKLET_SORT', 1, [1, 1, 1, 1]],
  ['ODD_EVEN_SPLIT', 5, [1, 3, 5, 2, 4]],
  ['REMOVE_FIRST', 3, [2, 3]],
  ['REMOVE_LAST', 3, [1, 2]],
  ['REMOVE_FIRST_AND_LAST', 3, [2]],
  ['REMOVE_FIRST', 1, []],
  ['REMOVE_LAST', 1, []],
  ['REMOVE_FIRST_AND_LAST', 1, []],
  ['REMOVE_FIRST_AND_LAST', 2, []],
];

for (const [mode, count, expected] of ORDERS) {
  test(`${mode} of ${count} pages is ${expected}`, () => {
    assert.deepEqual(presetOrder(mode, count), expected);
  });
}

test('duplicates follow their page', () => {
  assert.deepEqual(duplicateOrder(3, 2), [1, 1, 1, 2, 2, 2]);
  assert.deepEqual(duplicateOrder(1, 2), [1, 2]);
});
