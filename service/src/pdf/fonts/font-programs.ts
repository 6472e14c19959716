// The font programs of a document while it is subset: each is read once, and so is what each code of a font shows.
import type { PdfDocument } from '../document.ts';
import type { Ref } from '../objects.ts';
import type { EmbeddedFont } from './embedded-font.ts';
import { unlessDamaged } from './programs/damage.ts';
import { readFontProgram } from './programs/font-program.ts';
import type { FontProgram, GlyphSelection } from './programs/subset.ts';

/** Font programs are held while parts are made; what comes beyond this many bytes stays whole. */
const MAX_HELD_BYTES = 128 * 1024 * 1024;

export interface ShownFont {
  font: EmbeddedFont;
  codes: ReadonlySet<number> | undefined;
}

interface HeldProgram {
  program: FontProgram;
  /** Unpacked. */
  size: number;
}

export class FontPrograms {
  private readonly doc: PdfDocument;
  private readonly programs = new Map<string, HeldProgram | undefined>();
  private readonly glyphs = new Map<EmbeddedFont, Map<number, readonly number[] | undefined>>();
  private heldBytes = 0;

  constructor(doc: PdfDocument) {
    this.doc = doc;
  }

  /** The glyphs that these fonts show of their program; undefined where that cannot be told. */
  select(key: string, fonts: readonly ShownFont[]): GlyphSelection | undefined {
    return unlessDamaged(() => this.selectGlyphs(key, fonts));
  }

  /** Unpacked; undefined for a program that was not understood. */
  sizeOf(key: string): number | undefined {
    return this.programs.get(key)?.size;
  }

  private selectGlyphs(key: string, fonts: readonly ShownFont[]): GlyphSelection | undefined {
    const program = this.program(key, fonts[0]?.font.program)?.program;
    if (!program) return undefined;
    const glyphs = new Set<number>();
    for (const { font, codes } of fonts) {
      if (!codes) return undefined;
      for (const code of codes) {
        const found = this.glyphsOf(program, font, code);
        if (!found) return undefined;
        for (const glyph of found) glyphs.add(glyph);
      }
    }
    return program.select(glyphs);
  }

  /** The same codes come again in every part. */
  private glyphsOf(program: FontProgram, font: EmbeddedFont, code: number): Iterable<number> | undefined {
    const known = this.glyphs.get(font) ?? new Map<number, readonly number[] | undefined>();
    this.glyphs.set(font, known);
    if (!known.has(code)) {
      const found = program.glyphsOf(font.shown(code));
      known.set(code, found && [...found]);
    }
    return known.get(code);
  }

  private program(key: string, ref: Ref | undefined): HeldProgram | undefined {
    if (ref && !this.programs.has(key)) {
      const { bytes, decoded } = this.doc.streamData(ref);
      const isUsable = decoded && this.heldBytes + bytes.length <= MAX_HELD_BYTES;
      if (isUsable) this.heldBytes += bytes.length;
      const program = isUsable ? readFontProgram(Buffer.from(bytes)) : undefined;
      this.programs.set(key, program && { program, size: bytes.length });
    }
    return this.programs.get(key);
  }
}
