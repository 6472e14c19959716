// TrueType outlines: the glyf table and its index.
import { MAC_ROMAN } from '../simple-encodings.ts';
import { type CmapSubtable, readCmapTable } from './cmap-table.ts';
import { readComponents, readLocations } from './glyf-table.ts';
import { HINTING_TABLES, maxpWithoutHinting, withoutInstructions } from './hinting.ts';
import { clearMetrics } from './hmtx-table.ts';
import { type GlyphNames, readGlyphNames, subsetNames } from './post-table.ts';
import { type Sfnt, writeSfnt } from './sfnt.ts';
import type { FontProgram, GlyphSelection, Shown, SubsetOptions, SubsetProgram } from './subset.ts';

/** Formats of cmap subtables that can be looked up; 14 tells variants of characters, which no code of a PDF is. */
const KNOWN_FORMATS: readonly (number | undefined)[] = [0, 4, 6, 12, 14];
/** Where symbol fonts have their codes in the (3,0) map. */
const SYMBOL_BASES = [0, 0xf000, 0xf100, 0xf200];
/** Names by which some producers tell the number of a glyph. */
const NUMBERED = /^(?:g|gid|glyph|cid|index)[-_.]?(\d{1,5})$/i;

/** What an index of short entries can tell. */
const LARGEST_SHORT = 0x1fffe;

export class TrueTypeProgram implements FontProgram {
  private readonly sfnt: Sfnt;
  private readonly outlines: Buffer;
  private readonly locations: Uint32Array;
  private readonly dropped: number;
  private cmaps: readonly CmapSubtable[] | undefined;
  private names: GlyphNames | undefined;
  /** What other tables say of single glyphs. */
  private readonly entryBytes: number;

  private constructor(sfnt: Sfnt, outlines: Buffer, locations: Uint32Array, dropped: number) {
    this.dropped = dropped;
    this.entryBytes = entryBytes(sfnt.tables.get('hmtx')) + entryBytes(sfnt.tables.get('post'));
    this.sfnt = sfnt;
    this.outlines = outlines;
    this.locations = locations;
  }

  /** `dropped`: bytes of tables that were left out already. */
  static read(sfnt: Sfnt, dropped: number): TrueTypeProgram | undefined {
    const { tables } = sfnt;
    const [outlines, index, head, profile] = ['glyf', 'loca', 'head', 'maxp'].map((tag) => tables.get(tag));
    if (!outlines || !index || !head || !profile) return undefined;
    const locations = readLocations(index, head, profile.readUInt16BE(4));
    const isSound = locations.every(
      (at, glyph) => at >= (locations[glyph - 1] ?? 0) && at <= outlines.length,
    );
    return isSound ? new TrueTypeProgram(sfnt, outlines, locations, dropped) : undefined;
  }

  private get count(): number {
    return this.locations.length - 1;
  }

  private outline(glyph: number): Buffer {
    return this.outlines.subarray(this.locations[glyph] ?? 0, this.locations[glyph + 1] ?? 0);
  }

  glyphsOf(shown: Shown): readonly number[] | undefined {
    if (shown.kind === 'cid') return [shown.glyph ?? shown.cid];
    this.cmaps ??= readCmapTable(this.sfnt.tables.get('cmap'));
    this.names ??= readGlyphNames(this.sfnt.tables.get('post'));
    if (!this.cmaps.every(({ format }) => KNOWN_FORMATS.includes(format))) return undefined;
    const named = this.glyphsOfName(shown.name, shown.characters.length > 0);
    if (!named) return undefined;
    const found = [...named, ...this.glyphsOfCode(this.cmaps, shown.code, shown.characters)];
    for (const character of shown.characters) found.push(...(this.names.byCharacter.get(character) ?? []));
    // Where no map helps, readers take codes for numbers of glyphs.
    return found.some((glyph) => glyph > 0) ? found : [shown.code, shown.code - shown.firstCode + 3];
  }

  draws(shown: Shown): boolean {
    const isDrawn = (glyph: number): boolean =>
      glyph > 0 && glyph < this.count && this.outline(glyph).length > 0;
    if (shown.kind === 'cid') return isDrawn(shown.glyph ?? shown.cid);
    const { code, firstCode } = shown;
    const guesses = [code, code - firstCode + 3];
    const found = this.glyphsOf(shown) ?? guesses;
    return found.some((glyph, at) => isDrawn(glyph) && (found.length !== 2 || glyph !== guesses[at]));
  }

