import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { after, test } from 'node:test';
import yazl from 'yazl';
import { InputFile } from '../../contract/files.ts';
import { Problem } from '../../contract/problems.ts';
import { type ArchiveLimits, openArchive } from './archive.ts';

const dir = mkdtempSync(join(tmpdir(), 'bindery-archive-'));
after(() => rmSync(dir, { recursive: true, force: true }));

const given = (bytes: Buffer): InputFile => new InputFile('pages.zip', { bytes }, 'pages');

interface Entry {
  path: string;
  bytes: string | Buffer;
  /** Unix permissions and type. */
  mode?: number;
}

async function zipOf(...entries: Entry[]): Promise<Buffer> {
  const zip = new yazl.ZipFile();
  for (const { path, bytes, mode } of entries)
    zip.addBuffer(Buffer.from(bytes), path, mode === undefined ? {} : { mode });
  zip.end();
  return buffer(zip.outputStream);
}

const refuses = (file: InputFile, words: RegExp, limits: Partial<ArchiveLimits> = {}): Promise<void> =>
  assert.rejects(
    () => openArchive(file, limits),
    (error) =>
      error instanceof Problem && error.reason === 'unsupported_file_type' && words.test(error.detail),
  );

/** The name of an entry, in both places where it stands, exchanged for another of the same length. */
function renamed(zip: Buffer, from: string, to: string): Buffer {
  return Buffer.from(zip.toString('latin1').replaceAll(from, to), 'latin1');
}

test('files are found by path, whatever the letter case, from memory and from a file', async () => {
  const zip = await zipOf({ path: 'a/Index.HTML', bytes: 'one' }, { path: 'pic.png', bytes: 'two' });
  const path = join(dir, 'plain.zip');
  writeFileSync(path, zip);
  for (const file of [given(zip), new InputFile('pages.zip', { path }, 'pages')]) {
    const archive = await openArchive(file);
    assert.deepEqual(
      archive.entries.map((entry) => [entry.path, entry.size]),
      [
        ['a/Index.HTML', 3],
        ['pic.png', 3],
      ],
    );
    const entry = archive.find('a/index.html');
    assert.ok(entry);
    assert.equal((await archive.read(entry)).toString(), 'one');
    assert.equal(archive.find('b'), undefined);
    archive.close();
  }
});

test('a path that leads out of the archive is refused', async () => {
  const zip = await zipOf({ path: 'xx/xx/passwd', bytes: 'x' });
  for (const name of ['../../passwd', '/etc//passwd', 'C:/xx/passwd', '..\\..\\passwd', 'a/../../pass'])
    await refuses(
      given(renamed(zip, 'xx/xx/passwd', name)),
      /holds an entry whose path leads out of the archive: ".*pass/,
    );
});

test('links and folders are left out', async () => {
  const zip = await zipOf(
    { path: 'link', bytes: '/etc/passwd', mode: 0o120777 },
    { path: 'file', bytes: 'x', mode: 0o100644 },
  );
  const archive = await openArchive(given(zip));
  assert.deepEqual(
    archive.entries.map(({ path }) => path),
    ['file'],
  );
});

test('bombs are refused before anything is unpacked: by number, by size, by ratio', async () => {
  const three = await zipOf(...['a', 'b', 'c'].map((path) => ({ path, bytes: Buffer.alloc(1000) })));
  await refuses(given(three), /more than the 2 files/, { entries: 2 });
  await refuses(given(three), /unpacks to more than/, { bytes: 2999 });
  const bomb = await zipOf({ path: 'a', bytes: Buffer.alloc(40 * 1024 ** 2) });
  await refuses(given(bomb), /times its size/);
});

test('an entry that holds more than it says is refused when it is read', async () => {
  const zip = await zipOf({ path: 'a', bytes: Buffer.alloc(100_000, 'x') });
  const lie = Buffer.from(zip);
  // The size in the directory, which is the last that the file says of it.
  lie.writeUInt32LE(10, lie.lastIndexOf(Buffer.from([0x50, 0x4b, 0x01, 0x02])) + 24);
  const archive = await openArchive(given(lie));
  const [entry] = archive.entries;
  assert.ok(entry);
  await assert.rejects(() => archive.read(entry), Problem);
});

test('a larger file than asked for is not unpacked', async () => {
  const archive = await openArchive(given(await zipOf({ path: 'a', bytes: 'xxxx' })));
  const [entry] = archive.entries;
  assert.ok(entry);
  await assert.rejects(() => archive.read(entry, 3), /too large/);
});

test('what is no archive, or is cut off, is refused', async () => {
  const zip = await zipOf({ path: 'a', bytes: 'x' });
  for (const bytes of [Buffer.from('PK\x03\x04 nothing'), zip.subarray(0, zip.length - 30)])
    await refuses(given(bytes), /not a ZIP archive/);
});
