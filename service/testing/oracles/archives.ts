// Archives as other libraries read and write them.
import assert from 'node:assert/strict';
import { buffer } from 'node:stream/consumers';
import yauzl from 'yauzl';
import yazl from 'yazl';
import { type FileKind, sniff } from '../../src/contract/kinds.ts';

export async function zipOf(files: Readonly<Record<string, string | Uint8Array>>): Promise<Buffer> {
  const zip = new yazl.ZipFile();
  for (const [path, content] of Object.entries(files)) zip.addBuffer(Buffer.from(content), path);
  zip.end();
  return buffer(zip.outputStream);
}

export interface ZipEntry {
  name: string;
  bytes: Buffer;
}

export async function zipEntries(archive: Buffer): Promise<ZipEntry[]> {
  const entries: ZipEntry[] = [];
  const zip = await new Promise<yauzl.ZipFile>((resolve, reject) =>
    yauzl.fromBuffer(archive, { lazyEntries: true, strictFileNames: true }, (error, opened) =>
      error ? reject(error) : resolve(opened),
    ),
  );
  const { promise, resolve, reject } = Promise.withResolvers<ZipEntry[]>();
  zip.on('error', reject);
  zip.on('end', () => resolve(entries));
  zip.on('entry', (entry: yauzl.Entry) => {
    zip.openReadStream(entry, async (error, stream) => {
      if (error) return reject(error);
      entries.push({ name: entry.fileName, bytes: Buffer.concat(await stream.toArray()) });
      zip.readEntry();
    });
  });
  zip.readEntry();
  return promise;
}

/** Operations 1.7: "ZIP entry names are unique ... without path", and all are of the declared kind. */
export async function assertUniqueEntries(archive: Buffer, kind: FileKind): Promise<void> {
  assert.equal(sniff(archive), 'zip');
  const entries = await zipEntries(archive);
  const names = entries.map(({ name }) => name.toLowerCase());
  assert.equal(new Set(names).size, names.length, names.join(', '));
  for (const { name, bytes } of entries) {
    assert.ok(!/[/\\]/.test(name), name);
    if (kind !== 'any' && kind !== 'text') assert.equal(sniff(bytes), kind, name);
  }
}
