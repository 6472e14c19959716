// A ZIP as we write it, read by another program: names, bytes, checksums.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { missing } from '../../testing/oracles/programs.ts';
import { type StoredEntry, storedZip, writeStoredZip } from './stored-zip.ts';

const folder = mkdtempSync(join(tmpdir(), 'bindery-stored-zip-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const READ = `import hashlib, json, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as z:
    assert z.testzip() is None
    print(json.dumps([[i.filename, hashlib.sha256(z.read(i)).hexdigest(), i.compress_type] for i in z.infolist()]))`;

test('files in memory and on disk, large, empty and of any name come out as they went in', {
  skip: missing('python3'),
}, () => {
  const large = randomBytes(3 * 1024 * 1024 + 17);
  const held = join(folder, 'held');
  writeFileSync(held, large);
  const entries: StoredEntry[] = [
    { name: 'a.pdf', content: { bytes: randomBytes(1000) } },
    { name: 'übung/日本 1.pdf', content: { path: held } },
    { name: 'empty', content: { bytes: new Uint8Array() } },
    ...Array.from({ length: 2000 }, (_, index) => ({
      name: `page-${index}.pdf`,
      content: { bytes: Buffer.from(String(index)) },
    })),
  ];
  const path = join(folder, 'made.zip');
  writeStoredZip(path, entries);
  const told = JSON.parse(
    execFileSync('python3', ['-c', READ, path], { encoding: 'utf8', maxBuffer: 2 ** 24 }),
  );
  const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
  assert.deepEqual(
    told,
    entries.map(({ name, content }) => [name, digest('bytes' in content ? content.bytes : large), 0]),
  );
  assert.deepEqual(storedZip(entries), readFileSync(path));
});
