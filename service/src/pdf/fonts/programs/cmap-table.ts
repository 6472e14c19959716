// The cmap table of TrueType and OpenType fonts: which glyph each code or character has. Nothing is unfolded: glyphs are
// looked up where they lie, so that hundreds of fonts can be asked.

export interface CmapSubtable {
  platform: number;
  encoding: number;
  /** Undefined for a subtable that lies outside of the table. */
  format: number | undefined;
  /** The glyph of a code; 0 where there is none, or where the table ends before what it promises. */
  glyph(code: number): number;
}

interface CmapRecord {
  platform: number;
  encoding: number;
  offset: number;
}

const MAX_SUBTABLES = 100;
const HEAD_BYTES = 4;
const RECORD_BYTES = 8;

/** The subtables there are. */
function readCmapRecords(cmap: Buffer): CmapRecord[] {
  const records: CmapRecord[] = [];
  const count = cmap.length < HEAD_BYTES ? 0 : Math.min(cmap.readUInt16BE(2), MAX_SUBTABLES);
  const end = Math.min(cmap.length, HEAD_BYTES + RECORD_BYTES * count);
  for (let at = HEAD_BYTES; at + RECORD_BYTES <= end; at += RECORD_BYTES)
    records.push({
      platform: cmap.readUInt16BE(at),
      encoding: cmap.readUInt16BE(at + 2),
      offset: cmap.readUInt32BE(at + 4),
    });
  return records;
}

export const readCmapTable = (cmap: Buffer | undefined): CmapSubtable[] =>
  readCmapRecords(cmap ?? Buffer.alloc(0)).map(({ offset, ...record }) => ({
    ...record,
    ...readCmapSubtable((cmap ?? Buffer.alloc(0)).subarray(offset)),
  }));

/** Platforms and encodings of characters, best first: all of Unicode, then its first plane. */
const UNICODE = ['3.10', '0.6', '0.4', '3.1', '0.3', '0.2', '0.1', '0.0'];
/** The length word of format 4 has 16 bits, and is wrong in some large fonts: so many bytes are taken at most. */
const MAX_SEGMENT_BYTES = 0x20000;

/** The glyphs of characters; the rest of the table need not stay in memory for it. */
export function readUnicodeCmap(cmap: Buffer): Pick<CmapSubtable, 'glyph'> {
  const records = readCmapRecords(cmap);
  for (const wanted of UNICODE) {
    const { offset = cmap.length } =
      records.findLast(({ platform, encoding }) => `${platform}.${encoding}` === wanted) ?? {};
    if (offset + 16 > cmap.length) continue;
    const format = cmap.readUInt16BE(offset);
    if (format !== 4 && format !== 12) continue;
    const length = format === 4 ? MAX_SEGMENT_BYTES : cmap.readUInt32BE(offset + 4);
    return readCmapSubtable(Buffer.from(cmap.subarray(offset, offset + length)));
  }
  return { glyph: () => 0 };
}

/** `table` begins with the subtable. */
function readCmapSubtable(table: Buffer): Pick<CmapSubtable, 'format' | 'glyph'> {
  if (table.length < 2) return { format: undefined, glyph: () => 0 };
  const format = table.readUInt16BE(0);
  const find = lookUp(format, table);
  return { format, glyph: (code) => (code >= 0 ? find(code) : 0) };
}

function lookUp(format: number, table: Buffer): (code: number) => number {
  const word = (at: number): number => (at + 2 <= table.length ? table.readUInt16BE(at) : 0);
  if (format === 0) return (code) => (code < 256 ? (table[6 + code] ?? 0) : 0);
  if (format === 6)
    return (code) => {
      const index = code - word(6);
      return index >= 0 && index < word(8) ? word(10 + 2 * index) : 0;
    };
  if (format === 4) return lookUpInSegments(table, word);
  return format === 12 ? lookUpInGroups(table) : () => 0;
}

/** Format 4: segments of codes of two bytes. */
function lookUpInSegments(table: Buffer, word: (at: number) => number): (code: number) => number {
  const count = word(6) >> 1;
  const find = finder({
    count,
    first: (segment) => word(16 + 2 * count + 2 * segment),
    last: (segment) => word(14 + 2 * segment),
  });
  return (code) => {
    const segment = find(code);
    if (segment === undefined) return 0;
    const delta = word(16 + 4 * count + 2 * segment);
    const rangeAt = 16 + 6 * count + 2 * segment;
    if (rangeAt + 2 > table.length) return 0;
    const range = word(rangeAt);
    // Some fonts say 0xffff where they mean that there is no list.
    if (range === 0 || range === 0xffff) return (code + delta) & 0xffff;
    const glyph = word(rangeAt + range + 2 * (code - word(16 + 2 * count + 2 * segment)));
    return glyph === 0 ? 0 : (glyph + delta) & 0xffff;
  };
}

/** Format 12: groups of consecutive characters. */
function lookUpInGroups(table: Buffer): (code: number) => number {
  const held = Math.max(0, Math.floor((table.length - 16) / 12));
  const count = held === 0 ? 0 : Math.min(table.readUInt32BE(12), held);
  const long = (group: number, at: number): number => table.readUInt32BE(16 + 12 * group + at);
  const find = finder({ count, first: (group) => long(group, 0), last: (group) => long(group, 4) });
  return (code) => {
    const group = find(code);
    return group === undefined ? 0 : long(group, 8) + code - long(group, 0);
  };
}

interface Ranges {
  count: number;
  first(range: number): number;
  last(range: number): number;
}

/** Finds the range that holds a code: by halves, unless a damaged font has them out of order. */
function finder({ count, first, last }: Ranges): (code: number) => number | undefined {
  let isSorted: boolean | undefined;
  const inOrder = (): boolean => {
    for (let range = 1; range < count; range += 1) if (first(range) <= last(range - 1)) return false;
    return true;
  };
  return (code) => {
    isSorted ??= inOrder();
    let low = 0;
    let high = count;
    while (low < high) {
      const middle = isSorted ? (low + high) >> 1 : low;
      if (code > last(middle) || (!isSorted && code < first(middle))) low = middle + 1;
      else high = middle;
    }
    return low < count && code >= first(low) ? low : undefined;
  };
}
