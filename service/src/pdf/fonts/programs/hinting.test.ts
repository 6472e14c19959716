import assert from 'node:assert/strict';
import { test } from 'node:test';
import { needsInstructions, withoutInstructions } from './hinting.ts';

const words = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 2);
  values.forEach((value, index) => {
    bytes.writeInt16BE(value, index * 2);
  });
  return bytes;
};
const BOX = [0, 0, 500, 700];

test('a simple outline keeps its points and loses its instructions', () => {
  const points = Buffer.from([1, 1, 1, 10, 20, 30, 40, 50, 60]);
  const outline = Buffer.concat([words(1, ...BOX, 2, 5), Buffer.from([9, 9, 9, 9, 9]), points]);
  assert.deepEqual(withoutInstructions(outline), Buffer.concat([words(1, ...BOX, 2, 0), points]));
});

test('a composite outline keeps its components and says that no instructions follow', () => {
  const [both, small] = [0x0001 | 0x0020 | 0x0100, 0x0002 | 0x0008 | 0x0100];
  const last = Buffer.concat([words(small, 8), Buffer.from([1, 2]), words(0x4000)]);
  const outline = Buffer.concat([words(-1, ...BOX, both, 7, 3, 4), last, words(3), Buffer.from([9, 9, 9])]);
  const plain = Buffer.concat([words(small & ~0x0100, 8), Buffer.from([1, 2]), words(0x4000)]);
  assert.deepEqual(
    withoutInstructions(outline),
    Buffer.concat([words(-1, ...BOX, both & ~0x0100, 7, 3, 4), plain]),
  );
});

test('an empty outline stays empty, a damaged one is noticed', () => {
  assert.equal(withoutInstructions(Buffer.alloc(0)).length, 0);
  assert.throws(() => withoutInstructions(words(300, ...BOX)), RangeError);
});

for (const [font, isDrawn] of [
  ['ABCDEF+MingLiU', true],
  ['PMingLiU', true],
  ['DFKaiShu-SB-Estd-BF', true],
  ['ABCDEF+ArialMT', false],
  ['Monaco', false],
  ['FlemingSans', false],
] as const) {
  test(`${font} ${isDrawn ? 'needs' : 'does not need'} its instructions to be drawn`, () => {
    assert.equal(needsInstructions(font), isDrawn);
  });
}
