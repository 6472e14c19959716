// Bullets that are drawn, not written: small dots and squares before a line, as browsers print them.
import type { Box } from '../model.ts';
import type { PageItems } from '../page-items.ts';
import type { Word } from '../words/word.ts';

/** Sides of a bullet, in points; it is about as wide as high. */
const SMALLEST = 1.5;
const LARGEST = 7;
/** How far before its text a bullet stands, in parts of the text's size. */
const NEAREST = 0.2;
const FURTHEST = 2.6;
const MAX_BULLETS = 400;

/** Words for the bullets of a page. */
export function drawnBullets({ curves, fills, words }: PageItems): Word[] {
  const dots = [...curves, ...fills.map(({ box }) => box)].filter(isDot);
  if (dots.length === 0 || dots.length > MAX_BULLETS) return [];
  const bullets: Word[] = [];
  const seen = new Set<string>();
  for (const dot of dots) {
    const place = `${Math.round(dot.x)} ${Math.round(dot.y)}`;
    const text = seen.has(place) ? undefined : textAfter(dot, words);
    if (!text) continue;
    seen.add(place);
    bullets.push({
      ...text,
      text: '•',
      box: { ...text.box, x: dot.x, width: dot.width },
      glued: false,
      spaced: true,
      direction: 'ltr',
      order: text.order - 0.5,
    });
  }
  return bullets;
}

const isDot = ({ width, height }: Box): boolean =>
  Math.min(width, height) >= SMALLEST && Math.max(width, height) <= LARGEST && Math.abs(width - height) < 1;

/** The word that begins the line of a dot, on its right or, read from there, on its left. */
function textAfter(dot: Box, words: readonly Word[]): Word | undefined {
  const [right, level] = [dot.x + dot.width, dot.y + dot.height / 2];
  let [after, before]: (Word | undefined)[] = [];
  for (const word of words) {
    const { box, turn } = word;
    if (turn !== 0 || level < box.y || level > box.y + box.height) continue;
    if (box.x >= right) after = after && after.box.x <= box.x ? after : word;
    else if (box.x < dot.x) before = before && endOf(before) >= endOf(word) ? before : word;
  }
  const gapAfter = after ? (after.box.x - right) / after.style.size : Infinity;
  const gapBefore = before ? (dot.x - endOf(before)) / before.style.size : Infinity;
  // Nothing else stands between or before them.
  const isOwn = (gap: number, other: number): boolean =>
    gap >= NEAREST && gap <= FURTHEST && other >= FURTHEST;
  if (isOwn(gapAfter, gapBefore)) return after;
  return before?.direction === 'rtl' && isOwn(gapBefore, gapAfter) ? before : undefined;
}

const endOf = ({ box }: Word): number => box.x + box.width;
