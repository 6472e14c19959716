// The text objects of a page in the order they are drawn, those inside forms where the forms are drawn: so PDFium reads them.
import type { Library, Pointer } from '../library.ts';
import { FORM, formObjects, type PageObjects, TEXT } from '../page-objects.ts';
import { actualText } from './actual-text.ts';
import { OBJECT, wordsOf } from './pdfium-memory.ts';
import { type FormPlace, TextRun } from './text-run.ts';

const MAX_DEPTH = 8;

export interface TextObjects {
  objects: Uint32Array;
  /** Of those inside a form: how it is put on the page. All of one form have the same. */
  placed: ReadonlyMap<Pointer, FormPlace>;
}

/** Undefined where some are inside a turned form, or say that they mean another text. */
export function textObjects(library: Library, page: PageObjects): TextObjects | undefined {
  const reader = new TextObjectReader(library);
  return reader.read(page, undefined, 0)
    ? { objects: Uint32Array.from(reader.objects), placed: reader.placed }
    : undefined;
}

const PAGE: FormPlace = { a: 1, d: 1, e: 0, f: 0 };

class TextObjectReader {
  readonly objects: Pointer[] = [];
  readonly placed = new Map<Pointer, FormPlace>();
  private readonly library: Library;
  /** Whether objects of one marked content mean what they draw; one that only spaces mean is left out by PDFium. */
  private readonly byMarks = new Map<number, 'drawn' | 'space'>();
  private latest = 0;

  constructor(library: Library) {
    this.library = library;
  }

  /** False where PDFium must read the page. `place` is asked for in forms, when the first text is found. */
  read(
    { count, objects, types }: PageObjects,
    place: (() => FormPlace | undefined) | undefined,
    depth: number,
  ): boolean {
    let own: FormPlace | undefined;
    for (let i = 0; i < count; i += 1) {
      const object = objects[i] as Pointer;
      if (types[i] === FORM) {
        const inner = depth < MAX_DEPTH ? formObjects(this.library, object) : undefined;
        if (!inner || !this.read(inner, () => this.placeOf(object, place), depth + 1)) return false;
      }
      if (types[i] !== TEXT) continue;
      const marks = wordsOf(this.library).u[(object >> 2) + OBJECT.marks] as number;
      if (marks !== this.latest) {
        const meaning = this.byMarks.get(marks) ?? this.meaningOf(object);
        if (!meaning) return false;
        this.byMarks.set(marks, meaning);
        if (meaning === 'space') {
          if (!this.isOneGlyph(object)) return false;
          continue;
        }
        this.latest = marks;
      }
      if (place) {
        own ??= place();
        if (!own) return false;
        this.placed.set(object, own);
      }
      this.objects.push(object);
    }
    return true;
  }

  private meaningOf(object: Pointer): 'drawn' | 'space' | undefined {
    const text = actualText(this.library, object);
    if (text === undefined) return 'drawn';
    return /^\s+$/.test(text) ? 'space' : undefined;
  }

  private isOneGlyph(object: Pointer): boolean {
    const run = new TextRun();
    return run.read(wordsOf(this.library), object) && run.count === 1;
  }

  private placeOf(form: Pointer, outer: (() => FormPlace | undefined) | undefined): FormPlace | undefined {
    using scratch = this.library.borrow(24);
    if (!this.library.native.FPDFPageObj_GetMatrix(form, scratch.at)) return undefined;
    const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = scratch.floats();
    const around = outer ? outer() : PAGE;
    if (!around || b !== 0 || c !== 0 || !(a > 0) || !(d > 0)) return undefined;
    return {
      a: a * around.a,
      d: d * around.d,
      e: e * around.a + around.e,
      f: f * around.d + around.f,
    };
  }
}
