import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSfnt, readSoundSfnt, readTableRecords, writeSfnt } from './sfnt.ts';

const FILE = writeSfnt({
  version: 0x00010000,
  tables: new Map([
    ['maxp', Buffer.from([1, 2, 3, 4, 5, 6, 7])],
    ['head', Buffer.alloc(54, 9)],
    ['glyf', Buffer.alloc(0)],
  ]),
});
const sumOf = (bytes: Buffer): number => {
  let sum = 0;
  for (let at = 0; at < bytes.length; at += 4) sum = (sum + bytes.readUInt32BE(at)) >>> 0;
  return sum;
};

test('what is written is read: tables in order, each at a multiple of four', () => {
  assert.deepEqual(
    readTableRecords(FILE).map(({ tag, offset, length }) => [tag, offset % 4, length]),
    [
      ['glyf', 0, 0],
      ['head', 0, 54],
      ['maxp', 0, 7],
    ],
  );
  const read = readSfnt(FILE);
  assert.deepEqual(read.faults, []);
  assert.deepEqual(read.tables.get('maxp'), Buffer.from([1, 2, 3, 4, 5, 6, 7]));
});

test('checksums: the whole file comes to what the standard says (OpenType, head)', () => {
  assert.equal(sumOf(FILE), 0xb1b0afba);
  const row = 12 + 16 * 2;
  assert.equal(FILE.readUInt32BE(row + 4), sumOf(Buffer.from([1, 2, 3, 4, 5, 6, 7, 0])));
});

const change = (edit: (file: Buffer) => void): Buffer => {
  const file = Buffer.from(FILE);
  edit(file);
  return file;
};
for (const [name, file, fault, there] of [
  ['tells of too many tables', change((file) => file.writeUInt16BE(60_000, 4)), /more tables/, 'head'],
  ['has a table twice', change((file) => file.write('head', 12, 'latin1')), /twice/, 'maxp'],
  [
    'has a table outside of the file',
    change((file) => file.writeUInt32BE(1 << 30, 12 + 8)),
    /outside/,
    'maxp',
  ],
  ['ends within the directory', FILE.subarray(0, 40), /more tables/, 'glyf'],
] as const) {
  test(`a font that ${name} is read as far as it goes, and told so`, () => {
    const { faults, tables } = readSfnt(file);
    assert.match(faults.join(), fault);
    assert.ok(name.includes('within') || tables.has(there));
    assert.equal(readSoundSfnt(file), undefined);
  });
}

test('of a collection the first font is read', () => {
  const head = Buffer.alloc(16);
  head.write('ttcf', 0, 'latin1');
  head.writeUInt32BE(1, 8);
  head.writeUInt32BE(16, 12);
  // Offsets of tables count from the beginning of the collection.
  const moved = Buffer.from(FILE);
  for (let row = 12; row < 60; row += 16) moved.writeUInt32BE(moved.readUInt32BE(row + 8) + 16, row + 8);
  const { tables, faults } = readSfnt(Buffer.concat([head, moved]));
  assert.equal(tables.get('maxp')?.readUInt16BE(4), 0x0506);
  assert.match(faults.join(), /collection/);
});
