// The glyphs of a page whose fonts and codes are all known: from its text objects, without PDFium's own reading of
// the text, which takes longer than everything else.
import type { Glyphs } from '../../../contract/page-items.ts';
import type { Library, Pointer } from '../library.ts';
import type { GlyphCache } from './glyph-cache.ts';
import type { LookReader } from './glyph-looks.ts';
import { allocateGlyphs, MAX_GLYPHS } from './glyph-rows.ts';
import { sortLines } from './line-sorting.ts';
import type { LoadedPage } from './loaded-page.ts';
import type { PageSpace } from './page-space.ts';
import { wordsOf } from './pdfium-memory.ts';
import { placeRuns } from './place-text-runs.ts';
import { SAME_LINE } from './run-placer.ts';
import { type TextObjects, textObjects } from './text-objects.ts';
import { NO_CODE, TextRun } from './text-run.ts';

/** The glyphs; undefined where the page is of a kind that PDFium must read. */
export function readCachedPage(
  library: Library,
  loaded: LoadedPage,
  space: PageSpace,
  looks: LookReader,
): Glyphs | undefined {
  const { document, glyphCache, lasting } = loaded;
  glyphCache.makeRoom();
  const drawn = loaded.objects && textObjects(library, loaded.objects);
  const order = drawn && orderOf(library, drawn);
  if (!drawn || order === 'turned') return undefined;
  const { placed } = drawn;
  let { objects } = drawn;
  if (order === 'mixed') {
    for (const [font, codes] of unknownCodes(library, objects, glyphCache))
      glyphCache.probe(document, font, codes);
    const sorted = sortLines(library, drawn, glyphCache);
    if (!sorted) return undefined;
    objects = sorted;
  }
  const place = (): Glyphs | undefined => {
    const most = countGlyphs(library, objects, glyphCache);
    if (most > MAX_GLYPHS) return undefined;
    return placeRuns(library, { objects, placed }, allocateGlyphs(most, lasting), {
      space,
      glyphCache,
      looks,
    });
  };
  const read = place();
  if (read) return read;
  for (const [font, codes] of unknownCodes(library, objects, glyphCache))
    glyphCache.probe(document, font, codes);
  return place();
}

/** Whether some are turned, or drawn out of order: PDFium sorts such. */
function orderOf(library: Library, { objects, placed }: TextObjects): 'level' | 'mixed' | 'turned' {
  const words = wordsOf(library);
  let run = new TextRun();
  let before = new TextRun();
  let order: 'level' | 'mixed' = 'level';
  for (let i = 0; i < objects.length; i += 1) {
    const object = objects[i] as Pointer;
    if (!run.read(words, object, placed.get(object)) || !run.isLevel) return 'turned';
    if (i > 0 && isOutOfOrder(words.f, before, run)) order = 'mixed';
    [run, before] = [before, run];
  }
  return order;
}

/** The most glyphs there may be: glyphs of several letters, and a space before each. */
function countGlyphs(library: Library, objects: Uint32Array, glyphCache: GlyphCache): number {
  const words = wordsOf(library);
  const run = new TextRun();
  let font: Pointer = 0;
  let each = 1;
  let sum = 0;
  for (let i = 0; i < objects.length; i += 1) {
    if (!run.read(words, objects[i] as Pointer)) continue;
    if (run.font !== font) {
      font = run.font;
      each = glyphCache.fontAt(font)?.mostLetters ?? 1;
    }
    // Gaps within a run are among its items; space between all its glyphs is not.
    sum += run.count * (run.charSpace === 0 ? each : each + 1);
  }
  return sum;
}

/** By font. */
function unknownCodes(
  library: Library,
  objects: Uint32Array,
  glyphCache: GlyphCache,
): Map<Pointer, Set<number>> {
  const unknown = new Map<Pointer, Set<number>>();
  const words = wordsOf(library);
  const run = new TextRun();
  for (const object of objects) {
    if (!run.read(words, object)) continue;
    const known = glyphCache.fontAt(run.font);
    for (const code of words.u.subarray(run.codes, run.codes + run.count)) {
      if (code === NO_CODE || known?.glyphOf[code]) continue;
      const codes = unknown.get(run.font);
      if (codes) codes.add(code);
      else unknown.set(run.font, new Set([code]));
    }
  }
  return unknown;
}

/** PDFium sorts what stands on one line and reads once what was drawn twice. */
function isOutOfOrder(f: Float32Array, before: TextRun, next: TextRun): boolean {
  if (Math.abs(before.y - next.y) > SAME_LINE * before.size * before.d) return false;
  return next.x <= before.x + before.lastPlace(f) * before.a;
}
