// The structures that CFF fonts are made of (Adobe Technical Note 5176): INDEX, DICT, charset, encoding, FDSelect. What
// lies outside of the font ends with a RangeError.
import { lookup } from '../../../contract/lookup.ts';

/** Where the entries of an INDEX lie. */
export interface CffIndex {
  count: number;
  /** Where an entry begins; that of `count` is where the last one ends. */
  start(entry: number): number;
  end: number;
}

export function readIndex(bytes: Buffer, at: number): CffIndex {
  const count = bytes.readUInt16BE(at);
  if (count === 0) return { count, start: () => at + 2, end: at + 2 };
  const size = bytes.readUInt8(at + 2);
  const base = at + 2 + size * (count + 1);
  const starts = new Uint32Array(count + 1);
  for (let entry = 0; entry <= count; entry += 1) {
    const start = base + bytes.readUIntBE(at + 3 + size * entry, size);
    if (start > bytes.length || start < (starts[entry - 1] ?? 0))
      throw new RangeError('the INDEX is damaged');
    starts[entry] = start;
  }
  const start = (entry: number): number => starts[entry] ?? bytes.length;
  return { count, start, end: start(count) };
}

export const entryOf = (bytes: Buffer, index: CffIndex, entry: number): Buffer =>
  bytes.subarray(index.start(entry), index.start(entry + 1));

/** The INDEX structures at the beginning of every font. */
export function readCffIndexes(
  bytes: Buffer,
): Record<'names' | 'topDicts' | 'strings' | 'globalSubrs', CffIndex> {
  const names = readIndex(bytes, bytes.readUInt8(2));
  const topDicts = readIndex(bytes, names.end);
  const strings = readIndex(bytes, topDicts.end);
  return {
    names,
    topDicts,
    strings,
    get globalSubrs() {
      return readIndex(bytes, strings.end);
    },
  };
}

/** Operators and their operands; two-byte operators as 0x0c00 plus the second. */
export type CffDict = ReadonlyMap<number, readonly number[]>;

export function readCffDict(bytes: Buffer): CffDict {
  const found = new Map<number, number[]>();
  let operands: number[] = [];
  for (let at = 0; at < bytes.length; ) {
    const first = bytes.readUInt8(at);
    at += 1;
    if (first <= 21) {
      const operator = first === 12 ? 0x0c00 | bytes.readUInt8(at) : first;
      if (first === 12) at += 1;
      found.set(operator, operands);
      operands = [];
    } else if (first === 28) {
      operands.push(bytes.readInt16BE(at));
      at += 2;
    } else if (first === 29) {
      operands.push(bytes.readInt32BE(at));
      at += 4;
    } else if (first === 30) {
      const start = at;
      while ((bytes.readUInt8(at) & 0x0f) !== 0x0f && bytes.readUInt8(at) >> 4 !== 0x0f) at += 1;
      at += 1;
      operands.push(realNumber(bytes.toString('hex', start, at)));
    } else if (first <= 246) operands.push(first - 139);
    else {
      const second = bytes.readUInt8(at);
      at += 1;
      operands.push(first <= 250 ? (first - 247) * 256 + second + 108 : -(first - 251) * 256 - second - 108);
    }
  }
  return found;
}

/** In half bytes: digits, `.`, `E`, `E-`, a reserved one, `-`, and what ends it. */
const HALF_BYTES: Readonly<Record<string, string>> = lookup({ a: '.', b: 'E', c: 'E-', d: '', e: '-' });

const realNumber = (digits: string): number =>
  Number((digits.split('f')[0] ?? '').replace(/[a-e]/g, (digit) => HALF_BYTES[digit] ?? '')) || 0;

/** The number (string or CID) of each glyph. */
export function readCharset(bytes: Buffer, offset: number, glyphCount: number): Uint16Array {
  const numbers = new Uint16Array(glyphCount);
  const format = bytes.readUInt8(offset);
  if (format > 2) throw new RangeError('the charset is of no known format');
  let at = offset + 1;
  for (let glyph = 1; glyph < glyphCount; ) {
    let number = bytes.readUInt16BE(at);
    const left = format === 0 ? 0 : format === 1 ? bytes.readUInt8(at + 2) : bytes.readUInt16BE(at + 2);
    at += format === 0 ? 2 : format === 1 ? 3 : 4;
    for (let step = 0; step <= left && glyph < glyphCount; step += 1) {
      numbers[glyph] = number;
      glyph += 1;
      number += 1;
    }
  }
  return numbers;
}

/** Codes of the encoding that is part of the font: each with its glyph, and those that are told by string. */
export function readEncoding(
  bytes: Buffer,
  offset: number,
): { glyphs: Map<number, number>; strings: Map<number, number> } {
  const glyphs = new Map<number, number>();
  const strings = new Map<number, number>();
  const format = bytes.readUInt8(offset);
  const count = bytes.readUInt8(offset + 1);
  let at = offset + 2;
  let glyph = 1;
  for (let entry = 0; entry < count; entry += 1) {
    const code = bytes.readUInt8(at);
    const left = (format & 0x7f) === 1 ? bytes.readUInt8(at + 1) : 0;
    at += (format & 0x7f) === 1 ? 2 : 1;
    for (let step = 0; step <= left; step += 1, glyph += 1) glyphs.set(code + step, glyph);
  }
  const supplements = format & 0x80 ? bytes.readUInt8(at) : 0;
  for (let entry = 0; entry < supplements; entry += 1)
    strings.set(bytes.readUInt8(at + 1 + 3 * entry), bytes.readUInt16BE(at + 2 + 3 * entry));
  return { glyphs, strings };
}

/** Which font of FDArray draws a glyph. */
export function readFdSelect(bytes: Buffer, offset: number): (glyph: number) => number {
  if (bytes.readUInt8(offset) === 0) return (glyph) => bytes.readUInt8(offset + 1 + glyph);
  const count = bytes.readUInt16BE(offset + 1);
  return (glyph) => {
    for (let at = offset + 3 * count; at > offset; at -= 3)
      if (bytes.readUInt16BE(at) <= glyph) return bytes.readUInt8(at + 2);
    return 0;
  };
}
