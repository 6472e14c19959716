// CFF outlines, alone in the file (Type1C, CIDFontType0C) or within an OpenType font. Outlines that are not wanted are
// overwritten where they lie: nothing in the file moves, and repeated bytes weigh nothing once packed.

import { STANDARD_NAMES } from '../simple-encodings.ts';
import { CFF_OPERATOR, CffFont } from './cff.ts';
import type { CffIndex } from './cff-structures.ts';
import { NamedGlyphs } from './named-glyphs.ts';
import type { FontProgram, GlyphSelection, Shown, SubsetProgram } from './subset.ts';
import { type Called, CharstringReader } from './type2-charstrings.ts';

const END = 14;
const RETURN = 11;

export class CffProgram implements FontProgram {
  private readonly font: CffFont;
  private readonly localSubrs: CffIndex | undefined;
  private readonly names: NamedGlyphs | undefined;

  private constructor(font: CffFont) {
    this.font = font;
    // Outlines in the manner of Type 1 are allowed for and never seen.
    if ((font.top.get(CFF_OPERATOR.charstringType)?.[0] ?? 2) !== 2)
      throw new RangeError('the outlines are of no known kind');
    if (font.isCid) return;
    this.localSubrs = font.localSubrs;
    this.names = font.names && new NamedGlyphs(font.names, (code) => font.glyphOfCode(code));
  }

  static read(bytes: Buffer): CffProgram | undefined {
    const font = new CffFont(bytes);
    return font.glyphCount > 0 ? new CffProgram(font) : undefined;
  }

  glyphsOf(shown: Shown): readonly number[] | undefined {
    if (shown.kind === 'simple') return this.names?.of(shown);
    const mapped = this.font.byCid.get(shown.cid);
    return [
      shown.cid,
      ...(mapped === undefined ? [] : [mapped]),
      ...(shown.glyph === undefined ? [] : [shown.glyph]),
    ];
  }

  draws(shown: Shown): boolean {
    const { count, start } = this.font.charstrings;
    const isDrawn = (glyph: number): boolean =>
      glyph > 0 && glyph < count && !isBlank(this.font.bytes.subarray(start(glyph), start(glyph + 1)));
    if (shown.kind === 'simple') return this.names?.meant(shown).some(isDrawn) ?? false;
    return isDrawn(shown.glyph ?? (this.font.isCid ? (this.font.byCid.get(shown.cid) ?? 0) : shown.cid));
  }

  select(glyphs: ReadonlySet<number>): GlyphSelection | undefined {
    const { count, start, end } = this.font.charstrings;
    const found = new Set([0, ...glyphs].filter((glyph) => glyph >= 0 && glyph < count));
    const space = this.names?.get('space');
    if (space !== undefined) found.add(space);
    const called = this.names && this.follow(found, this.names);
    // Fonts with CIDs have no accented letters put together from others.
    if (!called && !this.font.isCid) return undefined;
    let kept = 0;
    for (const glyph of found) kept += start(glyph + 1) - start(glyph);
    return { glyphs: found, spared: end - start(0) - kept, cut: () => this.cutTo(found, called) };
  }

  /** Adds what the glyphs are put together from; tells which shared subroutines they call. */
  private follow(glyphs: Set<number>, names: NamedGlyphs): Called | undefined {
    const { bytes, globalSubrs, charstrings } = this.font;
    const reader = new CharstringReader(bytes, this.localSubrs, globalSubrs);
    // What is added on the way is visited too.
    for (const glyph of glyphs) {
      if (!reader.follow(charstrings.start(glyph), charstrings.start(glyph + 1))) return undefined;
      for (const code of reader.called.components) {
        const component = names.get(STANDARD_NAMES[code] ?? '');
        if (component !== undefined) glyphs.add(component);
      }
    }
    return reader.called;
  }

  private cutTo(glyphs: ReadonlySet<number>, called: Called | undefined): SubsetProgram {
    const { charstrings, globalSubrs } = this.font;
    const bytes = Buffer.from(this.font.bytes);
    blank(bytes, charstrings, glyphs, END);
    if (called && this.localSubrs) blank(bytes, this.localSubrs, called.local, RETURN);
    if (called) blank(bytes, globalSubrs, called.global, RETURN);
    return { bytes };
  }
}

/** Nothing but its end, or a width before that (Adobe Technical Note 5177, 3.2). */
function isBlank(charstring: Buffer): boolean {
  const first = charstring[0] ?? END;
  const width = first === 28 ? 3 : first === 255 ? 5 : first >= 247 ? 2 : first >= 32 ? 1 : 0;
  return (charstring[width] ?? END) === END;
}

function blank(bytes: Buffer, { count, start }: CffIndex, kept: ReadonlySet<number>, filler: number): void {
  for (let entry = 0; entry < count; entry += 1)
    if (!kept.has(entry)) bytes.fill(filler, start(entry), start(entry + 1));
}
