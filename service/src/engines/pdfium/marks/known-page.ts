// The glyphs of a page whose fonts and codes are all known: from its text objects, without PDFium's own reading of
// the text, which takes longer than everything else.
import type { Glyphs } from '../../../contract/page-marks.ts';
import type { Library, Pointer } from '../library.ts';
import { baseSpace, kernAt, spaceFrom } from './gap-spaces.ts';
import { glyphCode, type LookReader, turnOf } from './glyph-looks.ts';
import { cutGlyphs, emptyGlyphs, MAX_GLYPHS } from './glyph-rows.ts';
import { type KnownFont, type KnownSigns, SIGN_FLOATS } from './known-signs.ts';
import { OBJECT, wordsOf } from './memory.ts';
import type { PageSpace } from './page-space.ts';
import { NO_CODE, type TextRun, textRunOf } from './text-run.ts';

/** FPDFPageObj_GetType. */
const TEXT = 1;
const FORM = 5;
const SPACE = 0x20;
const MAX_OBJECTS = 50_000;
/** Runs on one line, by their baselines, in parts of the size. */
const SAME_LINE = 0.7;

export type Known = { glyphs: Glyphs } | { unknown: 'signs' | 'kind' };

/** The glyphs; or why PDFium must read the page: signs to be learnt, or a kind of page that cannot be read so. */
export function readKnownPage(
  library: Library,
  page: Pointer,
  space: PageSpace,
  signs: KnownSigns,
  looks: LookReader,
): Known {
  const objects = textObjects(library, page);
  if (!objects) return { unknown: 'kind' };
  const words = wordsOf(library);
  const runs: TextRun[] = [];
  let before: TextRun | undefined;
  let glyphs = 0;
  for (const object of objects) {
    const run = textRunOf(words, object);
    if (!run?.isUpright) return { unknown: 'kind' };
    const known = signs.fontAt(run.font);
    if (known?.isOdd) return { unknown: 'kind' };
    const count: number = known ? countLetters(words.u, run, known) : -1;
    if (count < 0) return { unknown: 'signs' };
    if (before && isOutOfOrder(words.f, before, run)) return { unknown: 'kind' };
    before = run;
    runs.push(run);
    glyphs += count;
    if (glyphs > MAX_GLYPHS) return { unknown: 'kind' };
  }
  return { glyphs: placeRuns(library, runs, glyphs, { space, signs, looks }) };
}

/** The text objects of the page; undefined where some are inside forms, or say that they mean another text. */
function textObjects(library: Library, page: Pointer): Pointer[] | undefined {
  const { native } = library;
  const count = native.FPDFPage_CountObjects(page);
  if (count > MAX_OBJECTS) return undefined;
  // Objects of one class share its table of functions, which is the first thing in them.
  const types = new Map<number, number>();
  const plainMarks = new Set<number>();
  const objects: Pointer[] = [];
  for (let i = 0; i < count; i += 1) {
    const object = native.FPDFPage_GetObject(page, i);
    if (object === 0) return undefined;
    const { u } = wordsOf(library);
    const table = u[object >> 2] as number;
    let type = types.get(table);
    if (type === undefined) {
      type = native.FPDFPageObj_GetType(object);
      types.set(table, type);
    }
    if (type === FORM && hasText(library, object, 0)) return undefined;
    if (type !== TEXT) continue;
    const marks = u[(object >> 2) + OBJECT.marks] as number;
    if (!plainMarks.has(marks)) {
      if (meansAnotherText(library, object)) return undefined;
      plainMarks.add(marks);
    }
    objects.push(object);
  }
  return objects;
}

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

/** How many glyphs a run makes; -1 when one of its codes is not known. */
function countLetters(u: Uint32Array, { codes, count }: TextRun, { signOf, letters }: KnownFont): number {
  // There may be a space before each.
  let sum = count;
  for (let k = codes; k < codes + count; k += 1) {
    const code = u[k] as number;
    if (code === NO_CODE) continue;
    const sign = code < signOf.length ? (signOf[code] as number) : 0;
    if (sign === 0) return -1;
    sum += (letters[sign] as number[]).length;
  }
  return sum;
}

