// Letters drawn twice almost in one place, to look bold: a reader sees one.
import type { Glyph } from './glyph-list.ts';

/** Shares of the font's size and of the letter's own width. */
const APART = 0.15;
const OF_WIDTH = 0.5;

/** For every letter that has them, the others drawn over it; all of a group know each other. */
export function twinsOf(glyphs: readonly Glyph[]): ReadonlyMap<number, readonly number[]> {
  const byPlace = new Map<number, Glyph[]>();
  const groups = new Map<number, number[]>();
  for (const glyph of glyphs) {
    if (glyph.text === undefined || glyph.text.trim() === '') continue;
    const first = twinBefore(byPlace, glyph);
    if (first) {
      const group = groups.get(first.index) ?? [first.index];
      group.push(glyph.index);
      for (const index of group) groups.set(index, group);
      continue;
    }
    const key = placeKey(glyph, 0, 0);
    const there = byPlace.get(key);
    if (there) there.push(glyph);
    else byPlace.set(key, [glyph]);
  }
  return groups;
}

function twinBefore(byPlace: ReadonlyMap<number, readonly Glyph[]>, glyph: Glyph): Glyph | undefined {
  for (const dx of [0, -1, 1])
    for (const dy of [0, -1, 1]) {
      const there = byPlace.get(placeKey(glyph, dx, dy));
      const twin = there?.find((other) => isTwin(other, glyph));
      if (twin) return twin;
    }
  return undefined;
}

/** Places of a grid as wide as twins may stand apart; neighbours are looked at too. */
function placeKey({ origin, size }: Glyph, dx: number, dy: number): number {
  const cell = Math.max(APART * size, 1e-3);
  const [x, y] = [Math.floor(origin.x / cell) + dx, Math.floor(origin.y / cell) + dy];
  return (Math.imul(x, 73_856_093) ^ Math.imul(y, 19_349_663)) >>> 0;
}

function isTwin(a: Glyph, b: Glyph): boolean {
  if (a.text !== b.text || Math.abs(a.size - b.size) > 0.1 * a.size) return false;
  const width = Math.hypot(a.end.x - a.origin.x, a.end.y - a.origin.y);
  const apart = Math.hypot(a.origin.x - b.origin.x, a.origin.y - b.origin.y);
  return apart <= Math.min(APART * a.size, OF_WIDTH * width);
}

/** The first of each group, and all that have no twin. */
export const withoutTwins = (
  order: readonly Glyph[],
  twins: ReadonlyMap<number, readonly number[]>,
): readonly Glyph[] => order.filter(({ index }) => (twins.get(index)?.[0] ?? index) === index);
