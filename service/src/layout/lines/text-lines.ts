// Words to lines: what stands on one baseline without a wide gap. A visual line that runs across columns is several
// of these.

import type { Block, Box, DropCap } from '../model.ts';
import { directionOf } from '../words/direction.ts';
import type { Word } from '../words/word.ts';

/** Words that follow one another on one line, as seen from left to right. */
export interface TextLine {
  words: Word[];
  box: Box;
  baseline: number;
  /** The size most of it is written in. */
  size: number;
  /** Characters without spaces. */
  length: number;
  direction: 'ltr' | 'rtl';
  /** Its place in the order of the page's content. */
  order: number;
  /** Where it was read without cutting it into words: it has none then. */
  text?: string;
  /** Which of its words stand behind a wide gap: a row of several lines in one. */
  parts?: readonly number[];
  /** Where it begins with a letter that further lines stand beside. */
  dropCap?: DropCap;
  /** Not text but a table or figure, which takes its place among the lines. */
  object?: Block;
}

/** Baselines that differ by less than this part of the size are one. */
const SAME_BASELINE = 0.28;
/** A gap wider than this part of the size may be that between two columns. */
export const WIDE_GAP = 0.75;
/** Words of a line that is stretched to fill its column are at most so far apart, and all about as far. */
export const LOOSEST = 2.7;
export const SAME_GAP = 0.06;
/** Raised and lowered writing is smaller than this part of what it stands beside. */
const SMALL = 0.85;
/** How far such writing may be from its word, as a part of the word's size. */
const ATTACHED = 0.35;
/** How much higher or lower than its line, as a part of the line's size. */
export const RAISED_BY = 0.7;
const LOWERED_BY = 0.4;

/** Upright words only. */
export function readLines(words: readonly Word[]): TextLine[] {
  const clusters = clusterByBaseline(words);
  attachRaised(clusters);
  return clusters.flatMap((cluster) => splitAtWideGaps(cluster.words));
}

interface Cluster {
  words: Word[];
  baseline: number;
  /** The largest and the smallest that is written in it. */
  size: number;
  least: number;
}

function clusterByBaseline(words: readonly Word[]): Cluster[] {
  const clusters: Cluster[] = [];
  let current: Cluster | undefined;
  for (const word of byBaseline(words)) {
    const { size } = word.style;
    if (current && word.baseline - current.baseline <= SAME_BASELINE * Math.min(size, current.size)) {
      current.words.push(word);
      // The first word leads; small characters do not narrow what follows.
      current.size = Math.max(current.size, size);
      current.least = Math.min(current.least, size);
      continue;
    }
    current = { words: [word], baseline: word.baseline, size, least: size };
    clusters.push(current);
  }
  return clusters;
}

/** Most pages are written from the top. */
export function byBaseline<T extends { baseline: number }>(pieces: readonly T[]): readonly T[] {
  for (let i = 1; i < pieces.length; i += 1)
    if ((pieces[i] as T).baseline < (pieces[i - 1] as T).baseline)
      return pieces.toSorted((a, b) => a.baseline - b.baseline);
  return pieces;
}

/** Most lines are written from the left. */
function byLeft(words: Word[]): Word[] {
  for (let i = 1; i < words.length; i += 1)
    if ((words[i] as Word).box.x < (words[i - 1] as Word).box.x)
      return words.toSorted((a, b) => a.box.x - b.box.x);
  return words;
}

/** Lines that raised words may belong to, the likeliest first. */
const NEIGHBOURS = [1, -1, 2, -2];

/** Moves raised and lowered words to the line they belong to. */
function attachRaised(clusters: Cluster[]): void {
  for (const [k, cluster] of clusters.entries()) {
    const near: Cluster[] = [];
    for (const step of NEIGHBOURS) {
      const other = clusters[k + step];
      if (other && cluster.least <= other.size * SMALL) near.push(other);
    }
    if (near.length === 0) continue;
    for (const word of [...cluster.words]) {
      const host = near.find((other) => isBeside(word, other));
      if (!host) continue;
      cluster.words.splice(cluster.words.indexOf(word), 1);
      host.words.push(word);
      host.least = Math.min(host.least, word.style.size);
    }
  }
}

