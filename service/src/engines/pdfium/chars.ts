// The characters of a page with their places and looks, in few calls: what is the same for all characters of a
// text object is asked once per object.
import type { Library, Native, Pointer } from './library.ts';
import { readFontName } from './page-items/fonts.ts';
import { CHAR, CHAR_WORDS, letterAt } from './page-items/pdfium-memory.ts';
import { type LetterSource, type RepairedChars, readChars } from './page-items/to-unicode-repairs.ts';

/** How the characters of one text object look. */
export interface TextLook {
  /** The font's name without a subset mark, as the document gives it. */
  font: string;
  /** Height of the font as it stands on the page, in points. */
  size: number;
  /** 100 to 900; 0 where unknown. */
  weight: number;
  italic: boolean;
  /** Red, green, blue, opacity of the filling, 0 to 255 each. */
  fill: readonly [number, number, number, number];
  /** Drawn with neither filling nor outline, as recognised text under a scan is. */
  invisible: boolean;
  /** The number of the marked content it stands in, by which tags know it; -1 where there is none. */
  markedContent: number;
}

/** In reading order of the page's content. Line ends and spaces between words are characters of their own. */
export interface PageChars {
  count: number;
  /** Unicode. */
  codes: Uint32Array;
  /** Left, bottom, right, top of each, in the page's own coordinates; nothing for characters that were not drawn. */
  boxes: Float32Array;
  /** Index into `looks`; NO_LOOK for characters that were not drawn. */
  lookOf: Uint32Array;
  looks: TextLook[];
}

export const NO_LOOK = 0xffffffff;

/** FPDF_TEXTRENDERMODE: nothing drawn; nothing drawn, added to the clip. */
const INVISIBLE = 3;
const CLIP_ONLY = 7;

/** Room for a matrix (six floats), four colours, a size or a box. */
const SCRATCH_BYTES = 32;

export function readPageChars(library: Library, page: Pointer, source: LetterSource): PageChars {
  const { native } = library;
  const text = page === 0 ? 0 : native.FPDFText_LoadPage(page);
  if (text === 0) return none();
  const scratch = library.allocate(SCRATCH_BYTES);
  try {
    const count = native.FPDFText_CountChars(text);
    if (count <= 0) return none();
    source.glyphCache.makeRoom();
    return new CharReader(library, text, scratch).read(readChars(library, source, text, count));
  } finally {
    library.free(scratch);
    native.FPDFText_ClosePage(text);
  }
}

const none = (): PageChars => ({
  count: 0,
  codes: new Uint32Array(),
  boxes: new Float32Array(),
  lookOf: new Uint32Array(),
  looks: [],
});

class CharReader {
  private readonly library: Library;
  private readonly native: Native;
  private readonly text: Pointer;
  private readonly scratch: Pointer;
  private readonly looks: TextLook[] = [];
  private readonly byObject = new Map<Pointer, number>();
  private readonly fonts = new Map<Pointer, Pick<TextLook, 'font' | 'weight' | 'italic'>>();

  constructor(library: Library, text: Pointer, scratch: Pointer) {
    this.library = library;
    this.native = library.native;
    this.text = text;
    this.scratch = scratch;
  }

  read({ u, f, count, from }: RepairedChars): PageChars {
    const codes = new Uint32Array(count);
    const boxes = new Float32Array(count * 4);
    const lookOf = new Uint32Array(count).fill(NO_LOOK);
    let lastObject: Pointer = 0;
    let look = NO_LOOK;
    for (let i = 0; i < count; i += 1) {
      const at = i * CHAR_WORDS;
      codes[i] = letterAt(u, at);
      const object = u[at + CHAR.object] as Pointer;
      if (object === 0) continue;
      if (object !== lastObject) {
        look = this.lookOf(object, from ? (from[i] as number) : i);
        lastObject = object;
      }
      lookOf[i] = look;
      // Left, bottom, right, top.
      for (let side = 0; side < 4; side += 1) boxes[i * 4 + side] = f[at + CHAR.left + side] as number;
    }
    return { count, codes, boxes, lookOf, looks: this.looks };
  }

  /** The memory may have moved: asked anew after each call. */
  private view(): DataView {
    return new DataView(this.library.heap().buffer, this.scratch, SCRATCH_BYTES);
  }

  private lookOf(object: Pointer, index: number): number {
    const known = this.byObject.get(object);
    if (known !== undefined) return known;
    const mode = this.native.FPDFTextObj_GetTextRenderMode(object);
    const made: TextLook = {
      ...this.font(this.native.FPDFTextObj_GetFont(object)),
      size: this.size(index),
      fill: this.fill(index),
      invisible: mode === INVISIBLE || mode === CLIP_ONLY,
      markedContent: this.native.FPDFPageObj_GetMarkedContentID(object),
    };
    const at = this.looks.push(made) - 1;
    this.byObject.set(object, at);
    return at;
  }

  /** The size in the text state says little: the matrix may make 24 points of a size of 1. */
  private size(index: number): number {
    const { native, text, scratch } = this;
    const nominal = native.FPDFText_GetFontSize(text, index);
    if (!native.FPDFText_GetMatrix(text, index, scratch)) return nominal;
    const view = this.view();
    const size = nominal * Math.hypot(view.getFloat32(8, true), view.getFloat32(12, true));
    return Number.isFinite(size) ? Math.abs(size) : 0;
  }

  private fill(index: number): TextLook['fill'] {
    const { native, text, scratch } = this;
    if (!native.FPDFText_GetFillColor(text, index, scratch, scratch + 4, scratch + 8, scratch + 12))
      return [0, 0, 0, 255];
    const view = this.view();
    return [0, 4, 8, 12].map((at) => view.getUint32(at, true) & 0xff) as unknown as TextLook['fill'];
  }

  private font(font: Pointer): Pick<TextLook, 'font' | 'weight' | 'italic'> {
    if (font === 0) return { font: '', weight: 0, italic: false };
    let facts = this.fonts.get(font);
    if (!facts) {
      const { native, scratch } = this;
      const angled =
        native.FPDFFont_GetItalicAngle(font, scratch) !== 0 && this.view().getInt32(0, true) !== 0;
      const name = readFontName(this.library, font);
      facts = {
        font: name,
        weight: Math.max(0, native.FPDFFont_GetWeight(font)),
        italic: angled || /italic|oblique/i.test(name),
      };
      this.fonts.set(font, facts);
    }
    return facts;
  }
}
