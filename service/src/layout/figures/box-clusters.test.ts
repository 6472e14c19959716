import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Box } from '../model.ts';
import { clusterBoxes } from './box-clusters.ts';

const PAGE = { width: 600, height: 800 };

/** The same numbers each time. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

test('few boxes, compared with each other, are grouped as many are on the raster', () => {
  const next = numbers(7);
  // Far from all others, on one place: they make the boxes many.
  const crowd: Box[] = Array.from({ length: 120 }, () => ({ x: 590, y: 790, width: 1, height: 1 }));
  let groups = 0;
  for (let round = 0; round < 60; round += 1) {
    const boxes: Box[] = Array.from({ length: 1 + Math.floor(next() * 80) }, () => ({
      x: next() * 500,
      y: next() * 700,
      width: next() * 40,
      height: next() * 40,
    }));
    for (const reach of [0, 2, 5]) {
      const few = clusterBoxes(boxes, PAGE, reach);
      const many = clusterBoxes([...boxes, ...crowd], PAGE, reach).slice(0, -1);
      assert.deepEqual(few, many);
      groups += few.length;
    }
  }
  assert.ok(groups > 500, 'they are not all one');
});
