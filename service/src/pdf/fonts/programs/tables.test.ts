// Tables of TrueType fonts: metrics, names, outlines.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { COMPONENT, readComponents, readLocations } from './glyf-table.ts';
import { clearMetrics, readMetrics, writeMetrics } from './hmtx-table.ts';
import { readGlyphNames, subsetNames } from './post-table.ts';

const words = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(2 * values.length);
  for (const [at, value] of values.entries()) bytes.writeUInt16BE(value & 0xffff, 2 * at);
  return bytes;
};
const hhea = (records: number): Buffer => words(...Array<number>(17).fill(0), records);

test('hmtx: the last record tells the advance of all glyphs behind it', () => {
  const tables = new Map([
    ['hhea', hhea(2)],
    ['hmtx', words(500, 10, 600, 20, 30, -40)],
  ]);
  const metrics = readMetrics(tables);
  assert.deepEqual(
    [0, 1, 2, 3].map((glyph) => metrics?.advance(glyph)),
    [500, 600, 600, 600],
  );
  assert.deepEqual(
    [0, 1, 2, 3, 4].map((glyph) => metrics?.bearing(glyph)),
    [10, 20, 30, -40, 0],
  );
  const { advance, bearing } = metrics ?? assert.fail();
  writeMetrics(tables, 4, { advance: (glyph) => (glyph === 1 ? 70_000 : advance(glyph)), bearing });
  assert.deepEqual(tables.get('hmtx'), words(500, 10, 65535, 20, 600, 30, 600, -40));
  assert.equal(tables.get('hhea')?.readUInt16BE(34), 4);
});

test('hmtx: what other glyphs had is cleared, but for the last record', () => {
  const cleared = clearMetrics(words(1, 2, 3, 4, 5, 6, 7), hhea(3), new Set([1]));
  assert.deepEqual(cleared, words(0, 0, 3, 4, 5, 6, 0));
});

test('hmtx: a font without one has no metrics', () => {
  assert.equal(readMetrics(new Map([['hmtx', words(1, 2)]])), undefined);
});

const post = (format: number, rest: Buffer): Buffer => {
  const head = Buffer.alloc(32);
  head.writeUInt32BE(format, 0);
  return Buffer.concat([head, rest]);
};
const pascal = (...names: string[]): Buffer =>
  Buffer.concat(names.map((name) => Buffer.from([name.length, ...Buffer.from(name)])));

test('post: names of the standard order, and names of the font', () => {
  const table = post(0x00020000, Buffer.concat([words(4, 0, 36, 259, 258), pascal('afii10017', 'f_i')]));
  const { byName, byCharacter } = readGlyphNames(table);
  assert.deepEqual(
    [...byName],
    [
      ['.notdef', 0],
      ['A', 1],
      ['f_i', 2],
      ['afii10017', 3],
    ],
  );
  assert.deepEqual(byCharacter.get('\u0410'), [3]);
  const subset = subsetNames(table, new Set([0, 3]));
  assert.deepEqual(
    [...readGlyphNames(subset).byName],
    [
      ['.notdef', 0],
      ['afii10017', 3],
    ],
  );
});

test('post: the standard order alone, and no names', () => {
  const { byName } = readGlyphNames(post(0x00010000, Buffer.of()));
  assert.deepEqual([byName.get('space'), byName.get('dcroat'), byName.size], [3, 257, 258]);
  assert.equal(readGlyphNames(post(0x00030000, Buffer.of())).byName.size, 0);
  assert.equal(readGlyphNames(undefined).byName.size, 0);
});

test('glyf: locations in short and in long words', () => {
  const head = Buffer.alloc(54);
  assert.deepEqual([...readLocations(words(0, 5, 9), head, 2)], [0, 10, 18]);
  head.writeInt16BE(1, 50);
  assert.deepEqual([...readLocations(words(0, 0, 0, 5, 1, 0), head, 2)], [0, 5, 65536]);
  assert.throws(() => readLocations(words(0, 0), head, 2), RangeError);
});

test('glyf: components of every size, up to the last', () => {
  const { words: byWords, scale, twoScales, matrix, more } = COMPONENT;
  const outline = words(
    -1,
    0,
    0,
    0,
    0,
    ...[byWords | more, 7, 0, 0],
    ...[scale | more, 8, 0, 0],
    ...[twoScales | more, 9, 0, 0, 0],
    ...[matrix, 10, 0, 0, 0, 0, 0],
    ...[more, 99, 0],
  );
  assert.deepEqual(
    [...readComponents(outline)].map(({ glyph }) => glyph),
    [7, 8, 9, 10],
  );
  assert.deepEqual([...readComponents(words(1, 0, 0, 0, 0, more, 99, 0))], []);
});
