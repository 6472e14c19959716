import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shrunkSize } from './image-size.ts';

/** An inch by half an inch on the page. */
const PLACE = { width: 72, height: 36 };

test('an image keeps as many dots per inch as its place needs', () => {
  assert.deepEqual(shrunkSize({ width: 600, height: 300 }, PLACE, 150), { width: 150, height: 75 });
});

test('a few dots more than are needed stay, and so does an image that has too few', () => {
  assert.equal(shrunkSize({ width: 200, height: 100 }, PLACE, 150), undefined);
  assert.equal(shrunkSize({ width: 20, height: 10 }, PLACE, 150), undefined);
});

test('an image drawn wider than it is keeps what its denser side needs, and at least a pixel', () => {
  assert.deepEqual(shrunkSize({ width: 600, height: 600 }, PLACE, 150), { width: 150, height: 150 });
  assert.deepEqual(shrunkSize({ width: 9000, height: 1 }, { width: 72, height: 0.001 }, 72), {
    width: 72,
    height: 1,
  });
});

test('a place without size leaves one pixel, a size that is no number changes nothing', () => {
  assert.deepEqual(shrunkSize({ width: 600, height: 300 }, { width: 0, height: 0 }, 150), {
    width: 1,
    height: 1,
  });
  assert.equal(shrunkSize({ width: 600, height: 300 }, { width: Number.NaN, height: 36 }, 150), undefined);
});
