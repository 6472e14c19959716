// Text objects whose codes are all known, as glyphs.
import type { Glyphs } from '../../../contract/page-items.ts';
import type { Library, Pointer } from '../library.ts';
import { baseSpace, kernAt, spaceFrom } from './gap-spaces.ts';
import { type KnownFont, type KnownSigns, SEVERAL, SIGN_FLOATS } from './glyph-cache.ts';
import { type LookReader, turnOf } from './glyph-looks.ts';
import { firstGlyphs } from './glyph-rows.ts';
import type { PageSpace } from './page-space.ts';
import { wordsOf } from './pdfium-memory.ts';
import { NO_CODE, TextRun } from './text-run.ts';

const SPACE = 0x20;
const LINE_END = 0x0a;
const ONE: readonly number[] = [0];

/** Runs on one line, by their baselines, in parts of the size. */
export const SAME_LINE = 0.7;

/**
 * Undefined where a code is not known. One pass over hundreds of thousands of glyphs in a long document: plain
 * statements, nothing made on the way.
 */
export function placeRuns(
  library: Library,
  objects: Uint32Array,
  room: Glyphs,
  { space, signs, looks }: { space: PageSpace; signs: KnownSigns; looks: LookReader },
): Glyphs | undefined {
  const { codes, origins, ink, advances, sizes, turns, lookOf } = room;
  const [A, B, C, D, E, F] = space.toDisplay;
  const isUpright = B === 0 && C === 0 && A > 0 && D < 0;
  const turn = turnOf(A, B);
  const run = new TextRun();
  let font: Pointer = 0;
  let known: KnownFont | undefined;
  let kept = 0;
  let latest = SPACE;
  let line = 0;
  for (let i = 0; i < objects.length; i += 1) {
    const object = objects[i] as Pointer;
    const { look } = looks.stateOf(object);
    if (!run.read(wordsOf(library), object)) return undefined;
    if (run.font !== font) {
      font = run.font;
      known = signs.fontAt(font);
      if (!known || known.isOdd) return undefined;
      known.space ??= looks.widthOf(object, SPACE);
    }
    if (!known) return undefined;
    // Asked for these, PDFium may have moved its memory.
    const words = wordsOf(library);
    const { u, f } = words;
    const { signOf, letter, letters, measures, space: spaceWidth = 0 } = known;
    const across = run.a * run.size;
    const up = run.d * run.size;
    const slant = run.c * run.size;
    const height = slant === 0 ? up : Math.hypot(slant, up);
    const isPlain = isUpright && slant === 0;
    const wide = A * across;
    const high = D * up;
    const { x: startX, y, a, count, codes: codesAt } = run;
    const placesAt = run.places - 1;
    const toX = C * y + E;
    const toY = D * y + F;
    if (Math.abs(y - line) > SAME_LINE * up) {
      // PDFium does not read a space at the end of a line.
      if (latest === SPACE && kept > 0) kept -= 1;
      latest = LINE_END;
    }
    line = y;
    const apart = run.charSpace === 0 ? 0 : run.charSpace / run.size - baseSpace(words, run);
    let kern = 0;
    for (let k = 0; k < count; k += 1) {
      const code = u[codesAt + k] as number;
      if (code === NO_CODE) {
        if (latest !== SPACE) kern = kernAt(f, run, k);
        continue;
      }
      const sign = code < signOf.length ? (signOf[code] as number) : 0;
      if (sign === 0) return undefined;
      const x = k === 0 ? startX : startX + (f[placesAt + k] as number) * a;
      const placeX = A * x + toX;
      const placeY = B * x + toY;
      const at = sign * SIGN_FLOATS;
      const advance = measures[at] as number;
      const gap = kern + apart;
      kern = 0;
      if (gap > 0 && k > 0 && gap >= spaceFrom(spaceWidth, advance)) {
        latest = SPACE;
        codes[kept] = SPACE;
        origins[kept * 2] = placeX;
        origins[kept * 2 + 1] = placeY;
        ink.fill(0, kept * 4, kept * 4 + 4);
        advances[kept] = 0;
        sizes[kept] = height;
        turns[kept] = turn;
        lookOf[kept] = look;
        kept += 1;
      }
      let several = ONE;
      let told = letter[sign] as number;
      if (told === SEVERAL) several = letters[sign] as readonly number[];
      for (let n = 0; n < several.length; n += 1) {
        if (several !== ONE) told = several[n] as number;
        // Of spaces in a row PDFium reads the first.
        if (told === 0 || (told === SPACE && latest === SPACE)) continue;
        latest = told;
        codes[kept] = told;
        origins[kept * 2] = placeX;
        origins[kept * 2 + 1] = placeY;
        if (isPlain) {
          ink[kept * 4] = placeX + (measures[at + 1] as number) * wide;
          ink[kept * 4 + 1] = placeY + (measures[at + 4] as number) * high;
          ink[kept * 4 + 2] = placeX + (measures[at + 3] as number) * wide;
          ink[kept * 4 + 3] = placeY + (measures[at + 2] as number) * high;
        } else {
          const [low, top] = [measures[at + 2] as number, measures[at + 4] as number];
          const left = (measures[at + 1] as number) * across + Math.min(low * slant, top * slant);
          const right = (measures[at + 3] as number) * across + Math.max(low * slant, top * slant);
          const [x1, y1] = [A * left + C * low * up, B * left + D * low * up];
          const [x2, y2] = [A * right + C * top * up, B * right + D * top * up];
          ink[kept * 4] = placeX + Math.min(x1, x2);
          ink[kept * 4 + 1] = placeY + Math.min(y1, y2);
          ink[kept * 4 + 2] = placeX + Math.max(x1, x2);
          ink[kept * 4 + 3] = placeY + Math.max(y1, y2);
        }
        advances[kept] = Math.abs(advance * across);
        sizes[kept] = height;
        turns[kept] = turn;
        lookOf[kept] = look;
        kept += 1;
      }
    }
  }
  return firstGlyphs(room, kept, looks.looks);
}
