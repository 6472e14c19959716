// Writes a ZIP of files that are packed already: each is stored as it is. Thousands of small ones take no longer than
// their bytes.
import { closeSync, openSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { piecesOf, writeAll } from '../contract/file-bytes.ts';
import { type Content, contentSize } from '../contract/files.ts';
import { GIB, MIB } from '../contract/limits.ts';

export interface StoredEntry {
  name: string;
  content: Content;
}

/** Beyond these a ZIP needs fields of 64 bits. */
const MOST_ENTRIES = 65_535;
const MOST_BYTES = 3 * GIB;

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const LOCAL_BYTES = 30;
const CENTRAL_BYTES = 46;
const END_BYTES = 22;
/** Names in UTF-8. */
const FLAGS = 0x0800;
const VERSION = 20;
/** Made on Unix, where a plain file is readable for all. */
const MADE_BY = (3 << 8) | VERSION;
const PLAIN_FILE = 0o100644;
/** 1 January 1980, the first day there is: equal requests give equal bytes. */
const FIRST_DAY = 0x21;
const PIECE_BYTES = MIB;

/** Whether the files fit into a ZIP as this writes it, and into so many bytes. */
export const isStorable = (entries: readonly StoredEntry[], mostBytes = MOST_BYTES): boolean =>
  entries.length < MOST_ENTRIES &&
  entries.reduce((sum, { name, content }) => sum + contentSize(content) + 6 * name.length + 100, 0) <
    mostBytes;

/** In memory. */
export const storedZip = (entries: readonly StoredEntry[]): Buffer => Buffer.concat([...zipPieces(entries)]);

export function writeStoredZip(path: string, entries: readonly StoredEntry[]): void {
  const out = new PieceWriter(path);
  try {
    for (const piece of zipPieces(entries)) out.add(piece);
    out.flush();
  } finally {
    out.close();
  }
}

function* zipPieces(entries: readonly StoredEntry[]): Iterable<Uint8Array> {
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content } of entries) {
    const entry = { name: Buffer.from(name), size: contentSize(content), checksum: checksumOf(content) };
    yield header(LOCAL, LOCAL_BYTES, entry);
    yield entry.name;
    yield* piecesOf(content);
    directory.push(directoryRow(entry, offset), entry.name);
    offset += LOCAL_BYTES + entry.name.length + entry.size;
  }
  yield* directory;
  const bytes = directory.reduce((sum, { length }) => sum + length, 0);
  yield endRecord(entries.length, offset, bytes);
}

interface Told {
  name: Buffer;
  size: number;
  checksum: number;
}

/** What is said of a file before it and in the directory alike. */
function header(mark: number, bytes: number, { name, size, checksum }: Told): Buffer {
  const head = Buffer.alloc(bytes);
  const isCentral = mark === CENTRAL;
  head.writeUInt32LE(mark, 0);
  if (isCentral) head.writeUInt16LE(MADE_BY, 4);
  const at = isCentral ? 6 : 4;
  head.writeUInt16LE(VERSION, at);
  head.writeUInt16LE(FLAGS, at + 2);
  head.writeUInt16LE(FIRST_DAY, at + 8);
  head.writeUInt32LE(checksum, at + 10);
  head.writeUInt32LE(size, at + 14);
  head.writeUInt32LE(size, at + 18);
  head.writeUInt16LE(name.length, at + 22);
  return head;
}

function directoryRow(entry: Told, offset: number): Buffer {
  const row = header(CENTRAL, CENTRAL_BYTES, entry);
  row.writeUInt32LE((PLAIN_FILE << 16) >>> 0, 38);
  row.writeUInt32LE(offset, 42);
  return row;
}

function endRecord(entries: number, start: number, bytes: number): Buffer {
  const record = Buffer.alloc(END_BYTES);
  record.writeUInt32LE(END, 0);
  record.writeUInt16LE(entries, 8);
  record.writeUInt16LE(entries, 10);
  record.writeUInt32LE(bytes, 12);
  record.writeUInt32LE(start, 16);
  return record;
}

function checksumOf(content: Content): number {
  let checksum = 0;
  for (const piece of piecesOf(content)) checksum = crc32(piece, checksum);
  return checksum;
}

/** Small pieces go to the file together. */
class PieceWriter {
  private readonly file: number;
  private readonly waiting = Buffer.allocUnsafe(PIECE_BYTES);
  private filled = 0;

  constructor(path: string) {
    this.file = openSync(path, 'wx', 0o600);
  }

  add(piece: Uint8Array): void {
    if (this.filled + piece.length > PIECE_BYTES) this.flush();
    if (piece.length > PIECE_BYTES) writeAll(this.file, piece);
    else {
      this.waiting.set(piece, this.filled);
      this.filled += piece.length;
    }
  }

  flush(): void {
    writeAll(this.file, this.waiting.subarray(0, this.filled));
    this.filled = 0;
  }

  close(): void {
    closeSync(this.file);
  }
}
