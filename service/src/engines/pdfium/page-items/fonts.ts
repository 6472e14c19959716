// What a font tells of itself, asked once a page.
import type { GlyphLook } from '../../../contract/page-items.ts';
import type { Library, Pointer } from '../library.ts';

export type FontDescription = Pick<GlyphLook, 'font' | 'weight' | 'italic' | 'fixedPitch' | 'serif'>;

const MAX_FONT_NAME = 256;

/** Flags of a font descriptor. */
const FIXED_PITCH = 1;
const SERIF = 1 << 1;
const ITALIC = 1 << 6;
const FORCE_BOLD = 1 << 18;

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
      const scratch = this.library.allocate(4);
      const read = this.library.native.FPDFFont_GetGlyphWidth(font, code, 1, scratch);
      width = read ? new DataView(this.library.heap().buffer, scratch, 4).getFloat32(0, true) : 0;
      this.library.free(scratch);
      this.widths.set(key, width);
    }
    return width;
  }

  private read(font: Pointer): FontDescription {
    const { native } = this.library;
    const flags = Math.max(0, native.FPDFFont_GetFlags(font));
    const name = this.name(font);
    const weight = Math.max(0, native.FPDFFont_GetWeight(font));
    return {
      font: name,
      weight: flags & FORCE_BOLD ? Math.max(700, weight) : weight,
      italic: Boolean(flags & ITALIC) || this.leans(font) || /italic|oblique/i.test(name),
      fixedPitch: Boolean(flags & FIXED_PITCH),
      serif: Boolean(flags & SERIF),
    };
  }

  private leans(font: Pointer): boolean {
    const scratch = this.library.allocate(4);
    const read = this.library.native.FPDFFont_GetItalicAngle(font, scratch);
    const angle = new DataView(this.library.heap().buffer, scratch, 4).getInt32(0, true);
    this.library.free(scratch);
    return Boolean(read) && Math.abs(angle) >= 3 && Math.abs(angle) <= 45;
  }

  private name(font: Pointer): string {
    const buffer = this.library.allocate(MAX_FONT_NAME);
    try {
      const bytes = this.library.native.FPDFFont_GetBaseFontName(font, buffer, MAX_FONT_NAME);
      if (bytes <= 1 || bytes > MAX_FONT_NAME) return '';
      const name = Buffer.from(this.library.heap().subarray(buffer, buffer + bytes - 1)).toString('utf8');
      return name.replace(/^[A-Z]{6}\+/, '');
    } finally {
      this.library.free(buffer);
    }
  }
}
