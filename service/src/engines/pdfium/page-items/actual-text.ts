// ActualText (ISO 32000-1, 14.9.4): the text that some glyphs stand for. Browsers and word processors write it where one
// letter takes several glyphs, as in Indian and Arabic scripts. PDFium gives such a text with its first glyph, and again
// where glyphs of another text stand between; it does not say where the last of its glyphs ends.
import { PdfString } from '../../../pdf/objects.ts';
import { textOf } from '../../../pdf/text-strings.ts';
import type { Library, Pointer } from '../library.ts';
import { type PageObjects, TEXT } from '../page-objects.ts';
import type { GlyphCache } from './glyph-cache.ts';
import { OBJECT, wordsOf } from './pdfium-memory.ts';
import { TextRun } from './text-run.ts';

/** Where a text stands, in the page's own coordinates. */
export interface ActualTextSpan {
  left: number;
  right: number;
  baseline: number;
}

interface Told {
  /** The first object that told it. */
  object: Pointer;
  place: ActualTextSpan | undefined;
}

export class ActualTexts {
  private readonly library: Library;
  private readonly page: { document: Pointer; glyphCache: GlyphCache; objects: PageObjects | undefined };
  /** By the marks that objects share; undefined where they mean what they draw. */
  private readonly byMarks = new Map<Pointer, Told | undefined>();
  private drawnBy: Map<Pointer, Pointer[]> | undefined;

  constructor(library: Library, page: ActualTexts['page']) {
    this.library = library;
    this.page = page;
  }

  /** Undefined where the object means what it draws; what was told already is not told again. */
  of(object: Pointer): { isAgain: boolean; place: ActualTextSpan | undefined } | undefined {
    const marks = this.marksOf(object);
    if (!this.byMarks.has(marks)) {
      const isOther = hasActualText(this.library, object);
      this.byMarks.set(marks, isOther ? { object, place: this.placeOf(marks) } : undefined);
    }
    const told = this.byMarks.get(marks);
    return told && { isAgain: told.object !== object, place: told.place };
  }

  private marksOf(object: Pointer): Pointer {
    return wordsOf(this.library).u[(object >> 2) + OBJECT.marks] as Pointer;
  }

  private placeOf(marks: Pointer): ActualTextSpan | undefined {
    this.drawnBy ??= this.objectsByMarks();
    const run = new TextRun();
    let [left, right, baseline, widest] = [Infinity, -Infinity, 0, -1];
    for (const object of this.drawnBy.get(marks) ?? []) {
      if (!run.read(wordsOf(this.library), object) || !run.isLevel) return undefined;
      const { u, f } = wordsOf(this.library);
      const last = run.lastPlace(f) * run.a;
      const code = u[run.codes + run.count - 1] as number;
      const width =
        (this.page.glyphCache.widthOf(this.page.document, run.font, code) ?? 0) * run.size * run.a + last;
      left = Math.min(left, run.x);
      right = Math.max(right, run.x + width);
      // Points over and under a letter have no width and stand elsewhere.
      if (width > widest) [baseline, widest] = [run.y, width];
    }
    return right > left ? { left, right, baseline } : undefined;
  }

  private objectsByMarks(): Map<Pointer, Pointer[]> {
    const byMarks = new Map<Pointer, Pointer[]>();
    const { count, objects, types } = this.page.objects ?? { count: 0, objects: [], types: [] };
    for (let i = 0; i < count; i += 1) {
      if (types[i] !== TEXT) continue;
      const object = objects[i] as Pointer;
      const marks = this.marksOf(object);
      const known = byMarks.get(marks);
      if (known) known.push(object);
      else byMarks.set(marks, [object]);
    }
    return byMarks;
  }
}

const ACTUAL_TEXT = 'ActualText\0';
/** FPDF_OBJECT_UNKNOWN: there is no such entry. */
const NOT_THERE = 0;

export const hasActualText = (library: Library, object: Pointer): boolean =>
  withActualText(library, object, () => true) ?? false;

/** The text that an object says it means. */
export const actualText = (library: Library, object: Pointer): string | undefined =>
  withActualText(library, object, (mark, key) => {
    using scratch = library.borrow(4 + MAX_TEXT_BYTES);
    const { native } = library;
    const isRead = native.FPDFPageObjMark_GetParamBlobValue(
      mark,
      key,
      scratch.at + 4,
      MAX_TEXT_BYTES,
      scratch.at,
    );
    const bytes = isRead ? (wordsOf(library).u[scratch.at >> 2] as number) : 0;
    if (bytes > MAX_TEXT_BYTES) return '';
    return textOf(new PdfString(library.heap().slice(scratch.at + 4, scratch.at + 4 + bytes)));
  });

const MAX_TEXT_BYTES = 4096;

function withActualText<T>(
  library: Library,
  object: Pointer,
  use: (mark: Pointer, key: Pointer) => T,
): T | undefined {
  const { native } = library;
  const count = native.FPDFPageObj_CountMarks(object);
  if (count <= 0) return undefined;
  using key = library.borrow(ACTUAL_TEXT.length);
  library.heap().set(Buffer.from(ACTUAL_TEXT, 'latin1'), key.at);
  for (let i = 0; i < count; i += 1) {
    const mark = native.FPDFPageObj_GetMark(object, i);
    if (native.FPDFPageObjMark_GetParamValueType(mark, key.at) !== NOT_THERE) return use(mark, key.at);
  }
  return undefined;
}
