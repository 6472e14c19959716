// Ligatures that PDFium has undone: it gives them as their letters, and Arabic presentation forms and Kangxi radicals as
// the plain letters. It then keeps neither the code nor the width of the glyph, only its ink; both are found again here.
import type { Library, Pointer } from '../library.ts';
import type { GlyphCache } from './glyph-cache.ts';
import { wordsOf } from './pdfium-memory.ts';
import { NO_CODE, TextRun } from './text-run.ts';

/** Told and drawn origins differ by less than this, in points. */
const NEAR = 0.01;

export class SplitLigatures {
  private readonly library: Library;
  private readonly document: Pointer;
  private readonly glyphCache: GlyphCache;
  private readonly run = new TextRun();

  constructor(library: Library, document: Pointer, glyphCache: GlyphCache) {
    this.library = library;
    this.document = document;
    this.glyphCache = glyphCache;
  }

  /** How wide the glyph is that a text object draws there, in parts of the size; undefined where that is not known. */
  widthAt(object: Pointer, x: number, y: number): number | undefined {
    const code = this.codeOf(object, x, y);
    return code === undefined ? undefined : this.glyphCache.widthOf(this.document, this.run.font, code);
  }

  /** How wide the glyph of a code is in the font of a text object, in parts of the size. */
  widthOf(object: Pointer, code: number): number | undefined {
    if (!this.run.read(wordsOf(this.library), object)) return undefined;
    return this.glyphCache.widthOf(this.document, this.run.font, code);
  }

  /** Which code a text object draws there; undefined where that is not known. */
  codeOf(object: Pointer, x: number, y: number): number | undefined {
    return this.run.read(wordsOf(this.library), object) ? this.codeAt(x, y) : undefined;
  }

  private codeAt(x: number, y: number): number | undefined {
    const { u, f } = wordsOf(this.library);
    const { run } = this;
    if (run.count === 1) return u[run.codes];
    // Within a form, what is told and what is drawn stand in different places: nothing is found then.
    if (!run.isLevel || Math.abs(run.y - y) > NEAR) return undefined;
    for (let k = 0; k < run.count; k += 1) {
      const code = u[run.codes + k] as number;
      const along = k === 0 ? 0 : (f[run.places + k - 1] as number) * run.a;
      if (code !== NO_CODE && Math.abs(run.x + along - x) <= NEAR) return code;
    }
    return undefined;
  }
}
