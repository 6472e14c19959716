// What a font tells of itself, asked once a page.
import type { GlyphLook } from '../../../contract/page-items.ts';
import { FLAG, withoutSubsetTag } from '../../../pdf/fonts/font-descriptor.ts';
import type { Library, Pointer } from '../library.ts';

export type FontDescription = Pick<GlyphLook, 'font' | 'weight' | 'italic' | 'fixedPitch' | 'serif'>;

const MAX_FONT_NAME = 256;

const UNKNOWN: FontDescription = { font: '', weight: 0, italic: false, fixedPitch: false, serif: false };

export class FontReader {
  private readonly library: Library;
  private readonly known = new Map<Pointer, FontDescription>();
  private readonly widths = new Map<number, number>();

  constructor(library: Library) {
    this.library = library;
  }

  factsOf(font: Pointer): FontDescription {
    if (font === 0) return UNKNOWN;
    let facts = this.known.get(font);
    if (!facts) {
      facts = this.read(font);
      this.known.set(font, facts);
    }
    return facts;
  }

  /** How wide the glyph of a character is, as a part of the size; 0 where the font does not tell. */
  widthOf(font: Pointer, code: number): number {
    if (font === 0) return 0;
    const key = font * 2 ** 21 + code;
    let width = this.widths.get(key);
    if (width === undefined) {
      using scratch = this.library.borrow(4);
      const read = this.library.native.FPDFFont_GetGlyphWidth(font, code, 1, scratch.at);
      width = read ? (scratch.floats()[0] ?? 0) : 0;
      this.widths.set(key, width);
    }
    return width;
  }

  private read(font: Pointer): FontDescription {
    const { native } = this.library;
    const flags = Math.max(0, native.FPDFFont_GetFlags(font));
    const name = readFontName(this.library, font);
    const weight = Math.max(0, native.FPDFFont_GetWeight(font));
    return {
      font: name,
      weight: flags & FLAG.forceBold ? Math.max(700, weight) : weight,
      italic: Boolean(flags & FLAG.italic) || this.leans(font) || /italic|oblique/i.test(name),
      fixedPitch: Boolean(flags & FLAG.fixedPitch),
      serif: Boolean(flags & FLAG.serif),
    };
  }

  private leans(font: Pointer): boolean {
    using scratch = this.library.borrow(4);
    const read = this.library.native.FPDFFont_GetItalicAngle(font, scratch.at);
    const angle = scratch.view().getInt32(0, true);
    return Boolean(read) && Math.abs(angle) >= 3 && Math.abs(angle) <= 45;
  }
}

/** As the document gives it, without the mark of a subset. */
export function readFontName(library: Library, font: Pointer): string {
  using buffer = library.borrow(MAX_FONT_NAME);
  const bytes = library.native.FPDFFont_GetBaseFontName(font, buffer.at, MAX_FONT_NAME);
  return withoutSubsetTag(buffer.text(bytes, 'utf8') ?? '');
}
