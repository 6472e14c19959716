import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HIGHEST_LEVEL, levelForRatio, levelOf } from './levels.ts';

test('levels 1 to 3 leave pixels as they are, and each does more than the one before', () => {
  assert.deepEqual(
    [1, 2, 3].map((level) => levelOf(level)),
    [
      { mergesDuplicates: false, subsetsFonts: false, images: undefined },
      { mergesDuplicates: true, subsetsFonts: false, images: undefined },
      { mergesDuplicates: true, subsetsFonts: true, images: undefined },
    ],
  );
});

test('levels 4 to 9 ask for fewer dots and less quality, from scale 0.78 to 0.28 and quality 80 to 35', () => {
  const levels = [4, 5, 6, 7, 8, 9].map((level) => levelOf(level).images);
  const rounded = (value: number | undefined) => Math.round(100 * (value ?? 0)) / 100;
  assert.deepEqual(
    levels.map((level) => rounded((level?.dpi ?? 0) / 220)),
    [0.78, 0.68, 0.58, 0.48, 0.38, 0.28],
  );
  assert.deepEqual([levels[0]?.quality, levels[5]?.quality], [80, 35]);
  assert.equal(levels[0]?.gentler, undefined);
  assert.deepEqual(levels[3]?.gentler, levels[2]);
});

test('the search for a size begins higher the more is to be spared', () => {
  const first = [0.99, 0.92, 0.7, 0.4, 0.05].map(levelForRatio);
  assert.deepEqual(
    first,
    first.toSorted((a, b) => a - b),
  );
  assert.equal(first[0], 1);
  assert.equal(first.at(-1), HIGHEST_LEVEL);
});
