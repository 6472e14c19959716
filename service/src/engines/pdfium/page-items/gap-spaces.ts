// Where PDFium takes a gap within a run for a space. The rule is its own: pages read here and pages read by it must
// not differ.
import { NO_CODE, type TextRun } from './text-run.ts';

/** A space of a font that is wider than this part of the size says nothing. */
const WIDEST_SPACE = 1 / 3;
const FEWEST_ITEMS = 3;

/** From which gap on there is a space, in parts of the size, by the width of the font's space and of the next glyph. */
export function smallestSpace(space: number, next: number): number {
  if (space > 0 && space <= WIDEST_SPACE) return space / 2;
  if (next < 0.3) return next / 2;
  if (next < 0.5) return next / 4;
  return next < 0.7 ? next / 5 : next / 6;
}

/** What every glyph is set apart by, which is therefore no gap; in parts of the size. */
export function baseSpace(words: { u: Uint32Array; f: Float32Array }, run: TextRun): number {
  if (run.charSpace === 0 || run.count < FEWEST_ITEMS) return 0;
  let least = run.charSpace / run.size;
  let hasGap = false;
  for (let k = 0; k < run.count; k += 1) {
    if (words.u[run.codes + k] !== NO_CODE) continue;
    hasGap = true;
    least = Math.min(least, run.charSpace / run.size + kernAt(words.f, run, k));
  }
  return least < 0 || (hasGap && run.count === FEWEST_ITEMS) ? 0 : least;
}

/** How much an adjustment within a run moves what follows, in parts of the size. */
export const kernAt = (f: Float32Array, { places }: TextRun, k: number): number =>
  k === 0 ? 0 : -(f[places + k - 1] as number) / 1000;
