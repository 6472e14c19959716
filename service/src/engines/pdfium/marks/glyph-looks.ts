// How the glyphs of a page look. What was drawn in one state is asked for once.
import type { GlyphLook } from '../../../contract/page-marks.ts';
import type { Library, Pointer } from '../library.ts';
import { type FontFacts, FontReader } from './fonts.ts';
import { OBJECT, wordsOf } from './memory.ts';

/** What PDFium writes for a hyphen at the end of a line; U+FFFE in older builds. */
const HYPHEN_AT_LINE_END = 0x2;
const OLD_HYPHEN_AT_LINE_END = 0xfffe;
const HYPHEN = 0x2d;

export const glyphCode = (told: number): number =>
  told === HYPHEN_AT_LINE_END || told === OLD_HYPHEN_AT_LINE_END ? HYPHEN : told;

/** Most text stands upright: no trigonometry for it, and no minus zero. */
export function turnOf(x: number, y: number): number {
  if (y === 0) return x >= 0 ? 0 : 180;
  return (Math.atan2(y, x) * 180) / Math.PI;
}

export interface DrawnState {
  look: number;
  /** Of the font, before any matrix. */
  size: number;
}

/** FPDF_TEXTRENDERMODE. */
const PAINTS: Record<number, GlyphLook['paint']> = {
  1: 'stroke',
  2: 'both',
  3: 'none',
  5: 'stroke',
  6: 'both',
  7: 'none',
};

export class LookReader {
  readonly looks: GlyphLook[] = [];
  private readonly library: Library;
  private readonly fonts: FontReader;
  private readonly byState = new Map<number, (DrawnState & { marks: number })[]>();
  private readonly numbers = new Map<string, number>();

  constructor(library: Library) {
    this.library = library;
    this.fonts = new FontReader(library);
  }

  stateOf(object: Pointer): DrawnState {
    // Objects drawn in one state share its parts.
    const { u } = wordsOf(this.library);
    const at = object >> 2;
    const [color = 0, text = 0, marks = 0] = [
      u[at + OBJECT.colorState],
      u[at + OBJECT.textState],
      u[at + OBJECT.marks],
    ];
    // Addresses are below 2^30 and at least 8 apart: three of them fit no number, two do.
    const key = color * 2 ** 22 + (text >> 3);
    const states = this.byState.get(key);
    const known = states?.find((state) => state.marks === marks);
    if (known) return known;
    const state = { ...this.read(object), marks };
    if (states) states.push(state);
    else this.byState.set(key, [state]);
    return state;
  }

  /** As a part of the size; 0 where the font does not tell. */
  widthOf(object: Pointer, code: number): number {
    return this.fonts.widthOf(this.library.native.FPDFTextObj_GetFont(object), code);
  }

  private read(object: Pointer): DrawnState {
    const { native } = this.library;
    const scratch = this.library.allocate(4);
    const size = native.FPDFTextObj_GetFontSize(object, scratch)
      ? (wordsOf(this.library).f[scratch >> 2] ?? 1)
      : 1;
    this.library.free(scratch);
    const font: FontFacts = this.fonts.factsOf(native.FPDFTextObj_GetFont(object));
    const paint = PAINTS[native.FPDFTextObj_GetTextRenderMode(object)] ?? 'fill';
    const color = readColor(this.library, object, paint === 'stroke' ? 'stroke' : 'fill')?.color ?? '#000000';
    const markedContent = native.FPDFPageObj_GetMarkedContentID(object);
    return { look: this.number({ ...font, color, paint, markedContent }), size: Math.abs(size) };
  }

  /** Looks that are the same have one number. */
  private number(look: GlyphLook): number {
    const { font, weight, italic, fixedPitch, color, paint, markedContent } = look;
    const key = `${markedContent} ${weight} ${italic} ${fixedPitch} ${color} ${paint} ${font}`;
    let number = this.numbers.get(key);
    if (number === undefined) {
      number = this.looks.push(look) - 1;
      this.numbers.set(key, number);
    }
    return number;
  }
}

/** Undefined where nothing would be seen. */
export function readColor(
  library: Library,
  object: Pointer,
  which: 'fill' | 'stroke',
): { color: string; opacity: number } | undefined {
  const { native } = library;
  const scratch = library.allocate(16);
  try {
    const read = which === 'fill' ? native.FPDFPageObj_GetFillColor : native.FPDFPageObj_GetStrokeColor;
    if (!read(object, scratch, scratch + 4, scratch + 8, scratch + 12)) return undefined;
    const heap = library.heap();
    const [red = 0, green = 0, blue = 0, opacity = 255] = [0, 4, 8, 12].map((at) => heap[scratch + at] ?? 0);
    const hex = ((red << 16) | (green << 8) | blue).toString(16).padStart(6, '0');
    return { color: `#${hex}`, opacity };
  } finally {
    library.free(scratch);
  }
}
