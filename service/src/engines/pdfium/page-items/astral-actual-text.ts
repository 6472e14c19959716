// ActualText (ISO 32000-1, 14.9.4) with characters above U+FFFF, as browsers and office programs write it for emoji of
// several parts. PDFium leaves such characters out; here the whole text is given with its first glyph.
import type { Library, Pointer } from '../library.ts';
import { type PageObjects, TEXT } from '../page-objects.ts';
import { actualText } from './actual-text.ts';
import { CHAR, CHAR_WORDS, OBJECT, TEXT_STATE, wordsOf } from './pdfium-memory.ts';
import { NO_CODE, TextRun } from './text-run.ts';
import type { RepairedChars } from './to-unicode-repairs.ts';

/** By the first object that draws it. */
export type AstralTexts = ReadonlyMap<Pointer, readonly number[]>;

const HALVES = /[\ud800-\udfff]/;

export function readAstralTexts(library: Library, { count, objects, types }: PageObjects): AstralTexts {
  const texts = new Map<Pointer, readonly number[]>();
  const seen = new Set<number>([0]);
  let latest = 0;
  for (let i = 0; i < count; i += 1) {
    if (types[i] !== TEXT) continue;
    const object = objects[i] as Pointer;
    const marks = wordsOf(library).u[(object >> 2) + OBJECT.marks] as number;
    if (marks === latest || seen.has(marks)) continue;
    latest = marks;
    seen.add(marks);
    const text = actualText(library, object);
    if (text && HALVES.test(text))
      texts.set(
        object,
        Array.from(text, (letter) => letter.codePointAt(0) ?? 0),
      );
  }
  return texts;
}

/** The characters with these texts whole. */
export function insertAstralTexts(
  library: Library,
  { objects }: PageObjects,
  texts: AstralTexts,
  chars: RepairedChars,
): RepairedChars {
  const drawnAt = new Map<Pointer, number>();
  for (const [at, object] of objects.entries()) drawnAt.set(object, at);
  const open = [...texts.keys()];
  const records: { record: Uint32Array; from: number }[] = [];
  const tell = (object: Pointer, from: number): void => {
    for (const letter of texts.get(object) ?? [])
      records.push({ record: recordOf(library, object, letter), from });
  };
  for (let i = 0; i < chars.count; i += 1) {
    const record = chars.u.subarray(i * CHAR_WORDS, (i + 1) * CHAR_WORDS);
    const object = record[CHAR.object] as Pointer;
    const at = drawnAt.get(object) ?? -1;
    const from = chars.from ? (chars.from[i] as number) : i;
    // In the order of drawing, which is mostly that of reading; places tell the rest.
    while (open.length > 0 && (drawnAt.get(open[0] as Pointer) ?? 0) <= at)
      tell(open.shift() as Pointer, from);
    if (!(texts.has(object) && record[CHAR.code] === NO_CODE)) records.push({ record, from });
  }
  for (const object of open) tell(object, Math.max(0, chars.count - 1));
  return gathered(records);
}

function gathered(records: readonly { record: Uint32Array; from: number }[]): RepairedChars {
  const u = new Uint32Array(records.length * CHAR_WORDS);
  for (const [i, { record }] of records.entries()) u.set(record, i * CHAR_WORDS);
  const from = Uint32Array.from(records, (each) => each.from);
  return { u, f: new Float32Array(u.buffer), count: records.length, from };
}

/** As PDFium would tell a letter of such a text. */
function recordOf(library: Library, object: Pointer, letter: number): Uint32Array {
  const u = new Uint32Array(CHAR_WORDS);
  const f = new Float32Array(u.buffer);
  u[CHAR.unicode] = letter;
  u[CHAR.code] = NO_CODE;
  u[CHAR.object] = object;
  const run = new TextRun();
  const words = wordsOf(library);
  if (run.read(words, object)) {
    const state = (words.u[(object >> 2) + OBJECT.textState] as number) >> 2;
    f.set([run.x, run.y], CHAR.originX);
    f.set([run.a, words.f[state + TEXT_STATE.b] as number, run.c, run.d], CHAR.a);
  }
  using bounds = library.borrow(16);
  const { at } = bounds;
  if (library.native.FPDFPageObj_GetBounds(object, at, at + 4, at + 8, at + 12)) {
    const [left = 0, bottom = 0, right = 0, top = 0] = bounds.floats();
    f.set([left, bottom, right, top], CHAR.left);
    f[CHAR.looseLeft] = left;
    f[CHAR.looseRight] = right;
  }
  return u;
}
