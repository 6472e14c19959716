import assert from 'node:assert/strict';
import { test } from 'node:test';
import { processorMs } from '../../../testing/processor-time.ts';
import { Problem } from '../../contract/problems.ts';
import { parsePageSelection, selectPageSet, selectPages, selectPagesInOrder } from './page-selection.ts';

const range = (from: number, to: number, step = 1): number[] =>
  Array.from({ length: Math.max(0, Math.floor((to - from) / step) + 1) }, (_, index) => from + index * step);

const SELECTED: [string, number, number[]][] = [
  ['5', 10, [5]],
  ['3-7', 10, [3, 4, 5, 6, 7]],
  ['4-4', 10, [4]],
  ['7-', 10, [7, 8, 9, 10]],
  ['10-', 10, [10]],
  ['all', 4, [1, 2, 3, 4]],
  ['ALL', 2, [1, 2]],
  [' 1 , 3 - 5 ,\t7-\n', 8, [1, 3, 4, 5, 7, 8]],
  ['9,1,5', 10, [9, 1, 5]],
  ['3,1-4', 5, [3, 1, 2, 4]],
  ['007', 10, [7]],
  ['2n', 7, [2, 4, 6]],
  ['2N', 7, [2, 4, 6]],
  ['2n-1', 7, [1, 3, 5, 7]],
  ['2n+1', 8, [3, 5, 7]],
  ['3n-1', 9, [2, 5, 8]],
  ['n', 3, [1, 2, 3]],
  ['4n', 3, []],
  ['n*n', 10, [1, 4, 9]],
  ['nn', 10, [1, 4, 9]],
  ['2(n+1)', 9, [4, 6, 8]],
  ['(n+1)2', 9, [4, 6, 8]],
  ['(n)(n+1)', 12, [2, 6, 12]],
  ['n2', 7, [2, 4, 6]],
  ['n/2', 6, [1, 2, 3]],
  ['-n+5', 6, [4, 3, 2, 1]],
  ['5-n', 6, [4, 3, 2, 1]],
  ['+n', 2, [1, 2]],
  ['n-n', 4, []],
  ['n--1', 3, [2, 3]],
  ['1,2n,1', 6, [1, 2, 4, 6]],
  // 7/(n-8) divides by zero only at n = 8, which a document of 7 pages does not reach.
  ['-7/(n-8)', 7, [1, 2, 3, 7]],
];

for (const [text, count, expected] of SELECTED) {
  test(`${JSON.stringify(text)} of ${count} pages is ${expected}`, () => {
    assert.deepEqual(selectPages(text, count), expected);
  });
}

test('sets are ascending and duplicates collapse', () => {
  assert.deepEqual(selectPageSet('9,1,5-6,5,all', 9), range(1, 9));
  assert.deepEqual(selectPageSet('4,2,2', 9), [2, 4]);
});

test('in order, duplicates are kept', () => {
  assert.deepEqual(selectPagesInOrder('2,2,1-3,all', 3), [2, 2, 1, 2, 3, 1, 2, 3]);
});

const MALFORMED = [
  '',
  '   ',
  '0',
  '00',
  '-3',
  '-1',
  '5-3',
  '0-4',
  '1-0',
  '3--5',
  '1-2-3',
  'x',
  'even',
  'page 3',
  '1;2',
  '1..3',
  '1.5',
  ',',
  '1,,2',
  '1,',
  ',1',
  '2n+',
  '(n',
  'n)',
  '()',
  'n()',
  '2**n',
  '*n',
  '/n',
  'n/0',
  'n/(2-2)',
  '1/(n-n)',
  '2+3',
  '(2)',
  '5*2',
  'all-3',
  'alln',
  'n^2',
  'n%2',
  '１',
  '½n',
  '1-all',
  '0n,0',
  'n,0',
  `${'1,'.repeat(8192)}1`,
  `${'('.repeat(300)}n${')'.repeat(300)}`,
  `${'-'.repeat(300)}n`,
];

for (const text of MALFORMED) {
  test(`${JSON.stringify(text.slice(0, 20))} is no selection`, () => {
    assert.throws(
      () => {
        parsePageSelection(text);
        selectPages(text, 10);
      },
      (error) =>
        error instanceof Problem && error.reason === 'invalid_page_selection' && error.detail.length < 200,
    );
  });
}

const BEYOND: [string, RegExp][] = [
  ['11', /11.*10/],
  ['3-11', /11.*10/],
  ['11-', /11.*10/],
  ['11-12', /11.*10/],
  ['1,2,99999999999999999999', /Page 99999999999999999999 .*10/],
];

for (const [text, detail] of BEYOND) {
  test(`${JSON.stringify(text)} of 10 pages is out of range`, () => {
    assert.throws(
      () => selectPages(text, 10),
      (error) =>
        error instanceof Problem && error.reason === 'page_out_of_range' && detail.test(error.detail),
    );
  });
}

test('16384 characters are read, one more is refused', () => {
  const text = '1,'.repeat(8191);
  assert.deepEqual(selectPages(`${text}11`, 11), [1, 11]);
  assert.throws(() => selectPages(`${text}111`, 111), Problem);
});

test('long expressions and many pages end soon', () => {
  const started = processorMs();
  selectPages(`n${'+n'.repeat(8000)}`, 20_000);
  assert.throws(() => selectPagesInOrder(Array(2000).fill('all').join(','), 20_000), Problem);
  assert.ok(processorMs() - started < 10_000);
});
