// CFF outlines, as far as embedding needs to know them: the numbers (CIDs) by which PDF draws glyphs, and where
// the outline of each glyph lies.
import type { FontFile, TablePlace } from './font-file.ts';

const HEAD_BYTES = 65536;
const OPERATOR = { charset: 15, charStrings: 17, ros: 0x0c1e } as const;

/** Glyph to CID; undefined for a font without CIDs. */
export function readCids(file: FontFile, cff: TablePlace, glyphCount: number): Uint16Array | undefined {
  const top = readTop(file, cff);
  if (!top.has(OPERATOR.ros)) return undefined;
  const at = top.get(OPERATOR.charset)?.[0] ?? 0;
  const bytes = file.read(cff.offset + at, Math.max(0, Math.min(cff.length - at, 1 + 2 * glyphCount + 4)));
  return readCharset(bytes, glyphCount);
}

/**
 * Reads a CFF table, of the outlines only those of these glyphs: the rest of `target` stays as it is. Of the 15
 * MB of a Chinese font a line of text needs some kilobytes. Returns how many bytes were read.
 */
export function readOutlines(
  file: FontFile,
  cff: TablePlace,
  glyphs: readonly number[],
  target: Uint8Array,
): number {
  const index = readTop(file, cff).get(OPERATOR.charStrings)?.[0] ?? 0;
  const head = file.read(cff.offset + index, 3);
  const [count, size] = [head.readUInt16BE(0), head.readUInt8(2)];
  const offsets = file.read(cff.offset + index + 3, size * (count + 1));
  const base = index + 2 + offsets.length;
  const place = (glyph: number): number => base + offsets.readUIntBE(size * glyph, size);
  let bytesRead = 0;
  const copy = (from: number, to: number): void => {
    if (to <= from) return;
    file.readInto(target.subarray(from, to), cff.offset + from);
    bytesRead += to - from;
  };
  copy(0, base + 1);
  copy(place(count), cff.length);
  for (const glyph of [0, ...glyphs]) if (glyph < count) copy(place(glyph), place(glyph + 1));
  return bytesRead;
}

function readTop(file: FontFile, cff: TablePlace): Map<number, number[]> {
  const head = file.read(cff.offset, Math.min(cff.length, HEAD_BYTES));
  const names = indexAt(head, head.readUInt8(2));
  const tops = indexAt(head, names.end);
  return readDict(head.subarray(tops.first, tops.firstEnd));
}

/** Where the first entry of an INDEX lies, and where the INDEX ends. */
function indexAt(bytes: Buffer, at: number): { first: number; firstEnd: number; end: number } {
  const count = bytes.readUInt16BE(at);
  if (count === 0) return { first: at + 2, firstEnd: at + 2, end: at + 2 };
  const size = bytes.readUInt8(at + 2);
  const offset = (index: number): number => bytes.readUIntBE(at + 3 + size * index, size);
  const base = at + 2 + size * (count + 1);
  return { first: base + offset(0), firstEnd: base + offset(1), end: base + offset(count) };
}

/** Operators of a DICT and their numbers; two-byte operators as 0x0c00 plus the second. */
function readDict(bytes: Buffer): Map<number, number[]> {
  const found = new Map<number, number[]>();
  let operands: number[] = [];
  for (let at = 0; at < bytes.length; ) {
    const first = bytes.readUInt8(at);
    at += 1;
    if (first <= 21) {
      const operator = first === 12 ? 0x0c00 | bytes.readUInt8(at++) : first;
      found.set(operator, operands);
      operands = [];
    } else if (first === 28) {
      operands.push(bytes.readInt16BE(at));
      at += 2;
    } else if (first === 29) {
      operands.push(bytes.readInt32BE(at));
      at += 4;
    } else if (first === 30) {
      // A real number, in half bytes up to an `f`; none of those is asked for.
      while ((bytes.readUInt8(at) & 0x0f) !== 0x0f) at += 1;
      at += 1;
      operands.push(0);
    } else if (first <= 246) operands.push(first - 139);
    else if (first <= 250) operands.push((first - 247) * 256 + bytes.readUInt8(at++) + 108);
    else operands.push(-(first - 251) * 256 - bytes.readUInt8(at++) - 108);
  }
  return found;
}

function readCharset(bytes: Buffer, glyphCount: number): Uint16Array {
  const cids = new Uint16Array(glyphCount);
  const format = bytes.readUInt8(0);
  let at = 1;
  for (let glyph = 1; glyph < glyphCount; ) {
    let cid = bytes.readUInt16BE(at);
    const left = format === 0 ? 0 : format === 1 ? bytes.readUInt8(at + 2) : bytes.readUInt16BE(at + 2);
    at += format === 0 ? 2 : format === 1 ? 3 : 4;
    for (let step = 0; step <= left && glyph < glyphCount; step += 1) cids[glyph++] = cid++;
  }
  return cids;
}
