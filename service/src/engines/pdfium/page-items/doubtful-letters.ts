// How many letters of a page are told otherwise by their font's ToUnicode map than by the names of its glyphs.
import type { Library, Pointer } from '../library.ts';
import { FORM, type PageObjects, TEXT } from '../page-objects.ts';
import type { GlyphCache } from './glyph-cache.ts';
import { wordsOf } from './pdfium-memory.ts';
import { TextRun } from './text-run.ts';

const MAX_DEPTH = 8;
const MAX_OBJECTS = 100_000;

/** Looked for only where a font of the document has such letters: almost never. */
export function countDoubtfulLetters(
  library: Library,
  document: Pointer,
  objects: PageObjects | undefined,
  fonts: GlyphCache,
): number {
  if (!fonts.hasDoubts || !objects) return 0;
  const { native } = library;
  const run = new TextRun();
  let doubtful = 0;
  let left = MAX_OBJECTS;
  const visit = (object: Pointer, type: number, depth: number): void => {
    left -= 1;
    if (type === TEXT && run.read(wordsOf(library), object)) {
      const codes = fonts.readRepairs(document, run.font).doubtful;
      if (codes)
        for (const code of wordsOf(library).u.subarray(run.codes, run.codes + run.count))
          if (codes.has(code)) doubtful += 1;
    } else if (type === FORM && depth < MAX_DEPTH) {
      const count = Math.min(left, native.FPDFFormObj_CountObjects(object));
      for (let i = 0; i < count && left > 0; i += 1) {
        const inner = native.FPDFFormObj_GetObject(object, i);
        if (inner !== 0) visit(inner, native.FPDFPageObj_GetType(inner), depth + 1);
      }
    }
  };
  for (let i = 0; i < objects.count && left > 0; i += 1)
    visit(objects.objects[i] as Pointer, objects.types[i] as number, 0);
  return doubtful;
}
