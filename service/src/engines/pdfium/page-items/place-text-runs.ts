// Text objects whose codes are all known, as glyphs.
import type { Glyphs } from '../../../contract/page-items.ts';
import type { Library, Pointer } from '../library.ts';
import type { CachedFont, GlyphCache } from './glyph-cache.ts';
import type { LookReader } from './glyph-looks.ts';
import { takeGlyphs } from './glyph-rows.ts';
import type { PageSpace } from './page-space.ts';
import { wordsOf } from './pdfium-memory.ts';
import { RunPlacer, SPACE } from './run-placer.ts';
import type { TextObjects } from './text-objects.ts';
import { TextRun } from './text-run.ts';

/** Undefined where a code is not known. */
export function placeRuns(
  library: Library,
  { objects, placed }: TextObjects,
  room: Glyphs,
  { space, glyphCache, looks }: { space: PageSpace; glyphCache: GlyphCache; looks: LookReader },
): Glyphs | undefined {
  const run = new TextRun();
  const placer = new RunPlacer(room, space);
  let font: Pointer = 0;
  let known: CachedFont | undefined;
  for (let i = 0; i < objects.length; i += 1) {
    const object = objects[i] as Pointer;
    const { look } = looks.stateOf(object);
    if (!run.read(wordsOf(library), object, placed.get(object))) return undefined;
    if (run.font !== font) {
      font = run.font;
      known = glyphCache.fontAt(font);
      if (!known || known.isOdd) return undefined;
      known.space ??= looks.widthOf(object, SPACE);
    }
    // Asked for these, PDFium may have moved its memory.
    if (!known || !placer.place(wordsOf(library), run, known, look)) return undefined;
  }
  return takeGlyphs(room, placer.end(), looks.looks);
}
