// Indexes of Kindle's books (INDX records): entries with a name and numbers under tags.
import { type PalmDatabase, u16, u32 } from './palm-database.ts';

export interface IndexEntry {
  name: string;
  tags: Map<number, number[]>;
}

export interface MobiIndex {
  entries: IndexEntry[];
  /** Texts that entries point to. */
  text(offset: number): Buffer;
}

interface Tag {
  tag: number;
  valuesEach: number;
  mask: number;
  ends: boolean;
}

const MAX_ENTRIES = 200_000;
const CNCX_STEP = 0x10000;

export function readIndex(database: PalmDatabase, first: number): MobiIndex | undefined {
  const head = database.record(first);
  if (head?.toString('latin1', 0, 4) !== 'INDX') return undefined;
  const table = tagTable(head, u32(head, 4));
  const records = Math.min(u32(head, 24), 10_000);
  const entries: IndexEntry[] = [];
  for (let index = 1; index <= records && table; index += 1) {
    const record = database.record(first + index);
    if (record?.toString('latin1', 0, 4) !== 'INDX') break;
    const places = u32(record, 20);
    const count = Math.min(u32(record, 24), MAX_ENTRIES - entries.length);
    for (let n = 0; n < count; n += 1) {
      const at = u16(record, places + 4 + 2 * n);
      const end = n + 1 < count ? u16(record, places + 4 + 2 * (n + 1)) : places;
      if (at > 0 && at < end && end <= record.length)
        entries.push(readEntry(record.subarray(at, end), table));
    }
  }
  const texts = first + records + 1;
  return {
    entries,
    text(offset) {
      const record = database.record(texts + Math.floor(offset / CNCX_STEP));
      if (!record) return Buffer.alloc(0);
      const { value, length } = variable(record, offset % CNCX_STEP);
      const from = (offset % CNCX_STEP) + length;
      return record.subarray(from, from + value);
    },
  };
}

interface TagTable {
  controlBytes: number;
  tags: Tag[];
}

function tagTable(record: Buffer, at: number): TagTable | undefined {
  if (record.toString('latin1', at, at + 4) !== 'TAGX') return undefined;
  const end = Math.min(at + u32(record, at + 4), record.length);
  const tags: Tag[] = [];
  for (let from = at + 12; from + 4 <= end; from += 4) {
    const [tag = 0, valuesEach = 0, mask = 0, ends = 0] = record.subarray(from, from + 4);
    tags.push({ tag, valuesEach, mask, ends: ends === 1 });
  }
  return { controlBytes: Math.min(u32(record, at + 8), 16), tags };
}

function readEntry(entry: Buffer, { controlBytes, tags }: TagTable): IndexEntry {
  const nameLength = entry[0] ?? 0;
  const control = 1 + nameLength;
  let at = control + controlBytes;
  let byte = 0;
  const next = (): number => {
    const { value, length } = variable(entry, at);
    at += length;
    return value;
  };
  const planned: { tag: number; count?: number; bytes?: number; valuesEach: number }[] = [];
  for (const { tag, valuesEach, mask, ends } of tags) {
    if (ends) {
      byte += 1;
      continue;
    }
    const value = (entry[control + byte] ?? 0) & mask;
    if (value === 0) continue;
    // All bits of a wide mask: how many bytes the values take stands before them.
    if (value === mask && bitCount(mask) > 1) planned.push({ tag, bytes: next(), valuesEach });
    else planned.push({ tag, count: value === mask ? 1 : value >> trailingZeros(mask), valuesEach });
  }
  const found = new Map<number, number[]>();
  for (const { tag, count, bytes, valuesEach } of planned) {
    const values: number[] = [];
    const end = at + (bytes ?? 0);
    if (count !== undefined)
      for (let n = 0; n < count * valuesEach && at < entry.length; n += 1) values.push(next());
    else while (at < Math.min(end, entry.length)) values.push(next());
    found.set(tag, values);
  }
  return { name: entry.toString('latin1', 1, control), tags: found };
}

/** Seven bits a byte; the last one has the eighth set. */
function variable(bytes: Buffer, at: number): { value: number; length: number } {
  let value = 0;
  let length = 0;
  while (length < 4) {
    const byte = bytes[at + length] ?? 0x80;
    length += 1;
    value = value * 128 + (byte & 0x7f);
    if (byte & 0x80) break;
  }
  return { value, length };
}

const bitCount = (mask: number): number => mask.toString(2).replaceAll('0', '').length;
const trailingZeros = (mask: number): number => 31 - Math.clz32(mask & -mask);
