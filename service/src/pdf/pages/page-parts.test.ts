import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cutAfter, type PageRun, runsInto, runsOf, runsWithin } from './page-parts.ts';

const lengths = (runs: readonly PageRun[]): number[] => runs.map(({ from, to }) => to - from);

function covers(runs: readonly PageRun[], count: number): void {
  assert.equal(runs[0]?.from, 0);
  assert.equal(runs.at(-1)?.to, count);
  runs.forEach((run, index) => {
    assert.ok(run.to > run.from);
    if (index > 0) assert.equal(run.from, runs[index - 1]?.to);
  });
}

test('cuts after pages', () => {
  assert.deepEqual(lengths(cutAfter([1, 3, 5, 6, 7, 8, 9], 20)), [1, 2, 2, 1, 1, 1, 1, 11]);
  assert.deepEqual(lengths(cutAfter([], 4)), [4]);
  assert.deepEqual(lengths(cutAfter([4], 4)), [4]);
});

test('so many pages each, the last run shorter', () => {
  assert.deepEqual(lengths(runsOf(3, 7)), [3, 3, 1]);
  assert.deepEqual(lengths(runsOf(100_000, 7)), [7]);
});

test('so many files, the remainder to the first, never more than pages', () => {
  assert.deepEqual(lengths(runsInto(3, 8)), [3, 3, 2]);
  assert.deepEqual(lengths(runsInto(5, 3)), [1, 1, 1]);
  assert.deepEqual(lengths(runsInto(1, 3)), [3]);
});

const SIZES: [string, number[], number][] = [
  ['pages of equal size', Array(500).fill(1000), 10_500],
  ['pages of growing size', Array.from({ length: 300 }, (_, index) => index * 13), 20_000],
  ['one huge page among small ones', [...Array(200).fill(10), 1_000_000, ...Array(200).fill(10)], 2000],
  ['every page above the limit', Array(20).fill(5000), 4000],
  ['all in one', Array(50).fill(10), 1_000_000],
  ['a huge first page', [99_999, 1, 1, 1], 500],
  ['a huge last page', [1, 1, 1, 99_999], 500],
];

for (const [what, sizes, limit] of SIZES) {
  test(`runs within a size: ${what}`, () => {
    const overhead = 300;
    const sizeOf = ({ from, to }: PageRun): number =>
      overhead + sizes.slice(from, to).reduce((sum, size) => sum + size, 0);
    let trials = 0;
    const discarded: PageRun[] = [];
    const write = (made: PageRun) => {
      trials += 1;
      return { made, bytes: sizeOf(made) };
    };
    const runs = runsWithin(limit, sizes.length, write, (run) => discarded.push(run));
    covers(runs, sizes.length);
    for (const run of runs) {
      const pages = run.to - run.from;
      assert.ok(pages === 1 || sizeOf(run) <= limit, 'too large');
      const longer = { from: run.from, to: run.to + 1 };
      assert.ok(longer.to > sizes.length || sizeOf(longer) > limit, 'one more page would have fitted');
    }
    assert.equal(discarded.length + runs.length, trials);
    assert.ok(trials <= 12 + 8 * runs.length, `${trials} trials for ${runs.length} runs`);
  });
}
