import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { KIB, MIB } from '../../../contract/limits.ts';
import { ByteWriter } from './byte-writer.ts';

const folder = mkdtempSync(join(tmpdir(), 'bindery-writer-'));
after(() => rmSync(folder, { recursive: true }));
let files = 0;
const newFile = (): string => {
  files += 1;
  return join(folder, `${files}.pdf`);
};

/** Each as a text or as data, as its turn is. */
function written(pieces: readonly Buffer[], inMemory: number): { bytes: Buffer; digests: string[] } {
  const out = new ByteWriter({ inMemory, newFile });
  const digests: string[] = [];
  for (const [index, piece] of pieces.entries()) {
    if (index % 2 === 0) out.text(piece.toString('latin1'));
    else out.data(piece);
    digests.push(out.digest().toString('hex'));
  }
  const content = out.end();
  return { bytes: 'bytes' in content ? (content.bytes as Buffer) : readFileSync(content.path), digests };
}

const sizes = [
  [10, 1000, 20, 3000],
  [100 * KIB, 300 * KIB, 10, 127 * KIB, 0, 500 * KIB, 2 * MIB],
  [10, 5 * MIB, 10, 129 * KIB, 10, 2 * MIB],
];

test('what is written has one digest, in memory, in a file, and where it leaves the memory', () => {
  for (const each of sizes) {
    const pieces = each.map((size) => randomBytes(size));
    const held = written(pieces, Number.POSITIVE_INFINITY);
    assert.ok(held.bytes.equals(Buffer.concat(pieces)));
    for (const inMemory of [0, 50 * KIB, 400 * KIB, 3 * MIB]) {
      const other = written(pieces, inMemory);
      assert.ok(other.bytes.equals(held.bytes));
      assert.deepEqual(other.digests, held.digests, `${inMemory} in memory`);
    }
  }
});

test('a single bit changes it, in text, small and large data', () => {
  for (const each of sizes) {
    const pieces = each.map((size) => randomBytes(size));
    const before = written(pieces, MIB).digests.at(-1);
    for (const [index, piece] of pieces.entries()) {
      if (piece.length === 0) continue;
      const changed = Buffer.from(piece);
      const at = piece.length >> 1;
      changed[at] = (changed[at] ?? 0) ^ 1;
      assert.notEqual(written(pieces.with(index, changed), MIB).digests.at(-1), before);
    }
  }
});

test('of a document without large data it is that of its bytes', () => {
  const pieces = [randomBytes(70 * KIB), randomBytes(90 * KIB)];
  const wanted = createHash('sha256').update(Buffer.concat(pieces)).digest('hex').slice(0, 32);
  for (const inMemory of [0, Number.POSITIVE_INFINITY])
    assert.equal(written(pieces, inMemory).digests.at(-1), wanted);
});
