// Strings of which some glyphs are taken out.
import { PdfString } from '../objects.ts';
import { formatNumber, formatValue } from '../syntax/object-syntax.ts';
import type { PlacedGlyph } from './text-state.ts';

/** What a string becomes in TJ: the glyphs that stay, and numbers that move on as the others did. */
export function remainingGlyphs(
  string: PdfString,
  glyphs: readonly PlacedGlyph[],
  outside: readonly boolean[],
): string[] {
  const left: string[] = [];
  let [from, at, moved] = [0, 0, 0];
  const flush = (to: number): void => {
    if (moved !== 0) left.push(formatNumber(moved));
    if (to > from) left.push(formatValue(new PdfString(string.bytes.subarray(from, to))));
    moved = 0;
  };
  glyphs.forEach(({ length, adjustment }, index) => {
    if (outside[index]) {
      if (at > from) flush(at);
      moved += adjustment;
      from = at + length;
    }
    at += length;
  });
  flush(at);
  return left;
}
