// Font files (TrueType, OpenType, collections), read in parts: a font of 20 MB is never read whole to learn
// its name or its characters.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

export interface TablePlace {
  offset: number;
  length: number;
}
export type Tables = ReadonlyMap<string, TablePlace>;

export interface FaceTables {
  /** The version word of the font: TrueType or OTTO. */
  version: number;
  tables: Tables;
}

const MAX_FACES = 64;
const MAX_TABLES = 128;

export class FontFile {
  private readonly descriptor: number;
  private readonly size: number;

  private constructor(descriptor: number) {
    this.descriptor = descriptor;
    this.size = fstatSync(descriptor).size;
  }

  /** Opens a file for as long as `use` runs. */
  static with<T>(path: string, use: (file: FontFile) => T): T {
    const descriptor = openSync(path, 'r');
    try {
      return use(new FontFile(descriptor));
    } finally {
      closeSync(descriptor);
    }
  }

  /** Where each face begins; a plain font has one. */
  faceOffsets(): number[] {
    const head = this.read(0, 12);
    if (head.toString('latin1', 0, 4) !== 'ttcf') return [0];
    const count = Math.min(head.readUInt32BE(8), MAX_FACES);
    const offsets = this.read(12, 4 * count);
    return Array.from({ length: count }, (_, index) => offsets.readUInt32BE(4 * index));
  }

  face(offset: number): FaceTables {
    const head = this.read(offset, 12);
    const count = Math.min(head.readUInt16BE(4), MAX_TABLES);
    const rows = this.read(offset + 12, 16 * count);
    const tables = new Map<string, TablePlace>();
    for (let at = 0; at < rows.length; at += 16) {
      const place = { offset: rows.readUInt32BE(at + 8), length: rows.readUInt32BE(at + 12) };
      if (place.offset + place.length > this.size) continue;
      tables.set(rows.toString('latin1', at, at + 4), place);
    }
    return { version: head.readUInt32BE(0), tables };
  }

  /** A table, or its first bytes. */
  table(tables: Tables, tag: string, maxBytes: number): Buffer | undefined {
    const place = tables.get(tag);
    return place && this.read(place.offset, Math.min(place.length, maxBytes));
  }

  read(offset: number, length: number): Buffer {
    const bytes = Buffer.allocUnsafe(length);
    this.readInto(bytes, offset);
    return bytes;
  }

  readInto(target: Uint8Array, offset: number): void {
    for (let done = 0; done < target.length; ) {
      const got = readSync(this.descriptor, target, done, target.length - done, offset + done);
      if (got === 0) throw new RangeError('the font file ends early');
      done += got;
    }
  }
}

/** The size of a font file that holds only these tables. */
export function partSize(tables: Tables, tags: readonly string[]): number {
  const kept = tags.filter((tag) => tables.has(tag));
  return kept.reduce((sum, tag) => sum + padded(tables.get(tag)?.length ?? 0), 12 + 16 * kept.length);
}

/** How a table is brought to its place, where it is not simply read. */
export type ReadTable = (tag: string, place: TablePlace, target: Uint8Array) => void;

/** Writes a font file that holds only these tables into `target`, of `partSize` bytes. */
export function readPart(
  file: FontFile,
  face: FaceTables,
  tags: readonly string[],
  target: Uint8Array,
  readTable: ReadTable = (_, place, part) => file.readInto(part, place.offset),
): void {
  const kept = tags.filter((tag) => face.tables.has(tag)).sort();
  const view = new DataView(target.buffer, target.byteOffset, target.length);
  view.setUint32(0, face.version);
  view.setUint16(4, kept.length);
  let at = 12 + 16 * kept.length;
  for (const [index, tag] of kept.entries()) {
    const place = face.tables.get(tag);
    if (!place) continue;
    const row = 12 + 16 * index;
    for (let letter = 0; letter < 4; letter += 1) view.setUint8(row + letter, tag.charCodeAt(letter));
    view.setUint32(row + 8, at);
    view.setUint32(row + 12, place.length);
    readTable(tag, place, target.subarray(at, at + place.length));
    at += padded(place.length);
  }
}

const padded = (length: number): number => (length + 3) & ~3;
