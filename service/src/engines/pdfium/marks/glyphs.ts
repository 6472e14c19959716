// The glyphs of a page with their places and looks. What was drawn in one state is asked for once.
import type { GlyphLook, Glyphs } from '../../../contract/page-marks.ts';
import type { Library, Pointer } from '../library.ts';
import { type FontFacts, FontReader } from './fonts.ts';
import { askChars, CHAR, CHAR_WORDS, type CharRecords, copyChars, OBJECT, wordsOf } from './memory.ts';
import type { PageSpace } from './page-space.ts';

/** What PDFium writes for a hyphen at the end of a line; U+FFFE in older builds. */
const HYPHEN_AT_LINE_END = 0x2;
const OLD_HYPHEN_AT_LINE_END = 0xfffe;
const HYPHEN = 0x2d;

/** A page of so many glyphs is no page to be read. */
const MAX_GLYPHS = 400_000;

export function readGlyphs(library: Library, page: Pointer, space: PageSpace): Glyphs {
  const { native } = library;
  const text = native.FPDFText_LoadPage(page);
  if (text === 0) return emptyGlyphs(0);
  try {
    const count = Math.min(MAX_GLYPHS, Math.max(0, native.FPDFText_CountChars(text)));
    if (count === 0) return emptyGlyphs(0);
    const records = copyChars(library, text, count) ?? askChars(library, text, count);
    return placeGlyphs(records, count, space, new LookReader(library));
  } finally {
    native.FPDFText_ClosePage(text);
  }
}

export const emptyGlyphs = (count: number): Glyphs => ({
  count,
  codes: new Uint32Array(count),
  origins: new Float32Array(count * 2),
  ink: new Float32Array(count * 4),
  advances: new Float32Array(count),
  sizes: new Float32Array(count),
  turns: new Float32Array(count),
  lookOf: new Uint32Array(count),
  looks: [],
});

/** One pass over hundreds of thousands of records in a long document: plain statements, nothing made on the way. */
function placeGlyphs(records: CharRecords, count: number, space: PageSpace, reader: LookReader): Glyphs {
  const { u, f } = records;
  const glyphs = emptyGlyphs(count);
  const { codes, origins, ink, advances, sizes, turns, lookOf } = glyphs;
  const [A, B, C, D, E, F] = space.toDisplay;
  let kept = 0;
  let object: Pointer = 0;
  let state: DrawnState = { look: 0, size: 1 };
  for (let at = 0; at < count * CHAR_WORDS; at += CHAR_WORDS) {
    const drawnBy = u[at + CHAR.object] as number;
    const code = u[at + CHAR.unicode] as number;
    // Line ends and spaces that PDFium thought up are drawn by nothing.
    if (drawnBy === 0 || code === 0) continue;
    if (drawnBy !== object) {
      object = drawnBy;
      state = reader.stateOf(object);
    }
    const a = f[at + CHAR.a] as number;
    const b = f[at + CHAR.b] as number;
    const c = f[at + CHAR.c] as number;
    const d = f[at + CHAR.d] as number;
    const x = f[at + CHAR.originX] as number;
    const y = f[at + CHAR.originY] as number;
    const size = state.size * (c === 0 ? Math.abs(d) : Math.sqrt(c * c + d * d));
    if (!Number.isFinite(x + y + size)) continue;
    codes[kept] = code === HYPHEN_AT_LINE_END || code === OLD_HYPHEN_AT_LINE_END ? HYPHEN : code;
    origins[kept * 2] = A * x + C * y + E;
    origins[kept * 2 + 1] = B * x + D * y + F;
    const left = f[at + CHAR.left] as number;
    const bottom = f[at + CHAR.bottom] as number;
    const right = f[at + CHAR.right] as number;
    const top = f[at + CHAR.top] as number;
    const x1 = A * left + C * bottom + E;
    const y1 = B * left + D * bottom + F;
    const x2 = A * right + C * top + E;
    const y2 = B * right + D * top + F;
    ink[kept * 4] = Math.min(x1, x2);
    ink[kept * 4 + 1] = Math.min(y1, y2);
    ink[kept * 4 + 2] = Math.max(x1, x2);
    ink[kept * 4 + 3] = Math.max(y1, y2);
    // The loose box is as wide as the advance seen along the x axis: nothing for text that stands on end.
    const wide = (f[at + CHAR.looseRight] as number) - (f[at + CHAR.looseLeft] as number);
    if (b === 0) advances[kept] = Math.abs(wide);
    else if (Math.abs(a) > Math.abs(b) * 1e-4) advances[kept] = Math.abs((wide / a) * Math.hypot(a, b));
    else advances[kept] = reader.widthOf(object, code) * state.size * Math.hypot(a, b);
    sizes[kept] = size;
    turns[kept] = turnOf(A * a + C * b, B * a + D * b);
    lookOf[kept] = state.look;
    kept += 1;
  }
  return { ...cut(glyphs, kept), looks: reader.looks };
}

/** Most text stands upright: no trigonometry for it, and no minus zero. */
function turnOf(x: number, y: number): number {
  if (y === 0) return x >= 0 ? 0 : 180;
  return (Math.atan2(y, x) * 180) / Math.PI;
}

const cut = (glyphs: Glyphs, count: number): Glyphs => ({
  ...glyphs,
  count,
  codes: glyphs.codes.subarray(0, count),
  origins: glyphs.origins.subarray(0, count * 2),
  ink: glyphs.ink.subarray(0, count * 4),
  advances: glyphs.advances.subarray(0, count),
  sizes: glyphs.sizes.subarray(0, count),
  turns: glyphs.turns.subarray(0, count),
  lookOf: glyphs.lookOf.subarray(0, count),
});

interface DrawnState {
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

class LookReader {
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