function isBeside(word: Word, line: Cluster): boolean {
  const { size } = word.style;
  if (size > line.size * SMALL) return false;
  const rise = line.baseline - word.baseline;
  if (rise > line.size * RAISED_BY || rise < -line.size * LOWERED_BY) return false;
  return line.words.some((other) => {
    if (size > other.style.size * SMALL) return false;
    const reach = other.style.size * ATTACHED;
    const { x, width } = other.box;
    return Math.abs(word.box.x - (x + width)) < reach || Math.abs(word.box.x + word.box.width - x) < reach;
  });
}

function splitAtWideGaps(words: Word[]): TextLine[] {
  const lines: TextLine[] = [];
  const sorted = byLeft(words);
  if (!hasWideGap(sorted)) return sorted.length > 0 ? [buildLine(sorted)] : lines;
  const gaps = gapsBefore(sorted);
  let from = 0;
  for (let i = 1; i < sorted.length; i += 1) {
    const { size } = (sorted[i] as Word).style;
    if ((gaps[i] as number) <= WIDE_GAP * size || isLoose(gaps, i, size)) continue;
    lines.push(buildLine(sorted.slice(from, i)));
    from = i;
  }
  if (sorted.length > 0) lines.push(buildLine(from === 0 ? sorted : sorted.slice(from)));
  return lines;
}

function hasWideGap(words: readonly Word[]): boolean {
  let reach = Infinity;
  for (const { box, style } of words) {
    if (box.x - reach > WIDE_GAP * style.size) return true;
    const end = box.x + box.width;
    if (end > reach || reach === Infinity) reach = end;
  }
  return false;
}

/** Free space before each word, as seen from left to right. */
function gapsBefore(words: readonly Word[]): number[] {
  let reach = -Infinity;
  return words.map(({ box }) => {
    const gap = box.x - reach;
    reach = Math.max(reach, box.x + box.width);
    return gap;
  });
}

/** A line set loosely to fill its width has the same space between all its words. */
function isLoose(gaps: readonly number[], i: number, size: number): boolean {
  const gap = gaps[i] as number;
  if (gap > LOOSEST * size) return false;
  return [gaps[i - 1], gaps[i + 1]].some(
    (near) => near !== undefined && Math.abs(near - gap) < SAME_GAP * size,
  );
}

/** Words as seen from left to right. */
export function buildLine(words: Word[]): TextLine {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  let length = 0;
  let rightToLeft = false;
  let main = words[0] as Word;
  let order = main.order;
  let bySize: Map<number, number> | undefined;
  for (const word of words) {
    const { x, y, width, height } = word.box;
    if (x < left) left = x;
    if (y < top) top = y;
    if (x + width > right) right = x + width;
    if (y + height > bottom) bottom = y + height;
    const { size } = word.style;
    // Most lines are written in one size.
    if (!bySize && size !== main.style.size) bySize = new Map([[main.style.size, length]]);
    length += word.text.length;
    if (word.order < order) order = word.order;
    if (word.direction === 'rtl') rightToLeft = true;
    if (!bySize) continue;
    const count = (bySize.get(size) ?? 0) + word.text.length;
    bySize.set(size, count);
    if (count > (bySize.get(main.style.size) ?? 0)) main = word;
  }
  return {
    words,
    box: { x: left, y: top, width: right - left, height: bottom - top },
    baseline: main.baseline,
    size: main.style.size,
    length,
    direction: rightToLeft ? directionOf(words) : 'ltr',
    order,
  };
}

/** A table or figure as it takes part in the order of reading. */
export const objectLine = (object: Block, box: Box): TextLine => ({
  words: [],
  box,
  // Before what stands beside it.
  baseline: box.y,
  size: 10,
  length: 0,
  direction: 'ltr',
  order: Number.MAX_SAFE_INTEGER,
  object,
});
