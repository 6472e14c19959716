// Adds glyphs to a TrueType font that are put together from others: a letter and its marks, a syllable. Drawn
// as one glyph with one code, such a cluster reads as one thing in every viewer.
import { COMPONENT, readLocations } from '../../pdf/fonts/programs/glyf-table.ts';
import { readMetrics, writeMetrics } from '../../pdf/fonts/programs/hmtx-table.ts';
import { writeSfnt } from '../../pdf/fonts/programs/sfnt.ts';
import type { CompositeGlyph } from '../../pdf/text/drawn-text-shapes.ts';

const TRUE_TYPE = 0x00010000;
const LONG_LOCATIONS = 1;

interface Outline {
  bytes: Buffer;
  box: [number, number, number, number];
}

/** The font with the composites as its last glyphs. */
export function addComposites(
  before: ReadonlyMap<string, Buffer>,
  composites: readonly CompositeGlyph[],
): Buffer {
  const tables = new Map(before);
  const [glyf, loca, maxp] = [tableOf(tables, 'glyf'), tableOf(tables, 'loca'), tableOf(tables, 'maxp')];
  const head = Buffer.from(tableOf(tables, 'head'));
  const count = maxp.readUInt16BE(4);
  const metrics = readMetrics(tables);
  const locations = readLocations(loca, head, count);
  const made = composites.map((composite) => compose(composite, glyf, locations));
  const start = (glyf.length + 3) & ~3;
  const filler = Buffer.alloc(start - glyf.length);
  tables.set('glyf', Buffer.concat([glyf, filler, ...made.map(({ bytes }) => bytes)]));
  tables.set('loca', writeLocations(locations, start, made));
  tables.set('maxp', writeProfile(maxp, composites));
  head.writeInt16BE(LONG_LOCATIONS, 50);
  tables.set('head', head);
  writeMetrics(tables, count + composites.length, {
    advance: (glyph) => (glyph < count ? metrics?.advance(glyph) : composites[glyph - count]?.width),
    bearing: (glyph) =>
      glyph < count ? (metrics?.bearing(glyph) ?? 0) : short(made[glyph - count]?.box[0] ?? 0),
  });
  return writeSfnt({ version: TRUE_TYPE, tables });
}

export function tableOf(tables: ReadonlyMap<string, Buffer>, tag: string): Buffer {
  const table = tables.get(tag);
  if (!table) throw new RangeError(`the font has no ${tag} table`);
  return table;
}

function compose({ parts }: CompositeGlyph, glyf: Buffer, locations: Uint32Array): Outline {
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
    const more = index + 1 < inked.length ? COMPONENT.more : 0;
    bytes.writeUInt16BE(COMPONENT.words | COMPONENT.offsets | more, at);
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

function writeLocations(before: Uint32Array, start: number, made: readonly Outline[]): Buffer {
  const all = [...before.slice(0, -1), start];
  for (const { bytes } of made) all.push((all.at(-1) ?? 0) + bytes.length);
  const loca = Buffer.alloc(4 * all.length);
  for (const [index, location] of all.entries()) loca.writeUInt32BE(location, 4 * index);
  return loca;
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
