// The central directory of a ZIP file, as yauzl reads it.
import { buffer } from 'node:stream/consumers';
import yauzl from 'yauzl';
import type { InputFile } from '../../contract/files.ts';
import { Problem } from '../../contract/problems.ts';
import type { ArchiveEntry } from './entry.ts';

export interface ZipEntry extends ArchiveEntry {
  readonly packedSize: number;
  readonly raw: yauzl.Entry;
}

export interface ZipDirectory {
  entries: ZipEntry[];
  read(entry: ZipEntry): Promise<Buffer>;
  close(): void;
}

/** `autoClose` is off because entries are read after the directory. */
const OPTIONS = { autoClose: false, validateEntrySizes: true } as const;
const LONGEST_PATH = 1024;
const UNIX = 3;
const TYPE_BITS = 0o170000;
const LINK = 0o120000;

export async function readDirectory(file: InputFile, maxEntries: number): Promise<ZipDirectory> {
  const zip = await guard(file.name, () => openZip(file));
  const close = () => {
    if (zip.isOpen) zip.close();
  };
  try {
    if (zip.entryCount > maxEntries) throw tooMany(file.name, maxEntries);
    const entries = await guard(file.name, () => listEntries(zip, file.name, maxEntries));
    return { entries, close, read: ({ raw }) => guard(file.name, () => readEntry(zip, raw)) };
  } catch (error) {
    close();
    throw error;
  }
}

async function openZip(file: InputFile): Promise<yauzl.ZipFile> {
  const { content } = file;
  try {
    if ('path' in content) return await yauzl.openPromise(content.path, OPTIONS);
    return await yauzl.fromBufferPromise(asBuffer(content.bytes), OPTIONS);
  } catch (error) {
    const repaired = withoutTail(asBuffer(file.bytes()));
    if (!repaired) throw error;
    return yauzl.fromBufferPromise(repaired, OPTIONS);
  }
}

const asBuffer = ({ buffer: memory, byteOffset, length }: Uint8Array): Buffer =>
  Buffer.from(memory, byteOffset, length);

const END_OF_DIRECTORY = Buffer.from('PK\u0005\u0006', 'latin1');
const END_BYTES = 22;

/** Bytes after the end, or a comment cut short, are a slip of whoever carried the file; other programs overlook it. */
function withoutTail(bytes: Buffer): Buffer | undefined {
  const end = bytes.lastIndexOf(END_OF_DIRECTORY);
  if (end < 0 || end + END_BYTES > bytes.length) return undefined;
  const repaired = Buffer.from(bytes.subarray(0, end + END_BYTES));
  repaired.writeUInt16LE(0, end + END_BYTES - 2);
  return repaired;
}

async function listEntries(zip: yauzl.ZipFile, name: string, maxEntries: number): Promise<ZipEntry[]> {
  const entries: ZipEntry[] = [];
  // A path that leads out of the archive ends the iteration with an error: such an archive is not a slip.
  for await (const raw of zip.eachEntry()) {
    if (raw.fileName.endsWith('/') || isLink(raw)) continue;
    const path = plainPath(raw.fileName);
    if (path === undefined) continue;
    entries.push({
      path,
      size: raw.uncompressedSize,
      packedSize: raw.compressedSize,
      isEncrypted: raw.isEncrypted(),
      raw,
    });
    // The count in the directory's end is only a claim.
    if (entries.length > maxEntries) throw tooMany(name, maxEntries);
  }
  return entries;
}

const isLink = ({ versionMadeBy, externalFileAttributes }: yauzl.Entry): boolean =>
  versionMadeBy >>> 8 === UNIX && ((externalFileAttributes >>> 16) & TYPE_BITS) === LINK;

/** Without empty and `.` segments; undefined where nothing sensible is left. */
function plainPath(given: string): string | undefined {
  const path = given
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/');
  return path === '' || path.length > LONGEST_PATH || path.includes('\0') ? undefined : path;
}

async function readEntry(zip: yauzl.ZipFile, raw: yauzl.Entry): Promise<Buffer> {
  return buffer(await zip.openReadStreamPromise(raw));
}

/** How yauzl tells of such a path. */
const LEADS_OUT = /^(?:absolute path|invalid relative path|invalid characters in fileName): (.*)$/s;

async function guard<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Problem) throw error;
    const path = error instanceof Error ? LEADS_OUT.exec(error.message)?.[1] : undefined;
    if (path !== undefined)
      throw new Problem(
        'unsupported_file_type',
        `${name} holds an entry whose path leads out of the archive: ${JSON.stringify(path.slice(0, 100))}.`,
      );
    throw new Problem('unsupported_file_type', `${name} is not a ZIP archive that can be read.`, {
      cause: error,
    });
  }
}

const tooMany = (name: string, most: number): Problem =>
  new Problem('unsupported_file_type', `${name} holds more than the ${most} files allowed.`);
