import assert from 'node:assert/strict';
import { test } from 'node:test';
import { QuadIndex } from './quad-index.ts';
import { boundsOf, boxesTouch, quadOf } from './quads.ts';

/** Numbers that look like chance and are the same in every run. */
function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1103515245 + 12345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

const boxIn = (next: () => number, size: number) => {
  const [left, bottom] = [next() * 700 - 50, next() * 900 - 50];
  return { left, bottom, right: left + next() * size, top: bottom + next() * size };
};

for (const [count, size] of [
  [0, 1],
  [1, 10],
  [7, 300],
  [2000, 8],
  [500, 900],
] as const) {
  test(`of ${count} areas up to ${size} wide, those near are found as by looking at each`, () => {
    const next = chance(count + size);
    const quads = Array.from({ length: count }, () => quadOf(boxIn(next, size)));
    const index = new QuadIndex(quads);
    for (let asked = 0; asked < 300; asked += 1) {
      const box = boxIn(next, asked % 3 === 0 ? 1000 : 12);
      assert.deepEqual(
        index.near(box),
        quads.filter((quad) => boxesTouch(boundsOf(quad), box)),
      );
    }
  });
}
