// How the glyphs of a page look. What was drawn in one state is asked for once.
import type { GlyphLook } from '../../../contract/page-items.ts';
import type { Library, Pointer } from '../library.ts';
import { type FontDescription, FontReader } from './fonts.ts';
import type { GlyphCache } from './glyph-cache.ts';
import { COLOR_STATE, OBJECT, TEXT_STATE, wordsOf } from './pdfium-memory.ts';

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

/** What makes a look, as it stands in the memory. */
interface SeenState extends DrawnState {
  font: Pointer;
  ownSize: number;
  mode: number;
  color: number;
}

const NO_STATE: SeenState = { look: 0, size: 1, font: -1, ownSize: 0, mode: 0, color: 0 };

export class LookReader {
  readonly looks: GlyphLook[] = [];
  private readonly library: Library;
  private readonly glyphCache: GlyphCache;
  private readonly fonts: FontReader;
  /** Objects of one marked content share its marks. */
  private readonly byMarks = new Map<number, SeenState[]>();
  private readonly numbers = new Map<string, number>();
  private latest: { marks: number; states: SeenState[]; state: SeenState } = {
    marks: -1,
    states: [],
    state: NO_STATE,
  };
  /** The memory did not hold what the calls say: they are asked for each object. */
  private isBlind = false;

  constructor(library: Library, glyphCache: GlyphCache) {
    this.library = library;
    this.glyphCache = glyphCache;
    this.fonts = new FontReader(library);
  }

  stateOf(object: Pointer): DrawnState {
    const { latest } = this;
    const { u, f } = wordsOf(this.library);
    const at = object >> 2;
    const marks = u[at + OBJECT.marks] as number;
    const text = (u[at + OBJECT.textState] as number) >> 2;
    const font = u[text + TEXT_STATE.font] as number;
    const ownSize = f[text + TEXT_STATE.size] as number;
    const mode = u[text + TEXT_STATE.mode] as number;
    const color = colorOf(u, (u[at + OBJECT.colorState] as number) >> 2, mode);
    if (marks !== latest.marks) {
      latest.marks = marks;
      latest.states = this.byMarks.get(marks) ?? [];
      if (latest.states.length === 0) this.byMarks.set(marks, latest.states);
      latest.state = NO_STATE;
    }
    const isSame = (state: SeenState): boolean =>
      state.font === font && state.ownSize === ownSize && state.mode === mode && state.color === color;
    if (isSame(latest.state)) return latest.state;
    const known = this.isBlind ? undefined : latest.states.find(isSame);
    latest.state = known ?? { ...this.read(object, font, ownSize, mode), font, ownSize, mode, color };
    if (this.isBlind) latest.state = { ...latest.state, font: -1 };
    else if (!known) latest.states.push(latest.state);
    return latest.state;
  }

  /** As a part of the size; 0 where the font does not tell. */
  widthOf(object: Pointer, code: number): number {
    return this.fonts.widthOf(this.library.native.FPDFTextObj_GetFont(object), code);
  }

  /** By calls, which also tell whether what was seen in the memory is so. */
  private read(object: Pointer, seenFont: Pointer, seenSize: number, seenMode: number): DrawnState {
    const { native } = this.library;
    using scratch = this.library.borrow(4);
    const size = native.FPDFTextObj_GetFontSize(object, scratch.at)
      ? (wordsOf(this.library).f[scratch.at >> 2] ?? 1)
      : 1;
    const font = native.FPDFTextObj_GetFont(object);
    const mode = native.FPDFTextObj_GetTextRenderMode(object);
    if (font !== seenFont || size !== seenSize || mode !== seenMode) this.isBlind = true;
    const paint = PAINTS[mode] ?? 'fill';
    const color = readColor(this.library, object, paint === 'stroke' ? 'stroke' : 'fill')?.color ?? '#000000';
    const markedContent = native.FPDFPageObj_GetMarkedContentID(object);
    const look = this.number({ ...this.factsOf(font), color, paint, markedContent }, font);
    return { look, size: Math.abs(size) };
  }

  private factsOf(font: Pointer): FontDescription {
    const known = this.glyphCache.fontAt(font);
    if (!known) return this.fonts.factsOf(font);
    known.facts ??= this.fonts.factsOf(font);
    return known.facts;
  }

  /** Looks that are the same have one number; fonts without a name may look like anything. */
  private number(look: GlyphLook, pointer: Pointer): number {
    const { font, weight, italic, fixedPitch, color, paint, markedContent } = look;
    const name = font === '' ? pointer : font;
    const key = `${markedContent} ${weight} ${italic} ${fixedPitch} ${color} ${paint} ${name}`;
    let number = this.numbers.get(key);
    if (number === undefined) {
      number = this.looks.push(look) - 1;
      this.numbers.set(key, number);
    }
    return number;
  }
}

/** Red, green and blue as PDFium keeps them. */
const colorOf = (u: Uint32Array, state: number, mode: number): number =>
  state === 0
    ? 0
    : (u[state + (PAINTS[mode] === 'stroke' ? COLOR_STATE.stroke : COLOR_STATE.fill)] as number);

/** Undefined where nothing would be seen. */
export function readColor(
  library: Library,
  object: Pointer,
  which: 'fill' | 'stroke',
): { color: string; opacity: number } | undefined {
  const { native } = library;
  using scratch = library.borrow(16);
  const read = which === 'fill' ? native.FPDFPageObj_GetFillColor : native.FPDFPageObj_GetStrokeColor;
  if (!read(object, scratch.at, scratch.at + 4, scratch.at + 8, scratch.at + 12)) return undefined;
  const heap = library.heap();
  const [red = 0, green = 0, blue = 0, opacity = 255] = [0, 4, 8, 12].map((at) => heap[scratch.at + at] ?? 0);
  const hex = ((red << 16) | (green << 8) | blue).toString(16).padStart(6, '0');
  return { color: `#${hex}`, opacity };
}
