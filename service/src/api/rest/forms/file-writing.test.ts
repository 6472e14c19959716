import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { KIB, MIB } from '../../../contract/limits.ts';
import { FileWriting } from './file-writing.ts';

const folder = mkdtempSync(join(tmpdir(), 'bindery-file-writing-'));
after(() => rmSync(folder, { recursive: true }));

test('what was brought is written, and whoever brings too much waits', async () => {
  const bytes = randomBytes(6 * MIB + 17);
  for (const size of [700, 64 * KIB, 3 * MIB]) {
    const path = join(folder, `pieces-of-${size}`);
    const writing = new FileWriting(path);
    let waits = 0;
    for (let at = 0; at < bytes.length; at += size) {
      const { promise, resolve } = Promise.withResolvers<void>();
      if (writing.write(bytes.subarray(at, at + size), resolve)) continue;
      waits += 1;
      await promise;
    }
    await writing.end();
    assert.ok(waits > 0);
    assert.ok(readFileSync(path).equals(bytes));
    assert.equal(statSync(path).mode & 0o777, 0o600);
  }
});

test('a file that cannot be made fails at its end, and lets nobody wait', async () => {
  const taken = join(folder, 'taken');
  writeFileSync(taken, 'of somebody else');
  for (const [path, code] of [
    [taken, 'EEXIST'],
    [join(folder, 'missing', 'file'), 'ENOENT'],
  ] as const) {
    const writing = new FileWriting(path);
    await new Promise<void>((drained) => {
      if (writing.write(Buffer.alloc(4 * MIB), drained)) drained();
    });
    assert.ok(writing.write(Buffer.alloc(4 * MIB), () => assert.fail('nothing is written any more')));
    await assert.rejects(writing.end(), { code });
  }
  assert.equal(readFileSync(taken, 'utf8'), 'of somebody else');
});

test('an abandoned file is closed, with what was written so far', async () => {
  const path = join(folder, 'abandoned');
  const writing = new FileWriting(path);
  for (let turn = 0; turn < 20; turn += 1) writing.write(Buffer.alloc(MIB), () => {});
  await writing.abandon();
  assert.ok(statSync(path).size <= 20 * MIB);
  rmSync(path);
});
