// Glyphs that PDFium leaves out because their code looks like nothing: TeX's fonts of growing signs have opening
// brackets under the codes 0 and 32, which PDFium takes for no letter and for a space.
import type { Library, Pointer } from '../library.ts';
import { type PageObjects, TEXT } from '../page-objects.ts';
import type { AstralTexts } from './astral-actual-text.ts';
import { CHAR, CHAR_WORDS, type CharRecords, wordsOf } from './pdfium-memory.ts';
import { TextRun } from './text-run.ts';

const SPACE = 0x20;

/** By the object that draws it alone; what font repairs a code to is asked of `letters`. */
export function readLostGlyphs(
  library: Library,
  { count, objects, types }: PageObjects,
  { u, count: told }: CharRecords & { count: number },
  letters: (font: Pointer, code: number) => readonly number[] | undefined,
): AstralTexts {
  const lost = new Map<Pointer, readonly number[]>();
  const run = new TextRun();
  const words = wordsOf(library);
  for (let i = 0; i < count; i += 1) {
    if (types[i] !== TEXT || !run.read(words, objects[i] as Pointer) || run.count !== 1) continue;
    const code = words.u[run.codes] as number;
    if (code !== 0 && code !== SPACE) continue;
    const meant = letters(run.font, code);
    if (meant && meant[0] !== SPACE) lost.set(run.object, meant);
  }
  if (lost.size === 0) return lost;
  for (let at = 0; at < told * CHAR_WORDS; at += CHAR_WORDS) {
    const letter = u[at + CHAR.unicode];
    if (letter !== SPACE && letter !== 0) lost.delete(u[at + CHAR.object] as number);
  }
  return lost;
}