  private glyphsOfName(name: string | undefined, isKnown: boolean): number[] | undefined {
    if (name === undefined) return [];
    const glyph = this.names?.byName.get(name);
    const number = NUMBERED.exec(name)?.[1];
    if (glyph === undefined && number === undefined && !isKnown) return undefined;
    return [glyph ?? 0, Number(number ?? 0)];
  }

  private glyphsOfCode(
    cmaps: readonly CmapSubtable[],
    code: number,
    characters: readonly string[],
  ): number[] {
    const codes = [...SYMBOL_BASES.map((base) => base + code), ...characters.flatMap(pointAndMacintosh)];
    return cmaps.flatMap((cmap) => codes.map((each) => cmap.glyph(each)));
  }

  select(glyphs: ReadonlySet<number>): GlyphSelection {
    const found = new Set<number>();
    const waiting = [0, ...glyphs];
    let kept = 0;
    for (let glyph = waiting.pop(); glyph !== undefined; glyph = waiting.pop()) {
      if (found.has(glyph) || glyph < 0 || glyph >= this.count) continue;
      found.add(glyph);
      const outline = this.outline(glyph);
      kept += outline.length;
      for (const { glyph: part } of readComponents(outline)) waiting.push(part);
    }
    const unused = 1 - found.size / Math.max(1, this.count);
    const spared = this.dropped + this.outlines.length - kept + Math.round(this.entryBytes * unused);
    const sparedIfTight = HINTING_TABLES.reduce(
      (sum, tag) => sum + (this.sfnt.tables.get(tag)?.length ?? 0),
      0,
    );
    return { glyphs: found, spared, sparedIfTight, cut: (options) => this.cutTo(found, options) };
  }

  private cutTo(glyphs: ReadonlySet<number>, { tight = false }: SubsetOptions = {}): SubsetProgram {
    const outlineOf = (glyph: number): Buffer =>
      tight ? withoutInstructions(this.outline(glyph)) : this.outline(glyph);
    const outlines = [...glyphs]
      .sort((a, b) => a - b)
      .map((glyph) => ({ glyph, bytes: even(outlineOf(glyph)) }));
    const size = outlines.reduce((sum, { bytes }) => sum + bytes.length, 0);
    const isLong = size > LARGEST_SHORT;
    const index = Buffer.alloc((isLong ? 4 : 2) * (this.count + 1));
    let next = 0;
    let at = 0;
    const place = (until: number): void => {
      for (; next <= until; next += 1)
        if (isLong) index.writeUInt32BE(at, 4 * next);
        else index.writeUInt16BE(at / 2, 2 * next);
    };
    for (const { glyph, bytes } of outlines) {
      place(glyph);
      at += bytes.length;
    }
    place(this.count);
    const head = Buffer.from(this.sfnt.tables.get('head') ?? []);
    head.writeInt16BE(isLong ? 1 : 0, 50);
    const tables = new Map(this.sfnt.tables);
    const [metrics, header, names, profile] = ['hmtx', 'hhea', 'post', 'maxp'].map((tag) => tables.get(tag));
    if (metrics && header) tables.set('hmtx', clearMetrics(metrics, header, glyphs));
    if (names) tables.set('post', subsetNames(names, glyphs));
    if (tight) for (const tag of HINTING_TABLES) tables.delete(tag);
    if (tight && profile) tables.set('maxp', maxpWithoutHinting(profile));
    tables
      .set('head', head)
      .set('loca', index)
      .set('glyf', Buffer.concat(outlines.map(({ bytes }) => bytes)));
    return { bytes: writeSfnt({ version: this.sfnt.version, tables }) };
  }
}

function pointAndMacintosh(character: string): number[] {
  const code = MAC_ROMAN.get(character);
  return [character.codePointAt(0) ?? 0, ...(code === undefined ? [] : [code])];
}

const even = (bytes: Buffer): Buffer => (bytes.length & 1 ? Buffer.concat([bytes, Buffer.alloc(1)]) : bytes);

/** How much a table says of single glyphs: zeros say nothing. */
function entryBytes(table: Buffer | undefined): number {
  let bytes = 0;
  for (const byte of table?.subarray(32) ?? []) if (byte !== 0) bytes += 1;
  return bytes;
}
