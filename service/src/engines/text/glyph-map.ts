// Which characters a font has: its cmap table, looked up where it lies. Nothing is unfolded, so that knowing
// the coverage of hundreds of fonts stays cheap.

export interface GlyphMap {
  /** The glyph of a character; 0 when the font has none. */
  glyph(codePoint: number): number;
}

const NOTHING: GlyphMap = { glyph: () => 0 };

/** Subtables by platform and encoding, best first: full Unicode, then its first plane. */
const PREFERENCE = ['3.10', '0.6', '0.4', '3.1', '0.3', '0.2', '0.1', '0.0'];

export function readGlyphMap(cmap: Buffer): GlyphMap {
  const found = new Map<string, number>();
  const count = Math.min(cmap.readUInt16BE(2), 64);
  for (let index = 0; index < count; index += 1) {
    const row = 4 + 8 * index;
    found.set(`${cmap.readUInt16BE(row)}.${cmap.readUInt16BE(row + 2)}`, cmap.readUInt32BE(row + 4));
  }
  for (const wanted of PREFERENCE) {
    const offset = found.get(wanted);
    const map = offset === undefined ? undefined : subtable(cmap, offset);
    if (map) return map;
  }
  return NOTHING;
}

function subtable(cmap: Buffer, offset: number): GlyphMap | undefined {
  if (offset + 16 > cmap.length) return undefined;
  const format = cmap.readUInt16BE(offset);
  // A copy: the rest of the table need not stay in memory.
  if (format === 12)
    return new Groups(Buffer.from(cmap.subarray(offset, offset + cmap.readUInt32BE(offset + 4))));
  if (format === 4)
    return new Segments(Buffer.from(cmap.subarray(offset, offset + segmentsLength(cmap, offset))));
  return undefined;
}

/** The length word of format 4 has 16 bits and lies in some large fonts: what remains of the table is taken. */
const segmentsLength = (cmap: Buffer, offset: number): number =>
  Math.min(cmap.length - offset, Math.max(cmap.readUInt16BE(offset + 2), 0x20000));

/** Format 12: groups of consecutive characters. */
class Groups implements GlyphMap {
  private readonly bytes: Buffer;
  private readonly count: number;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
    this.count = Math.min(bytes.readUInt32BE(12), Math.floor((bytes.length - 16) / 12));
  }

  glyph(codePoint: number): number {
    let low = 0;
    let high = this.count - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const at = 16 + 12 * middle;
      const first = this.bytes.readUInt32BE(at);
      if (codePoint < first) high = middle - 1;
      else if (codePoint > this.bytes.readUInt32BE(at + 4)) low = middle + 1;
      else return this.bytes.readUInt32BE(at + 8) + codePoint - first;
    }
    return 0;
  }
}

/** Format 4: segments of the first plane. */
class Segments implements GlyphMap {
  private readonly bytes: Buffer;
  private readonly count: number;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
    this.count = Math.min(bytes.readUInt16BE(6) >> 1, Math.floor((bytes.length - 16) / 8));
  }

  glyph(codePoint: number): number {
    if (codePoint > 0xffff) return 0;
    let low = 0;
    let high = this.count - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.bytes.readUInt16BE(14 + 2 * middle) < codePoint) low = middle + 1;
      else high = middle;
    }
    return this.inSegment(low, codePoint);
  }

  private inSegment(segment: number, codePoint: number): number {
    const { bytes, count } = this;
    const last = bytes.readUInt16BE(14 + 2 * segment);
    const first = bytes.readUInt16BE(16 + 2 * count + 2 * segment);
    if (codePoint < first || codePoint > last) return 0;
    const delta = bytes.readUInt16BE(16 + 4 * count + 2 * segment);
    const rangeAt = 16 + 6 * count + 2 * segment;
    const range = bytes.readUInt16BE(rangeAt);
    if (range === 0) return (codePoint + delta) & 0xffff;
    const at = rangeAt + range + 2 * (codePoint - first);
    const glyph = at + 2 <= bytes.length ? bytes.readUInt16BE(at) : 0;
    return glyph === 0 ? 0 : (glyph + delta) & 0xffff;
  }
}
