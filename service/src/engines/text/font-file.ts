// Font files (TrueType, OpenType, collections), read in parts: a font of 20 MB is never read whole to learn
// its name or its characters.
import { fstatSync, readSync } from 'node:fs';
import { withFile } from '../../contract/file-bytes.ts';
import {
  directoryBytes,
  layOutTables,
  readTableRecords,
  writeDirectory,
} from '../../pdf/fonts/programs/sfnt.ts';

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

export class FontFile {
  private readonly descriptor: number;
  private readonly size: number;

  private constructor(descriptor: number) {
    this.descriptor = descriptor;
    this.size = fstatSync(descriptor).size;
  }

  /** Opens a file for as long as `use` runs. */
  static with<T>(path: string, use: (file: FontFile) => T): T {
    return withFile(path, 'r', (descriptor) => use(new FontFile(descriptor)));
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
    const directory = this.read(offset, directoryBytes(this.read(offset, 12)));
    const there = readTableRecords(directory).filter((record) => record.offset + record.length <= this.size);
    return {
      version: directory.readUInt32BE(0),
      tables: new Map(there.map(({ tag, ...place }) => [tag, place])),
    };
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

const lengthsOf = (tables: Tables, tags: readonly string[]): [string, number][] =>
  tags.flatMap((tag): [string, number][] => {
    const place = tables.get(tag);
    return place ? [[tag, place.length]] : [];
  });

/** The size of a font file that holds only these tables. */
export const partSize = (tables: Tables, tags: readonly string[]): number =>
  layOutTables(lengthsOf(tables, tags)).size;

/** How a table is brought to its place, where it is not simply read. */
export type ReadTable = (tag: string, place: TablePlace, target: Uint8Array) => void;

/** Writes a font file that holds only these tables into `target`, of `partSize` bytes. */
export function readPart(
  file: FontFile,
  { version, tables }: FaceTables,
  tags: readonly string[],
  target: Uint8Array,
  readTable: ReadTable = (_, place, part) => file.readInto(part, place.offset),
): void {
  const { records } = layOutTables(lengthsOf(tables, tags));
  writeDirectory(Buffer.from(target.buffer, target.byteOffset, target.length), version, records);
  for (const { tag, offset, length } of records) {
    const place = tables.get(tag);
    if (place) readTable(tag, place, target.subarray(offset, offset + length));
  }
}
