// The glyphs of a page whose fonts and codes are all known: from its text objects, without PDFium's own reading of
// the text, which takes longer than everything else.
import type { Glyphs } from '../../../contract/page-marks.ts';
import type { Library, Pointer } from '../library.ts';
import { FORM, pageObjects, TEXT } from '../page-objects.ts';
import type { LookReader } from './glyph-looks.ts';
import { MAX_GLYPHS } from './glyph-rows.ts';
import type { LoadedPage } from './glyphs.ts';
import { type KnownFont, type KnownSigns, SEVERAL } from './known-signs.ts';
import { OBJECT, wordsOf } from './memory.ts';
import type { PageSpace } from './page-space.ts';
import { placeRuns, SAME_LINE } from './place-runs.ts';
import { NO_CODE, TextRun } from './text-run.ts';

/** The glyphs; undefined where the page is of a kind that PDFium must read. */
export function readKnownPage(
  library: Library,
  { document, page, signs }: LoadedPage,
  space: PageSpace,
  looks: LookReader,
): Glyphs | undefined {
  signs.makeRoom();
  const objects = textObjects(library, page);
  if (!objects) return undefined;
  const unknown = new Map<Pointer, Set<number>>();
  let most = countGlyphs(library, objects, signs, unknown);
  if (most !== undefined && unknown.size > 0) {
    for (const [font, codes] of unknown) signs.learn(document, font, codes);
    unknown.clear();
    most = countGlyphs(library, objects, signs, unknown);
  }
  if (most === undefined || most > MAX_GLYPHS || unknown.size > 0) return undefined;
  return placeRuns(library, objects, most, { space, signs, looks });
}

/** The text objects of the page; undefined where some are inside forms, or say that they mean another text. */
function textObjects(library: Library, page: Pointer): Uint32Array | undefined {
  const onPage = pageObjects(library, page);
  if (!onPage) return undefined;
  const { count, objects, types } = onPage;
  const texts = new Uint32Array(count);
  const plainMarks = new Set<number>();
  let found = 0;
  let latestMarks = 0;
  for (let i = 0; i < count; i += 1) {
    const object = objects[i] as Pointer;
    if (types[i] === FORM && hasText(library, object, 0)) return undefined;
    if (types[i] !== TEXT) continue;
    const marks = wordsOf(library).u[(object >> 2) + OBJECT.marks] as number;
    if (marks !== latestMarks && !plainMarks.has(marks)) {
      if (meansAnotherText(library, object)) return undefined;
      plainMarks.add(marks);
    }
    latestMarks = marks;
    texts[found] = object;
    found += 1;
  }
  return texts.subarray(0, found);
}

const MAX_OBJECTS = 50_000;
const MAX_DEPTH = 8;

function hasText(library: Library, form: Pointer, depth: number): boolean {
  const { native } = library;
  const count = native.FPDFFormObj_CountObjects(form);
  if (depth > MAX_DEPTH || count > MAX_OBJECTS) return true;
  for (let i = 0; i < count; i += 1) {
    const object = native.FPDFFormObj_GetObject(form, i);
    const type = native.FPDFPageObj_GetType(object);
    if (type === TEXT || (type === FORM && hasText(library, object, depth + 1))) return true;
  }
  return false;
}

const ACTUAL_TEXT = 'ActualText\0';
/** FPDF_OBJECT_UNKNOWN: there is no such entry. */
const NOT_THERE = 0;

function meansAnotherText(library: Library, object: Pointer): boolean {
  const { native } = library;
  const count = native.FPDFPageObj_CountMarks(object);
  if (count <= 0) return false;
  const key = library.allocate(ACTUAL_TEXT.length);
  library.heap().set(Buffer.from(ACTUAL_TEXT, 'latin1'), key);
  try {
    for (let i = 0; i < count; i += 1) {
      const mark = native.FPDFPageObj_GetMark(object, i);
      if (native.FPDFPageObjMark_GetParamValueType(mark, key) !== NOT_THERE) return true;
    }
    return false;
  } finally {
    library.free(key);
  }
}

/**
 * How many glyphs the page has at most; codes that are not known are put down. Undefined where PDFium must read it:
 * turned writing, and what is drawn out of order, which it sorts.
 */
function countGlyphs(
  library: Library,
  objects: Uint32Array,
  signs: KnownSigns,
  unknown: Map<Pointer, Set<number>>,
): number | undefined {
  const words = wordsOf(library);
  let run = new TextRun();
  let before = new TextRun();
  let font: Pointer = 0;
  let known: KnownFont | undefined;
  let sum = 0;
  for (let i = 0; i < objects.length; i += 1) {
    if (!run.read(words, objects[i] as Pointer) || !run.isLevel) return undefined;
    if (i > 0 && isOutOfOrder(words.f, before, run)) return undefined;
    if (run.font !== font) {
      font = run.font;
      known = signs.fontAt(font);
      if (known?.isOdd) return undefined;
    }
    sum += countLetters(words.u, run, known, unknown);
    [run, before] = [before, run];
  }
  return sum;
}

function countLetters(
  u: Uint32Array,
  { codes, count, font, charSpace }: TextRun,
  known: KnownFont | undefined,
  unknown: Map<Pointer, Set<number>>,
): number {
  const signOf = known?.signOf;
  // There may be a space before each.
  let sum = charSpace === 0 ? count : count * 2;
  for (let k = codes; k < codes + count; k += 1) {
    const code = u[k] as number;
    // Such a gap may be a space, and is counted here.
    if (code === NO_CODE) continue;
    const sign = signOf && code < signOf.length ? (signOf[code] as number) : 0;
    if (known && sign !== 0) {
      if (known.letter[sign] === SEVERAL) sum += (known.letters[sign] as number[]).length - 1;
      continue;
    }
    const wanted = unknown.get(font);
    if (wanted) wanted.add(code);
    else unknown.set(font, new Set([code]));
  }
  return sum;
}

/** PDFium sorts what stands on one line and reads once what was drawn twice; here that is left to it. */
function isOutOfOrder(f: Float32Array, before: TextRun, next: TextRun): boolean {
  if (Math.abs(before.y - next.y) > SAME_LINE * before.size * before.d) return false;
  return next.x <= before.x + before.lastPlace(f) * before.a;
}
