// CFF outlines, as far as embedding needs to know them: the numbers (CIDs) by which PDF draws glyphs, and where
// the outline of each glyph lies.
import { CFF_OPERATOR } from '../../pdf/fonts/programs/cff.ts';
import {
  type CffDict,
  entryOf,
  readCffDict,
  readCffIndexes,
  readCharset,
} from '../../pdf/fonts/programs/cff-structures.ts';
import type { FontFile, TablePlace } from './font-file.ts';

const HEAD_BYTES = 65536;

/** Glyph to CID; undefined for a font without CIDs. */
export function readCids(file: FontFile, cff: TablePlace, glyphCount: number): Uint16Array | undefined {
  const top = readTop(file, cff);
  if (!top.has(CFF_OPERATOR.ros)) return undefined;
  const at = top.get(CFF_OPERATOR.charset)?.[0] ?? 0;
  const bytes = file.read(cff.offset + at, Math.max(0, Math.min(cff.length - at, 1 + 2 * glyphCount + 4)));
  return readCharset(bytes, 0, glyphCount);
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
  const index = readTop(file, cff).get(CFF_OPERATOR.charstrings)?.[0] ?? 0;
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

function readTop(file: FontFile, cff: TablePlace): CffDict {
  const head = file.read(cff.offset, Math.min(cff.length, HEAD_BYTES));
  return readCffDict(entryOf(head, readCffIndexes(head).topDicts, 0));
}