/** PDFium sorts what stands on one line and reads once what was drawn twice; here that is left to it. */
function isOutOfOrder(f: Float32Array, before: TextRun, next: TextRun): boolean {
  if (Math.abs(before.y - next.y) > SAME_LINE * before.size * before.d) return false;
  const last = before.count > 1 ? (f[before.places + before.count - 2] as number) : 0;
  return next.x <= before.x + last * before.a;
}

/** One pass over hundreds of thousands of glyphs in a long document: plain statements, nothing made on the way. */
function placeRuns(
  library: Library,
  runs: readonly TextRun[],
  most: number,
  { space, signs, looks }: { space: PageSpace; signs: KnownSigns; looks: LookReader },
): Glyphs {
  const glyphs = emptyGlyphs(most);
  const { codes, origins, ink, advances, sizes, turns, lookOf } = glyphs;
  const [A, B, C, D, E, F] = space.toDisplay;
  const turn = turnOf(A, B);
  let kept = 0;
  let latest = SPACE;
  for (const run of runs) {
    const known = signs.fontAt(run.font);
    if (!known) continue;
    const { look } = looks.stateOf(run.object);
    known.space ??= looks.widthOf(run.object, SPACE);
    // Asked for these, PDFium may have moved its memory.
    const words = wordsOf(library);
    const { u, f } = words;
    const { signOf, letters, measures, space: spaceWidth } = known;
    const across = run.a * run.size;
    const up = run.d * run.size;
    const y = run.y;
    const apart = run.charSpace / run.size - baseSpace(words, run);
    let kern = 0;
    for (let k = 0; k < run.count; k += 1) {
      const code = u[run.codes + k] as number;
      if (code === NO_CODE) {
        if (latest !== SPACE) kern = kernAt(f, run, k);
        continue;
      }
      const x = k === 0 ? run.x : run.x + (f[run.places + k - 1] as number) * run.a;
      const sign = signOf[code] as number;
      const at = sign * SIGN_FLOATS;
      const gap = kern + apart;
      kern = 0;
      if (gap > 0 && k > 0 && gap >= spaceFrom(spaceWidth, measures[at] as number)) {
        codes[kept] = SPACE;
        origins[kept * 2] = A * x + C * y + E;
        origins[kept * 2 + 1] = B * x + D * y + F;
        sizes[kept] = up;
        turns[kept] = turn;
        lookOf[kept] = look;
        kept += 1;
      }
      const left = x + (measures[at + 1] as number) * across;
      const bottom = y + (measures[at + 2] as number) * up;
      const right = x + (measures[at + 3] as number) * across;
      const top = y + (measures[at + 4] as number) * up;
      const x1 = A * left + C * bottom + E;
      const y1 = B * left + D * bottom + F;
      const x2 = A * right + C * top + E;
      const y2 = B * right + D * top + F;
      const told = letters[sign] as number[];
      for (let n = 0; n < told.length; n += 1) {
        latest = told[n] as number;
        if (latest === 0) continue;
        codes[kept] = glyphCode(latest);
        origins[kept * 2] = A * x + C * y + E;
        origins[kept * 2 + 1] = B * x + D * y + F;
        ink[kept * 4] = Math.min(x1, x2);
        ink[kept * 4 + 1] = Math.min(y1, y2);
        ink[kept * 4 + 2] = Math.max(x1, x2);
        ink[kept * 4 + 3] = Math.max(y1, y2);
        advances[kept] = Math.abs((measures[at] as number) * across);
        sizes[kept] = up;
        turns[kept] = turn;
        lookOf[kept] = look;
        kept += 1;
      }
    }
  }
  return { ...cutGlyphs(glyphs, kept), looks: looks.looks };
}
