// Adds glyphs to a TrueType font that are put together from others: a letter and its marks, a syllable. Drawn
// as one glyph with one code, such a cluster reads as one thing in every viewer.
import type { CompositeGlyph } from '../../pdf/text/drawn-text-shapes.ts';

const FLAGS = { words: 0x0001, offsets: 0x0002, more: 0x0020 } as const;
const LONG_LOCATIONS = 1;

interface Outline {
  bytes: Buffer;
  box: [number, number, number, number];
}

/** The font with the composites as its last glyphs. */
export function addComposites(font: Uint8Array, composites: readonly CompositeGlyph[]): Uint8Array {
  if (composites.length === 0) return font;
  const tables = readTables(Buffer.from(font.buffer, font.byteOffset, font.length));
  const glyf = need(tables, 'glyf');
  const locations = readLocations(need(tables, 'loca'), need(tables, 'head').readInt16BE(50));
  const made = composites.map((composite) => compose(composite, glyf, locations));
  tables.set('glyf', Buffer.concat([padded(glyf), ...made.map(({ bytes }) => bytes)]));
  tables.set('loca', writeLocations(locations, padded(glyf).length, made));
  tables.set('hmtx', writeMetrics(tables, composites, made));
  tables.set('maxp', writeProfile(need(tables, 'maxp'), composites));
  need(tables, 'head').writeInt16BE(LONG_LOCATIONS, 50);
  need(tables, 'hhea').writeUInt16BE(need(tables, 'maxp').readUInt16BE(4), 34);
  return writeTables(tables);
}

function need(tables: ReadonlyMap<string, Buffer>, tag: string): Buffer {
  const table = tables.get(tag);
  if (!table) throw new RangeError(`the font has no ${tag} table`);
  return table;
}

function readTables(file: Buffer): Map<string, Buffer> {
  const tables = new Map<string, Buffer>();
  for (let row = 12; row < 12 + 16 * file.readUInt16BE(4); row += 16) {
    const at = file.readUInt32BE(row + 8);
    tables.set(file.toString('latin1', row, row + 4), file.subarray(at, at + file.readUInt32BE(row + 12)));
  }
  return tables;
}

function readLocations(loca: Buffer, format: number): number[] {
  const long = format === LONG_LOCATIONS;
  return Array.from({ length: loca.length / (long ? 4 : 2) }, (_, index) =>
    long ? loca.readUInt32BE(4 * index) : 2 * loca.readUInt16BE(2 * index),
  );
}

function compose({ parts }: CompositeGlyph, glyf: Buffer, locations: readonly number[]): Outline {
  const inked = parts.filter(({ glyph }) => (locations[glyph + 1] ?? 0) > (locations[glyph] ?? 0));
  if (inked.length === 0) return { bytes: Buffer.alloc(0), box: [0, 0, 0, 0] };
  const boxes = inked.map(({ glyph, x, y }) => {
    const at = locations[glyph] ?? 0;
    const side = (index: number): number => glyf.readInt16BE(at + 2 + 2 * index);
    return [side(0) + x, side(1) + y, side(2) + x, side(3) + y] as Outline['box'];
  });
  const box = boxes.reduce(union);
  const bytes = Buffer.alloc((10 + 8 * inked.length + 3) & ~3);
  bytes.writeInt16BE(-1, 0);
  for (const [index, side] of box.entries()) bytes.writeInt16BE(short(side), 2 + 2 * index);
  for (const [index, { glyph, x, y }] of inked.entries()) {
    const at = 10 + 8 * index;
    const more = index + 1 < inked.length ? FLAGS.more : 0;
    bytes.writeUInt16BE(FLAGS.words | FLAGS.offsets | more, at);
    bytes.writeUInt16BE(glyph, at + 2);
    bytes.writeInt16BE(short(x), at + 4);
    bytes.writeInt16BE(short(y), at + 6);
  }
  return { bytes, box };
}

const union = (a: Outline['box'], b: Outline['box']): Outline['box'] => [
  Math.min(a[0], b[0]),
  Math.min(a[1], b[1]),
  Math.max(a[2], b[2]),
  Math.max(a[3], b[3]),
];

