import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asGrey, byIndex } from './image-samples.ts';

const rgb = (width: number, height: number, pixels: readonly (readonly number[])[]) => ({
  width,
  height,
  channels: 3 as const,
  data: Uint8Array.from(pixels.flat()),
});
const [RED, BLUE, WHITE] = [
  [255, 0, 0],
  [0, 0, 255],
  [255, 255, 255],
];

test('few colours become a palette and as few bits as it needs, each row in whole bytes', () => {
  const two = byIndex(rgb(3, 2, [RED, BLUE, RED, BLUE, BLUE, RED]));
  assert.deepEqual(
    [two?.bits, [...(two?.table ?? [])], [...(two?.rows ?? [])]],
    [1, [...RED, ...BLUE], [0x40, 0xc0]],
  );
  const three = byIndex(rgb(3, 1, [RED, BLUE, WHITE]));
  assert.deepEqual([three?.bits, [...(three?.rows ?? [])]], [2, [0b00_01_10_00]]);
});

test('more than 256 colours have no palette', () => {
  const colours = Array.from({ length: 257 }, (_, index) => [index & 255, index >> 8, 0]);
  assert.equal(byIndex(rgb(257, 1, colours)), undefined);
  assert.equal(byIndex(rgb(256, 1, colours.slice(0, 256)))?.bits, 8);
});

test('three equal channels become one; one pixel of colour keeps three', () => {
  assert.deepEqual([...(asGrey(rgb(2, 1, [WHITE, [7, 7, 7]]))?.data ?? [])], [255, 7]);
  assert.equal(asGrey(rgb(2, 1, [WHITE, [7, 7, 8]])), undefined);
});
