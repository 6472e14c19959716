import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { missing } from '../../../../testing/oracles/programs.ts';
import { FontFile } from '../../../engines/text/font-file.ts';
import { readCmapTable, readUnicodeCmap } from './cmap-table.ts';

/** What fontconfig says a font has: ranges in hexadecimal. */
function charset(path: string, index: number): [number, number][] {
  const { stdout } = spawnSync('fc-query', ['--index', String(index), '--format', '%{charset}', path], {
    encoding: 'utf8',
  });
  return stdout
    .trim()
    .split(' ')
    .map((range) => {
      const [first = 0, last = first] = range.split('-').map((number) => Number.parseInt(number, 16));
      return [first, last];
    });
}

for (const [path, index] of [
  ['/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf', 0],
  ['/usr/share/fonts/truetype/liberation2/LiberationSans-Regular.ttf', 0],
  ['/usr/share/fonts/truetype/noto/NotoSansDevanagari-Regular.ttf', 0],
  ['/usr/share/fonts/truetype/ancient-scripts/Symbola_hint.ttf', 0],
  ['/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc', 2],
] as const) {
  const skip = missing('fc-query') || (!existsSync(path) && `not installed: ${path}`);
  test(`fontconfig sees the same characters in ${path}`, { skip }, () => {
    const map = FontFile.with(path, (file) => {
      const { tables } = file.face(file.faceOffsets()[index] ?? 0);
      return readUnicodeCmap(file.table(tables, 'cmap', 1 << 22) ?? Buffer.alloc(4));
    });
    const ranges = charset(path, index);
    assert(ranges.length > 1);
    for (const [first, last] of ranges) {
      for (let code = first; code <= last; code += 1) {
        // Controls have glyphs in some fonts; nobody draws them.
        if (code >= 0x20) assert(map.glyph(code) !== 0, `has U+${code.toString(16)}`);
      }
    }
    let previous = 0x1f;
    for (const [first, last] of ranges) {
      for (const code of [previous + 1, first - 1]) {
        if (code > previous && code < first && code > 0xa0)
          assert.equal(map.glyph(code), 0, `lacks U+${code.toString(16)}`);
      }
      previous = last;
    }
  });
}

test('a damaged table has no characters', () => {
  assert.equal(readUnicodeCmap(Buffer.alloc(4)).glyph(65), 0);
  const beyond = Buffer.from('000000010003000100ffffff', 'hex');
  assert.equal(readUnicodeCmap(beyond).glyph(65), 0);
});

const words = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(2 * values.length);
  for (const [at, value] of values.entries()) bytes.writeUInt16BE(value & 0xffff, 2 * at);
  return bytes;
};
/** A table of one subtable. */
const cmap = (subtable: Buffer, platform = 3, encoding = 1): Buffer =>
  Buffer.concat([words(0, 1, platform, encoding, 0, 12), subtable]);

const SEGMENTS = [
  // Codes 65 to 67 by their distance, 70 and 71 by a list.
  ...[4, 46, 0, 6, 4, 1, 2],
  ...[67, 71, 0xffff, 0, 65, 70, 0xffff],
  ...[-60, 0, 1],
  ...[0, 4, 0],
  ...[40, 0],
];
const UNSORTED = [
  ...[4, 40, 0, 6, 4, 1, 2],
  ...[71, 67, 0xffff, 0, 70, 65, 0xffff],
  ...[-30, -60, 1],
  ...[0, 0, 0],
];

const CASES: [name: string, subtable: Buffer, glyphs: Record<number, number>][] = [
  ['0', Buffer.concat([words(0, 262, 0), Buffer.alloc(256).fill(9, 65, 66)]), { 65: 9, 66: 0, 300: 0 }],
  ['4', words(...SEGMENTS), { 64: 0, 65: 5, 67: 7, 68: 0, 70: 40, 71: 0, 65601: 0 }],
  ['4, out of order', words(...UNSORTED), { 65: 5, 66: 6, 70: 40, 71: 41, 72: 0 }],
  ['4, cut off', words(...SEGMENTS.slice(0, 12)), { 65: 0 }],
  ['6', words(6, 14, 0, 65, 2, 11, 12), { 64: 0, 65: 11, 66: 12, 67: 0 }],
  [
    '12',
    words(12, 0, 0, 40, 0, 0, 0, 2, 0, 65, 0, 66, 0, 5, 1, 0xf600, 1, 0xf601, 0, 7),
    { 64: 0, 65: 5, 66: 6, 67: 0, 128512: 7, 128513: 8 },
  ],
  ['of no known kind', words(2, 0, 0, 0), { 65: 0 }],
];
for (const [name, subtable, glyphs] of CASES) {
  test(`a cmap subtable of format ${name}`, () => {
    const [read] = readCmapTable(cmap(subtable));
    assert.equal(read?.format, subtable.readUInt16BE(0));
    const found = Object.keys(glyphs).map((code) => [code, read?.glyph(Number(code))]);
    assert.deepEqual(Object.fromEntries(found), glyphs);
  });
}

test('of several subtables the one for most of Unicode is taken', () => {
  const first = words(...SEGMENTS);
  const second = words(12, 0, 0, 28, 0, 0, 0, 1, 1, 0xf600, 1, 0xf600, 0, 7);
  const head = words(0, 2, 3, 1, 0, 20, 3, 10, 0, 20 + first.length);
  const table = Buffer.concat([head, first, second]);
  assert.deepEqual(
    [65, 0x1f600].map((code) => readUnicodeCmap(table).glyph(code)),
    [0, 7],
  );
  assert.equal(readUnicodeCmap(cmap(first)).glyph(65), 5);
  assert.equal(readUnicodeCmap(cmap(first, 1, 0)).glyph(65), 0);
});
