// The directory of a compound file (OLE2), the container of doc, xls, ppt, vsd, pub and of protected documents: which
// streams it has, and how they begin. Every chain is followed only as far as the file can be long.
import { openBytes } from '../../contract/file-bytes.ts';
import type { InputFile } from '../../contract/files.ts';
import { computeOnce } from '../../contract/maps.ts';

const SIGNATURE = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);
const HEADER_BYTES = 512;
const ENTRY_BYTES = 128;
const HEADER_FAT_ENTRIES = 109;
const LAST_SECTOR = 0xfffffffa;
const STREAM = 2;
const MAX_DIRECTORY_BYTES = 4 * 1024 * 1024;

export interface CompoundFile {
  /** Streams and storages at any depth. */
  names: ReadonlySet<string>;
  /** The first bytes of a stream kept in whole sectors; empty for shorter ones. */
  start(stream: string, bytes: number): Buffer;
}

export const isCompoundFile = (head: Uint8Array): boolean =>
  SIGNATURE.every((byte, index) => head[index] === byte);

interface Entry {
  name: string;
  isStream: boolean;
  first: number;
  size: number;
}

/** Undefined where the file is damaged beyond reading its directory. */
export function readCompoundFile(file: InputFile): CompoundFile | undefined {
  const source = openBytes(file.content);
  try {
    return readDirectory((at, length) => source.read(at, at + length));
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  } finally {
    source.close();
  }
}

type Read = (at: number, length: number) => Buffer;

function readDirectory(read: Read): CompoundFile {
  const header = read(0, HEADER_BYTES);
  const shift = header.readUInt16LE(30);
  if (shift < 7 || shift > 16) throw new RangeError('no sector size');
  const sectorBytes = 1 << shift;
  const sector = (index: number): Buffer => read((index + 1) * sectorBytes, sectorBytes);
  const next = nextSector(header, sector, sectorBytes);
  const chain = (first: number, bytes: number): Buffer => {
    const parts: Buffer[] = [];
    let index = first;
    for (let length = 0; length < bytes && index < LAST_SECTOR; length += sectorBytes) {
      const part = sector(index);
      if (part.length === 0) break;
      parts.push(part);
      index = next(index);
    }
    return Buffer.concat(parts).subarray(0, bytes);
  };
  const directory = chain(header.readUInt32LE(48), MAX_DIRECTORY_BYTES);
  const entries: Entry[] = [];
  for (let at = 0; at + ENTRY_BYTES <= directory.length; at += ENTRY_BYTES) {
    const entry = directory.subarray(at, at + ENTRY_BYTES);
    const nameBytes = Math.min(64, entry.readUInt16LE(64));
    if (nameBytes < 2) continue;
    entries.push({
      name: entry.toString('utf16le', 0, nameBytes - 2),
      isStream: entry.readUInt8(66) === STREAM,
      first: entry.readUInt32LE(116),
      size: entry.readUInt32LE(120),
    });
  }
  const smallest = header.readUInt32LE(56);
  // What is asked of streams is answered now, while the file is open.
  const starts = new Map(
    entries
      .filter(({ isStream, size }) => isStream && size >= smallest)
      .slice(0, 100)
      .map(({ name, first, size }) => [name, chain(first, Math.min(size, LONGEST_START))]),
  );
  return {
    names: new Set(entries.map(({ name }) => name)),
    start: (stream, bytes) => starts.get(stream)?.subarray(0, bytes) ?? Buffer.alloc(0),
  };
}

/** As much of a stream as tells whether it is enciphered. */
const LONGEST_START = 16 * 1024;

/** Looks up the allocation table, whose first 109 sectors the header names; further ones are chained. */
function nextSector(header: Buffer, sector: (index: number) => Buffer, sectorBytes: number) {
  const perSector = sectorBytes / 4;
  const tables = new Map<number, Buffer>();
  const placeOf = (table: number): number => {
    if (table < HEADER_FAT_ENTRIES) return header.readUInt32LE(76 + table * 4);
    const list = table - HEADER_FAT_ENTRIES;
    let index = header.readUInt32LE(68);
    for (let skipped = 0; skipped < Math.floor(list / (perSector - 1)); skipped += 1)
      index = sector(index).readUInt32LE(sectorBytes - 4);
    return sector(index).readUInt32LE((list % (perSector - 1)) * 4);
  };
  return (index: number): number => {
    const number = Math.floor(index / perSector);
    const table = computeOnce(tables, number, () => sector(placeOf(number)));
    return table.readUInt32LE((index % perSector) * 4);
  };
}
