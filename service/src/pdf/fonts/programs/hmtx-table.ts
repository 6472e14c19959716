// The hmtx table of TrueType fonts: how far each glyph moves on, and where its outline begins. How many records there are
// stands in hhea; the last one tells the advance of all glyphs behind it.

type Tables = ReadonlyMap<string, Buffer>;

const COUNT_AT = 34;
const RECORD_BYTES = 4;

export interface HorizontalMetrics {
  advance(glyph: number): number | undefined;
  bearing(glyph: number): number;
}

/** In units of the font; undefined where it has no metrics. */
export function readMetrics(tables: Tables): HorizontalMetrics | undefined {
  const [hhea, hmtx] = [tables.get('hhea'), tables.get('hmtx')];
  const records = hhea && hhea.length >= COUNT_AT + 2 ? hhea.readUInt16BE(COUNT_AT) : 0;
  if (!hmtx || records === 0) return undefined;
  return {
    advance(glyph) {
      const at = RECORD_BYTES * Math.min(glyph, records - 1);
      return at + 2 <= hmtx.length ? hmtx.readUInt16BE(at) : undefined;
    },
    bearing(glyph) {
      const at = glyph < records ? RECORD_BYTES * glyph + 2 : RECORD_BYTES * records + 2 * (glyph - records);
      return at + 2 <= hmtx.length ? hmtx.readInt16BE(at) : 0;
    },
  };
}

/** Every glyph gets a record of its own. */
export function writeMetrics(
  tables: Map<string, Buffer>,
  glyphCount: number,
  { advance, bearing }: HorizontalMetrics,
): void {
  const hmtx = Buffer.alloc(RECORD_BYTES * glyphCount);
  let last = 0;
  for (let glyph = 0; glyph < glyphCount; glyph += 1) {
    // A damaged font tells of more records than it has: the last one counts for the others.
    last = advance(glyph) ?? last;
    hmtx.writeUInt16BE(Math.max(0, Math.min(0xffff, Math.round(last))), RECORD_BYTES * glyph);
    hmtx.writeInt16BE(bearing(glyph), RECORD_BYTES * glyph + 2);
  }
  const hhea = Buffer.from(tables.get('hhea') ?? []);
  hhea.writeUInt16BE(glyphCount, COUNT_AT);
  tables.set('hmtx', hmtx).set('hhea', hhea);
}

/** The table without what it tells of other glyphs: what is alike weighs nothing once packed. */
export function clearMetrics(hmtx: Buffer, hhea: Buffer, kept: ReadonlySet<number>): Buffer {
  const table = Buffer.from(hmtx);
  const records = Math.min(hhea.readUInt16BE(COUNT_AT), Math.floor(table.length / RECORD_BYTES));
  for (let glyph = 0; glyph < records - 1; glyph += 1)
    if (!kept.has(glyph)) table.fill(0, RECORD_BYTES * glyph, RECORD_BYTES * (glyph + 1));
  for (let at = RECORD_BYTES * records, glyph = records; at + 2 <= table.length; at += 2, glyph += 1)
    if (!kept.has(glyph)) table.fill(0, at, at + 2);
  return table;
}
