// The container of TrueType and OpenType fonts: tables by their tags.

export interface TableRecord {
  tag: string;
  offset: number;
  length: number;
}

export interface Sfnt {
  version: number;
  tables: Map<string, Buffer>;
}

/** So many tables are looked at; fonts have some twenty. */
const MAX_TABLES = 128;
const HEADER_BYTES = 12;
const RECORD_BYTES = 16;
const COLLECTION = 0x74746366;
/** Where the head table tells the checksum of the file, and what that is taken from. */
const HEAD_CHECKSUM = 8;
const MAGIC = 0xb1b0afba;

/** How many bytes the table directory takes that begins with these. */
export const directoryBytes = (header: Buffer): number =>
  HEADER_BYTES + RECORD_BYTES * Math.min(header.readUInt16BE(4), MAX_TABLES);

/** The rows of a table directory, as many as there are. */
export function readTableRecords(directory: Buffer): TableRecord[] {
  const records: TableRecord[] = [];
  const end = Math.min(directory.length, directoryBytes(directory));
  for (let at = HEADER_BYTES; at + RECORD_BYTES <= end; at += RECORD_BYTES)
    records.push({
      tag: directory.toString('latin1', at, at + 4),
      offset: directory.readUInt32BE(at + 8),
      length: directory.readUInt32BE(at + 12),
    });
  return records;
}

/** The font as far as it is there, of a collection the first one; `faults` tells what is wrong with the directory. */
export function readSfnt(file: Buffer): Sfnt & { faults: readonly string[] } {
  const isCollection = file.readUInt32BE(0) === COLLECTION;
  const directory = isCollection ? file.subarray(file.readUInt32BE(12)) : file;
  const faults: string[] = isCollection ? ['a collection of fonts'] : [];
  const records = readTableRecords(directory);
  if (records.length < directory.readUInt16BE(4)) faults.push('more tables than there can be');
  const tables = new Map<string, Buffer>();
  for (const { tag, offset, length } of records) {
    if (offset > file.length) faults.push(`table ${tag} lies outside of the file`);
    else {
      if (tables.has(tag)) faults.push(`table ${tag} is there twice`);
      tables.set(tag, file.subarray(offset, offset + length));
    }
  }
  return { version: directory.readUInt32BE(0), tables, faults };
}

/** Undefined where anything is wrong with the table directory. */
export function readSoundSfnt(file: Buffer): Sfnt | undefined {
  const { faults, ...sfnt } = readSfnt(file);
  return faults.length === 0 ? sfnt : undefined;
}

/** Where tables of these lengths come to lie in a font file of their own. */
export function layOutTables(lengths: Iterable<readonly [tag: string, length: number]>): {
  records: TableRecord[];
  size: number;
} {
  const sorted = [...lengths].sort(([one], [other]) => (one < other ? -1 : 1));
  let size = HEADER_BYTES + RECORD_BYTES * sorted.length;
  const records = sorted.map(([tag, length]) => {
    const offset = size;
    size += padLength(length);
    return { tag, offset, length };
  });
  return { records, size };
}

/** Without checksums. */
export function writeDirectory(file: Buffer, version: number, records: readonly TableRecord[]): void {
  const power = 2 ** Math.floor(Math.log2(Math.max(1, records.length)));
  file.writeUInt32BE(version, 0);
  file.writeUInt16BE(records.length, 4);
  file.writeUInt16BE(power * RECORD_BYTES, 6);
  file.writeUInt16BE(Math.log2(power), 8);
  file.writeUInt16BE((records.length - power) * RECORD_BYTES, 10);
  for (const [index, { tag, offset, length }] of records.entries()) {
    const row = HEADER_BYTES + RECORD_BYTES * index;
    file.write(tag, row, 'latin1');
    file.writeUInt32BE(offset, row + 8);
    file.writeUInt32BE(length, row + 12);
  }
}

export function writeSfnt({ version, tables }: Sfnt): Buffer {
  const { records, size } = layOutTables([...tables].map(([tag, { length }]) => [tag, length]));
  const file = Buffer.alloc(size);
  writeDirectory(file, version, records);
  for (const [index, { tag, offset, length }] of records.entries()) {
    tables.get(tag)?.copy(file, offset);
    if (tag === 'head' && length >= HEAD_CHECKSUM + 4) file.writeUInt32BE(0, offset + HEAD_CHECKSUM);
    const sum = checksum(file, offset, offset + padLength(length));
    file.writeUInt32BE(sum, HEADER_BYTES + RECORD_BYTES * index + 4);
  }
  const head = records.find(({ tag }) => tag === 'head');
  if (head) file.writeUInt32BE((MAGIC - checksum(file, 0, size)) >>> 0, head.offset + HEAD_CHECKSUM);
  return file;
}

const padLength = (length: number): number => (length + 3) & ~3;

function checksum(file: Buffer, from: number, to: number): number {
  let sum = 0;
  for (let at = from; at < to; at += 4) sum = (sum + file.readUInt32BE(at)) >>> 0;
  return sum;
}
