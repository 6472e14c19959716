// TrueType and OpenType font programs: which glyphs there are, how wide, and what codes and names lead to them.
import { type CmapSubtable, readCmapTable } from './cmap-table.ts';
import { type HorizontalMetrics, readMetrics } from './hmtx-table.ts';
import { type GlyphNames, readGlyphNames } from './post-table.ts';
import { readSfnt } from './sfnt.ts';

const HEAD_BYTES = 54;

export class TrueTypeFont {
  readonly glyphCount: number;
  readonly unitsPerEm: number;
  readonly cmaps: readonly CmapSubtable[];
  private readonly tables: ReadonlyMap<string, Buffer>;
  private names: GlyphNames | undefined;
  private metrics: HorizontalMetrics | undefined;

  private constructor(tables: ReadonlyMap<string, Buffer>, head: Buffer) {
    this.tables = tables;
    this.unitsPerEm = head.readUInt16BE(18) || 1000;
    const maxp = tables.get('maxp');
    this.glyphCount = maxp && maxp.length >= 6 ? maxp.readUInt16BE(4) : 0;
    this.cmaps = readCmapTable(tables.get('cmap'));
  }

  /** As far as it is there; undefined where it has no head. */
  static read(bytes: Buffer): TrueTypeFont | undefined {
    const { tables } = readSfnt(bytes);
    const head = tables.get('head');
    return head && head.length >= HEAD_BYTES ? new TrueTypeFont(tables, head) : undefined;
  }

  /** The program within an OpenType font. */
  get cff(): Buffer | undefined {
    return this.tables.get('CFF ');
  }

  /** In thousandths of the size; undefined where the font does not tell. */
  width(glyph: number): number | undefined {
    this.metrics ??= readMetrics(this.tables);
    const advance = this.metrics?.advance(glyph);
    return advance === undefined ? undefined : (advance * 1000) / this.unitsPerEm;
  }

  glyphNamed(name: string): number | undefined {
    return this.glyphNames.get(name);
  }

  /** Glyphs by their names. */
  get glyphNames(): ReadonlyMap<string, number> {
    this.names ??= readGlyphNames(this.tables.get('post'));
    return this.names.byName;
  }
}
