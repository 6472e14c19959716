import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Samples } from './image-coder.ts';
import { likeness } from './ssim.ts';

const grey = (size: number, valueAt: (x: number, y: number) => number): Samples => ({
  width: size,
  height: size,
  channels: 1,
  data: Uint8Array.from({ length: size * size }, (_, at) => valueAt(at % size, Math.floor(at / size))),
});
const checks = (x: number, y: number) => ((x + y) % 2 === 0 ? 40 : 200);

test('an image is as like itself as can be, and nothing is like an image of another shape', () => {
  const image = grey(32, checks);
  assert.equal(likeness(image, image), 1);
  assert.equal(likeness(image, grey(16, checks)), 0);
});

test('likeness falls with what is lost: a shade lighter, blurred away, turned round', () => {
  const image = grey(64, checks);
  const lighter = likeness(
    image,
    grey(64, (x, y) => checks(x, y) + 8),
  );
  const flat = likeness(
    image,
    grey(64, () => 120),
  );
  const inverted = likeness(
    image,
    grey(64, (x, y) => 240 - checks(x, y)),
  );
  assert.ok(lighter > 0.95 && lighter < 1, `${lighter}`);
  assert.ok(flat < 0.1, `${flat}`);
  assert.ok(inverted < flat, `${inverted}`);
});

test('one spoiled corner counts more than its share of the image', () => {
  const image = grey(64, checks);
  const spoiled = grey(64, (x, y) => (x < 16 && y < 16 ? 120 : checks(x, y)));
  // A sixteenth of the blocks is lost.
  assert.ok(likeness(image, spoiled) < 1 - 1 / 16, `${likeness(image, spoiled)}`);
});
