// What PDFium makes of the codes of a font: letters, advance, ink. Each code is shown to it once in a document; a page
// whose fonts and codes are all known needs not be read as text.
import type { Library, Pointer } from '../library.ts';
import { SHOWN_SIZE, widthOfCode } from './code-widths.ts';
import { NO_REPAIRS, type Repairs, readRepairs } from './font-repairs.ts';
import type { FontDescription } from './fonts.ts';
import { probeGlyphs } from './glyph-probe.ts';

const FEW_CODES = 0x100;
const MANY_CODES = 0x1_0000;
const FEW_SIGNS = 0x80;
/** Floats of one glyph: advance, then left, bottom, right, top of the ink, all in parts of the size. */
export const GLYPH_FLOATS = 5;
/** What a code draws where it is not one letter: several, as a ligature does. */
export const SEVERAL = -1;

/** The codes of one font. */
export class CachedFont {
  /** By code: the number of the glyph, from 1; 0 where it is not known. */
  glyphOf = new Uint16Array(FEW_CODES);
  /** By number: its letter, or that it has several. */
  letter = new Int32Array(FEW_SIGNS);
  readonly letters: (readonly number[])[] = [[]];
  /** The most that one of its glyphs has. */
  mostLetters = 1;
  measures = new Float64Array(FEW_SIGNS * GLYPH_FLOATS);
  /** How wide its space is, in parts of the size; undefined before anybody asked. */
  space: number | undefined;
  /** How wide codes are whose glyphs PDFium tells as other letters, in parts of the size. */
  readonly widths = new Map<number, number>();
  /** What it tells of itself; undefined before anybody asked. */
  facts: FontDescription | undefined;
  /** Codes that PDFium reads wrongly; undefined before it read any. */
  repairs: Repairs | undefined;
  /** Its characters do not stand where they were foretold: it is written downwards, or has a way of its own. */
  isOdd = false;
  /** A text object on no page: as long as it is there, so is the font, and its address means this font. */
  readonly holder: Pointer;

  constructor(holder: Pointer) {
    this.holder = holder;
  }

  add(code: number, letters: readonly number[], measures: readonly number[]): void {
    if (code >= MANY_CODES || this.letters.length >= MANY_CODES - 1) return;
    if (code >= this.glyphOf.length) {
      const more = new Uint16Array(MANY_CODES);
      more.set(this.glyphOf);
      this.glyphOf = more;
    }
    const cached = this.letters.push(letters) - 1;
    if (cached >= this.letter.length) {
      const [letter, measured] = [this.letter, this.measures];
      this.letter = new Int32Array(letter.length * 2);
      this.letter.set(letter);
      this.measures = new Float64Array(measured.length * 2);
      this.measures.set(measured);
    }
    this.letter[cached] = letters.length === 1 ? (letters[0] as number) : SEVERAL;
    this.mostLetters = Math.max(this.mostLetters, letters.length);
    this.measures.set(measures, cached * GLYPH_FLOATS);
    this.glyphOf[code] = cached;
  }
}

/** A document of more fonts than this is learnt anew from time to time: each is kept in memory. */
const MAX_FONTS = 48;

export class GlyphCache {
  private readonly library: Library;
  private readonly fonts = new Map<Pointer, CachedFont>();
  /** A font was met that has doubtful codes. */
  hasDoubts = false;

  constructor(library: Library) {
    this.library = library;
  }

  fontAt(font: Pointer): CachedFont | undefined {
    return this.fonts.get(font);
  }

  /** Before the document is closed. */
  forget(): void {
    for (const { holder } of this.fonts.values()) this.library.native.FPDFPageObj_Destroy(holder);
    this.fonts.clear();
  }

  /** Before a page is read. */
  makeRoom(): void {
    if (this.fonts.size > MAX_FONTS) this.forget();
  }

  /** Learns these codes of a font of the page in hand. */
  probe(document: Pointer, address: Pointer, codes: ReadonlySet<number>): void {
    const font = this.fontOrNew(document, address);
    if (!font || font.isOdd) return;
    const left = new Set(codes);
    const repairs = (): Repairs => this.readRepairs(document, address);
    probeGlyphs(this.library, font, [...left], repairs);
    for (const code of left) if (font.glyphOf[code]) left.delete(code);
    // PDFium reads one of several spaces in a row: what was left out is shown alone.
    for (const code of left) if (!font.isOdd) probeGlyphs(this.library, font, [code], repairs);
  }

  /** The codes of a font that PDFium tells wrongly. */
  readRepairs(document: Pointer, address: Pointer): Repairs {
    const font = this.fontOrNew(document, address);
    if (!font) return NO_REPAIRS;
    font.repairs ??= readRepairs(this.library, document, address);
    const repairs = font.repairs ?? NO_REPAIRS;
    if (repairs.doubtful) this.hasDoubts = true;
    return repairs;
  }

  /** How wide the glyph of a code is, in parts of the size; undefined where it cannot be told. */
  widthOf(document: Pointer, address: Pointer, code: number): number | undefined {
    const font = this.fontOrNew(document, address);
    if (!font) return undefined;
    let width = font.widths.get(code);
    if (width === undefined) {
      width = widthOfCode(this.library, font.holder, code);
      font.widths.set(code, width);
    }
    return width > 0 ? width : undefined;
  }

  private fontOrNew(document: Pointer, address: Pointer): CachedFont | undefined {
    const known = this.fonts.get(address);
    if (known) return known;
    const { native } = this.library;
    const holder = native.FPDFPageObj_CreateTextObj(document, address, SHOWN_SIZE);
    if (holder === 0) return undefined;
    if (native.FPDFTextObj_GetFont(holder) !== address) {
      native.FPDFPageObj_Destroy(holder);
      return undefined;
    }
    const font = new CachedFont(holder);
    this.fonts.set(address, font);
    return font;
  }
}
