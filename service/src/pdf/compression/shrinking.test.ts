import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ImageCoder, Samples } from './image-coder.ts';
import { shrink } from './shrinking.ts';

const image = (width: number, height: number, data: readonly number[], channels: 1 | 3 = 1): Samples => ({
  width,
  height,
  channels,
  data: Uint8Array.from(data),
});
/** An engine that must not be asked: whole steps need none. */
const noCoder = {
  shrink: () => assert.fail('the engine was asked'),
} as unknown as ImageCoder;

test('each pixel is the mean of those it stands for, at the edges too', async () => {
  const row = [10, 20, ...Array(14).fill(100), 7];
  const given = image(17, 2, [...row, ...row.map((value) => value + 4)]);
  const made = await shrink(given, { width: 8, height: 1 }, noCoder);
  assert.deepEqual([made.width, made.height], [9, 1]);
  assert.deepEqual([...made.data], [17, ...Array(7).fill(102), 9]);
});

test('channels are not mixed', async () => {
  const made = await shrink(
    image(2, 2, [0, 100, 200, 10, 110, 210, 0, 100, 200, 10, 110, 210], 3),
    { width: 1, height: 1 },
    noCoder,
  );
  assert.deepEqual([...made.data], [5, 105, 205]);
});

test('what is small enough is left, and odd sizes are left to the engine', async () => {
  const given = image(4, 4, Array(16).fill(9));
  assert.equal(await shrink(given, { width: 4, height: 8 }, noCoder), given);
  const asked: unknown[] = [];
  const coder = {
    shrink: (samples: Samples, size: unknown) => {
      asked.push([samples.width, size]);
      return samples;
    },
  } as unknown as ImageCoder;
  await shrink(given, { width: 3, height: 3 }, coder);
  assert.deepEqual(asked, [[4, { width: 3, height: 3 }]]);
});
