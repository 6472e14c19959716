// Kindle's books: MOBI and AZW3. What is packed in records becomes files that refer to each other.
import { Problem } from '../contract/problems.ts';
import { type Book, MAX_CHARACTERS } from './book.ts';
import { unpackerOf } from './mobi-compression.ts';
import type { MobiHeader } from './mobi-header.ts';
import { readKf7 } from './mobi-kf7.ts';
import { readKf8 } from './mobi-kf8.ts';
import { resourceOf } from './mobi-resources.ts';
import { openPalmDatabase, type PalmDatabase, u16, u32 } from './palm-database.ts';

const NOTHING = 0xffffffff;
const HAS_EXTH = 0x40;
const UTF8 = 65001;
const EXTH = { author: 100, boundary: 121, cover: 201, title: 503, language: 524 } as const;

export function readMobi(bytes: Uint8Array, name: string): Book {
  const database = openPalmDatabase(bytes);
  const first = database && headerAt(database, 0);
  if (!database || !first) throw unreadable(name);
  // "DRM-protected: unsupported_file_type"
  if (u16(first.record, 12) !== 0)
    throw new Problem('unsupported_file_type', `${name} is protected by digital rights management (DRM).`);
  const second = newerPart(database, first);
  const header = second ?? first;
  const text = textOf(header);
  if (!text || text.length === 0) throw unreadable(name);
  const book = header.version >= 8 ? readKf8(header, text) : readKf7(header, text);
  const cover = first.exth.get(EXTH.cover);
  const coverIndex = cover && cover.length >= 4 ? u32(cover, 0) + 1 : 0;
  const isShown = book.chapters.slice(0, 2).some(({ html }) => html.includes(`images/${coverIndex}"`));
  return {
    ...book,
    title: stringOf(header, EXTH.title) || fullName(header),
    author: stringOf(header, EXTH.author),
    language: stringOf(header, EXTH.language),
    cover: coverIndex > 0 && !isShown && header.resource(coverIndex) ? `images/${coverIndex}` : undefined,
  };
}

const unreadable = (name: string): Problem =>
  new Problem('unsupported_file_type', `${name} is not a MOBI or AZW3 book that can be read.`);

function headerAt(database: PalmDatabase, base: number, firstPart?: MobiHeader): MobiHeader | undefined {
  const record = database.record(base);
  if (!record || record.length < 16) return undefined;
  const isMobi = record.toString('latin1', 16, 20) === 'MOBI';
  const header: MobiHeader = {
    database,
    base,
    record,
    version: isMobi ? u32(record, 36) : 0,
    decoder: new TextDecoder(isMobi && u32(record, 28) === UTF8 ? 'utf-8' : 'windows-1252'),
    exth: isMobi && (u32(record, 128) & HAS_EXTH) !== 0 ? readExth(record, 16 + u32(record, 20)) : new Map(),
    pointer(at) {
      const value = isMobi && at < 16 + u32(record, 20) ? u32(record, at) : NOTHING;
      return value === NOTHING || value === 0 ? undefined : base + value;
    },
    resource(index) {
      // In files of two parts the images are those of the first.
      const from = firstPart ? firstPart.pointer(108) : header.pointer(108);
      const found = from === undefined ? undefined : database.record(from + index - 1);
      return found && index > 0 ? resourceOf(found) : undefined;
    },
  };
  return header;
}

/** Files may hold the book twice: the newer form behind a boundary. */
function newerPart(database: PalmDatabase, first: MobiHeader): MobiHeader | undefined {
  const boundary = first.exth.get(EXTH.boundary);
  if (!boundary || boundary.length < 4 || first.version >= 8) return undefined;
  const part = headerAt(database, u32(boundary, 0), first);
  return part && part.version >= 8 ? part : undefined;
}

function readExth(record: Buffer, at: number): Map<number, Buffer> {
  const found = new Map<number, Buffer>();
  if (record.toString('latin1', at, at + 4) !== 'EXTH') return found;
  let from = at + 12;
  for (let n = 0; n < Math.min(u32(record, at + 8), 1000) && from + 8 <= record.length; n += 1) {
    const length = Math.max(8, u32(record, from + 4));
    const tag = u32(record, from);
    if (!found.has(tag)) found.set(tag, record.subarray(from + 8, from + length));
    from += length;
  }
  return found;
}

const stringOf = ({ exth, decoder }: MobiHeader, tag: number): string => {
  const bytes = exth.get(tag);
  return bytes ? decoder.decode(bytes).trim() : '';
};

const fullName = ({ record, decoder }: MobiHeader): string =>
  decoder.decode(record.subarray(u32(record, 84), u32(record, 84) + Math.min(1000, u32(record, 88)))).trim();

/** All text records, unpacked and joined. */
function textOf(header: MobiHeader): Buffer | undefined {
  const { database, base, record } = header;
  const huff = { first: header.pointer(112) ?? -1, count: u32(record, 116) };
  const unpack = unpackerOf(database, u16(record, 0), huff);
  if (!unpack) return undefined;
  const length = u32(record, 20);
  const trailing = header.version >= 5 && length >= 0xe4 ? u16(record, 242) : 0;
  const parts: Buffer[] = [];
  let bytes = 0;
  for (let index = 1; index <= u16(record, 8) && bytes < MAX_CHARACTERS; index += 1) {
    const packed = database.record(base + index);
    if (!packed) break;
    const part = unpack(withoutTrailers(packed, trailing));
    parts.push(part);
    bytes += part.length;
  }
  return Buffer.concat(parts);
}

/** Data that stands behind the text of a record: how much, each piece tells with its last bytes. */
function withoutTrailers(record: Buffer, flags: number): Buffer {
  let end = record.length;
  for (let bit = 15; bit > 0; bit -= 1) if (flags & (1 << bit)) end -= trailerSize(record, end);
  if (flags & 1 && end > 0) end -= ((record[end - 1] ?? 0) & 3) + 1;
  return record.subarray(0, Math.max(0, end));
}

function trailerSize(record: Buffer, end: number): number {
  let size = 0;
  for (let n = 0; n < 4; n += 1) {
    const byte = record[end - 1 - n] ?? 0;
    size |= (byte & 0x7f) << (7 * n);
    if (byte & 0x80) break;
  }
  return size;
}
