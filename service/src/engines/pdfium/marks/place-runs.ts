// Text objects whose codes are all known, as glyphs.
import type { Glyphs } from '../../../contract/page-marks.ts';
import type { Library, Pointer } from '../library.ts';
import { baseSpace, kernAt, spaceFrom } from './gap-spaces.ts';
import { glyphCode, type LookReader, turnOf } from './glyph-looks.ts';
import { cutGlyphs, emptyGlyphs } from './glyph-rows.ts';
import { type KnownFont, type KnownSigns, SEVERAL, SIGN_FLOATS } from './known-signs.ts';
import { wordsOf } from './memory.ts';
import type { PageSpace } from './page-space.ts';
import { NO_CODE, TextRun } from './text-run.ts';

const SPACE = 0x20;
const LINE_END = 0x0a;
const ONE = [0];

/** Runs on one line, by their baselines, in parts of the size. */
export const SAME_LINE = 0.7;

/** One pass over hundreds of thousands of glyphs in a long document: plain statements, nothing made on the way. */
export function placeRuns(
  library: Library,
  objects: Uint32Array,
  most: number,
  { space, signs, looks }: { space: PageSpace; signs: KnownSigns; looks: LookReader },
): Glyphs {
  const glyphs = emptyGlyphs(most);
  const { codes, origins, ink, advances, sizes, turns, lookOf } = glyphs;
  const [A, B, C, D, E, F] = space.toDisplay;
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
    if (!run.read(wordsOf(library), object)) continue;
    if (run.font !== font) {
      font = run.font;
      known = signs.fontAt(font);
      if (known) known.space ??= looks.widthOf(object, SPACE);
    }
    if (!known) continue;
    // Asked for these, PDFium may have moved its memory.
    const words = wordsOf(library);
    const { u, f } = words;
    const { signOf, letter, letters, measures, space: spaceWidth = 0 } = known;
    const across = run.a * run.size;
    const up = run.d * run.size;
    const slant = run.c * run.size;
    const height = slant === 0 ? up : Math.hypot(slant, up);
    const y = run.y;
    if (Math.abs(y - line) > SAME_LINE * up) {
      // PDFium does not read a space at the end of a line.
      if (latest === SPACE && kept > 0) kept -= 1;
      latest = LINE_END;
    }
    line = y;
    const apart = run.charSpace === 0 ? 0 : run.charSpace / run.size - baseSpace(words, run);
    let kern = 0;
    for (let k = 0; k < run.count; k += 1) {
      const code = u[run.codes + k] as number;
      if (code === NO_CODE) {
        if (latest !== SPACE) kern = kernAt(f, run, k);
        continue;
      }
      const x = k === 0 ? run.x : run.x + (f[run.places + k - 1] as number) * run.a;
      const placeX = A * x + C * y + E;
      const placeY = B * x + D * y + F;
      const sign = signOf[code] as number;
      const at = sign * SIGN_FLOATS;
      const advance = measures[at] as number;
      const gap = kern + apart;
      kern = 0;
      if (gap > 0 && k > 0 && gap >= spaceFrom(spaceWidth, advance)) {
        latest = SPACE;
        codes[kept] = SPACE;
        origins[kept * 2] = placeX;
        origins[kept * 2 + 1] = placeY;
        sizes[kept] = height;
        turns[kept] = turn;
        lookOf[kept] = look;
        kept += 1;
      }
      const low = measures[at + 2] as number;
      const high = measures[at + 4] as number;
      const left = x + (measures[at + 1] as number) * across + Math.min(low * slant, high * slant);
      const bottom = y + low * up;
      const right = x + (measures[at + 3] as number) * across + Math.max(low * slant, high * slant);
      const top = y + high * up;
      const x1 = A * left + C * bottom + E;
      const y1 = B * left + D * bottom + F;
      const x2 = A * right + C * top + E;
      const y2 = B * right + D * top + F;
      const several = letter[sign] === SEVERAL ? (letters[sign] as number[]) : ONE;
      for (let n = 0; n < several.length; n += 1) {
        const before = latest;
        latest = several === ONE ? (letter[sign] as number) : (several[n] as number);
        // Of spaces in a row PDFium reads the first.
        if (latest === 0 || (latest === SPACE && before === SPACE)) continue;
        codes[kept] = glyphCode(latest);
        origins[kept * 2] = placeX;
        origins[kept * 2 + 1] = placeY;
        ink[kept * 4] = Math.min(x1, x2);
        ink[kept * 4 + 1] = Math.min(y1, y2);
        ink[kept * 4 + 2] = Math.max(x1, x2);
        ink[kept * 4 + 3] = Math.max(y1, y2);
        advances[kept] = Math.abs(advance * across);
        sizes[kept] = height;
        turns[kept] = turn;
        lookOf[kept] = look;
        kept += 1;
      }
    }
  }
  return { ...cutGlyphs(glyphs, kept), looks: looks.looks };
}