const short = (value: number): number => Math.max(-32768, Math.min(32767, Math.round(value)));

function writeLocations(before: readonly number[], start: number, made: readonly Outline[]): Buffer {
  const all = [...before.slice(0, -1), start];
  for (const { bytes } of made) all.push((all.at(-1) ?? 0) + bytes.length);
  const loca = Buffer.alloc(4 * all.length);
  for (const [index, location] of all.entries()) loca.writeUInt32BE(location, 4 * index);
  return loca;
}

/** Every glyph gets a full record: the short form of the last ones would not hold the new widths. */
function writeMetrics(
  tables: ReadonlyMap<string, Buffer>,
  composites: readonly CompositeGlyph[],
  made: readonly Outline[],
): Buffer {
  const hmtx = need(tables, 'hmtx');
  const full = need(tables, 'hhea').readUInt16BE(34);
  const glyphs = need(tables, 'maxp').readUInt16BE(4);
  const metrics = Buffer.alloc(4 * (glyphs + composites.length));
  for (let glyph = 0; glyph < glyphs; glyph += 1) {
    const record = 4 * Math.min(glyph, full - 1);
    const bearing = glyph < full ? 4 * glyph + 2 : 4 * full + 2 * (glyph - full);
    metrics.writeUInt16BE(hmtx.readUInt16BE(record), 4 * glyph);
    metrics.writeInt16BE(hmtx.readInt16BE(bearing), 4 * glyph + 2);
  }
  for (const [index, { width }] of composites.entries()) {
    metrics.writeUInt16BE(Math.max(0, Math.min(65535, Math.round(width))), 4 * (glyphs + index));
    metrics.writeInt16BE(short(made[index]?.box[0] ?? 0), 4 * (glyphs + index) + 2);
  }
  return metrics;
}

/** The glyph count, and the largest of everything a viewer makes room for. */
function writeProfile(maxp: Buffer, composites: readonly CompositeGlyph[]): Buffer {
  const profile = Buffer.from(maxp);
  const parts = composites.reduce((most, composite) => Math.max(most, composite.parts.length), 0);
  const raise = (at: number, value: number): void => {
    profile.writeUInt16BE(Math.min(65535, Math.max(profile.readUInt16BE(at), value)), at);
  };
  profile.writeUInt16BE(profile.readUInt16BE(4) + composites.length, 4);
  if (profile.length < 32) return profile;
  const [points, contours] = [6, 8].map((at) =>
    Math.max(profile.readUInt16BE(at), profile.readUInt16BE(at + 4)),
  );
  raise(10, (points ?? 0) * parts);
  raise(12, (contours ?? 0) * parts);
  raise(28, parts);
  raise(30, profile.readUInt16BE(30) + 1);
  return profile;
}

function writeTables(tables: ReadonlyMap<string, Buffer>): Uint8Array {
  const rows = [...tables].sort(([a], [b]) => (a < b ? -1 : 1));
  const head = Buffer.alloc(12 + 16 * rows.length);
  head.writeUInt32BE(0x00010000, 0);
  head.writeUInt16BE(rows.length, 4);
  const levels = Math.floor(Math.log2(rows.length));
  head.writeUInt16BE(16 << levels, 6);
  head.writeUInt16BE(levels, 8);
  head.writeUInt16BE(16 * rows.length - (16 << levels), 10);
  let at = head.length;
  for (const [index, [tag, table]] of rows.entries()) {
    const row = 12 + 16 * index;
    head.write(tag, row, 'latin1');
    head.writeUInt32BE(checksum(padded(table)), row + 4);
    head.writeUInt32BE(at, row + 8);
    head.writeUInt32BE(table.length, row + 12);
    at += padded(table).length;
  }
  return Buffer.concat([head, ...rows.map(([, table]) => padded(table))]);
}

function checksum(table: Buffer): number {
  let sum = 0;
  for (let at = 0; at < table.length; at += 4) sum = (sum + table.readUInt32BE(at)) >>> 0;
  return sum;
}

function padded(table: Buffer): Buffer {
  const missing = -table.length & 3;
  return missing === 0 ? table : Buffer.concat([table, Buffer.alloc(missing)]);
}
