// Letters drawn twice almost in one place, to look bold: a reader sees one.
import { computeOnce } from '../../contract/maps.ts';
import type { Glyph } from './glyph-list.ts';

/** Shares of the font's size and of the letter's own width. */
const APART = 0.15;
const OF_WIDTH = 0.5;
/** Hostile pages draw a letter without end; what is drawn more often is found as text of its own. */
const MOST = 64;

type Twins = ReadonlyMap<number, readonly number[]>;

const known = new WeakMap<readonly Glyph[], Twins>();

/** For every letter that has them, the others drawn over it; all of a group know each other. */
export function twinsOf(glyphs: readonly Glyph[]): Twins {
  return computeOnce(known, glyphs, () => findTwins(glyphs));
}

function findTwins(glyphs: readonly Glyph[]): Twins {
  const byPlace = new Map<number, Glyph[]>();
  const groups = new Map<number, number[]>();
  for (const glyph of glyphs) {
    const { text, size, origin } = glyph;
    if (text === undefined || text === ' ' || text.trim() === '') continue;
    const first = twinBefore(byPlace, glyph);
    if (first) {
      const group = groups.get(first.index) ?? [first.index];
      if (group.length < MOST) group.push(glyph.index);
      groups.set(first.index, group).set(glyph.index, group);
      continue;
    }
    const cell = cellOf(size);
    const key = placeKey(text, Math.floor(origin.x / cell), Math.floor(origin.y / cell));
    const there = byPlace.get(key);
    if (there && there.length < MOST) there.push(glyph);
    else if (!there) byPlace.set(key, [glyph]);
  }
  return groups;
}

/** Of a grid some times as wide as twins may stand apart: one place is enough to look at, most often. */
const cellOf = (size: number): number => Math.max(4 * APART * size, 1e-3);

function twinBefore(byPlace: ReadonlyMap<number, readonly Glyph[]>, glyph: Glyph): Glyph | undefined {
  const { origin, size, text = '' } = glyph;
  const [cell, reach] = [cellOf(size), APART * size];
  const [right, top] = [Math.floor((origin.x + reach) / cell), Math.floor((origin.y + reach) / cell)];
  for (let x = Math.floor((origin.x - reach) / cell); x <= right; x += 1)
    for (let y = Math.floor((origin.y - reach) / cell); y <= top; y += 1) {
      const there = byPlace.get(placeKey(text, x, y));
      if (there) for (const other of there) if (isTwin(other, glyph)) return other;
    }
  return undefined;
}

const placeKey = (text: string, x: number, y: number): number =>
  (Math.imul(x, 73_856_093) ^ Math.imul(y, 19_349_663) ^ Math.imul(text.charCodeAt(0), 83_492_791)) >>> 0;

function isTwin(a: Glyph, b: Glyph): boolean {
  if (a.text !== b.text || Math.abs(a.size - b.size) > 0.1 * a.size) return false;
  const width = Math.hypot(a.end.x - a.origin.x, a.end.y - a.origin.y);
  const apart = Math.hypot(a.origin.x - b.origin.x, a.origin.y - b.origin.y);
  return apart <= Math.min(APART * a.size, OF_WIDTH * width);
}

/** The first of each group, and all that have no twin. */
export const withoutTwins = (order: readonly Glyph[], twins: Twins): readonly Glyph[] =>
  order.filter(({ index }) => (twins.get(index)?.[0] ?? index) === index);
