// Words whose letters stand apart: gaps that would part words elsewhere part letters here. What counts is how the gaps
// of a stretch compare with each other, not how wide they are.
import type { Glyph } from './glyph-list.ts';

/** Shares of the font's size. Narrower gaps bind letters to a word. */
const BINDING = 0.03;
const WIDEST = 4;
/** A gap so many times the usual one of its stretch parts words: set tight, set loose. */
const PARTING = [1.3, 1.8, 2.6];
/** Fewer letters are words of one letter each. */
const LEAST_LETTERS = 3;

export interface SpreadText {
  text: string;
  glyphAt: number[];
  isHit(start: number, end: number): boolean;
}

/** How far a character stands behind another, in sizes; undefined on another line. */
export type Gap = (before: Glyph, glyph: Glyph) => number | undefined;

interface Stretch {
  glyphs: Glyph[];
  /** Before each glyph but the first. */
  gaps: number[];
  /** Where it begins among the characters that are seen. */
  at: number;
}

export function spreadTexts(order: readonly Glyph[], gapOf: Gap): SpreadText[] {
  const seen = order.filter((glyph) => glyph.text?.trim() !== '');
  const stretches = stretchesOf(seen, gapOf);
  return stretches.length === 0 ? [] : PARTING.map((factor) => spreadText(stretches, factor));
}

/** Stretches in which no two letters are bound to each other. */
function stretchesOf(seen: readonly Glyph[], gapOf: Gap): Stretch[] {
  const gaps = seen.map((glyph, at) => {
    const before = seen[at - 1];
    const gap = before && gapOf(before, glyph);
    return gap === undefined || gap > WIDEST ? undefined : Math.max(0, gap);
  });
  const isFree = (at: number): boolean => {
    const gap = gaps[at];
    return gap === undefined || gap >= BINDING;
  };
  const stretches: Stretch[] = [];
  let current: Stretch | undefined;
  seen.forEach((glyph, at) => {
    if (!isFree(at) || !isFree(at + 1)) {
      current = undefined;
      return;
    }
    const gap = gaps[at];
    if (current && gap !== undefined) {
      current.glyphs.push(glyph);
      current.gaps.push(gap);
      return;
    }
    current = { glyphs: [glyph], gaps: [], at };
    stretches.push(current);
  });
  return stretches.filter(({ glyphs }) => glyphs.length >= LEAST_LETTERS);
}

function spreadText(stretches: readonly Stretch[], factor: number): SpreadText {
  const parts: string[] = [];
  const glyphAt: number[] = [];
  /** For each unit the gap before it; undefined where that parts words. */
  const gapAt: (number | undefined)[] = [];
  const say = (text: string, glyph: number, gap: number | undefined): void => {
    parts.push(text);
    for (let unit = 0; unit < text.length; unit += 1) {
      glyphAt.push(glyph);
      gapAt.push(unit === 0 ? gap : undefined);
    }
  };
  let end = -1;
  for (const { glyphs, gaps, at } of stretches) {
    // Only what follows on the next line may go on there.
    if (end !== -1) say(at === end ? '\n' : '\n\u2022\n', -1, undefined);
    const usual = median(gaps);
    glyphs.forEach((glyph, index) => {
      const gap = index === 0 ? undefined : gaps[index - 1];
      const parts = gap !== undefined && gap > factor * usual;
      if (parts) say(' ', -1, undefined);
      say(glyph.text ?? '\ufffd', glyph.index, parts ? undefined : gap);
    });
    end = at + glyphs.length;
  }
  return {
    text: parts.join(''),
    glyphAt,
    isHit(start, to) {
      const within = gapAt.slice(start + 1, to).filter((gap) => gap !== undefined);
      const letters = glyphAt.slice(start, to).filter((glyph) => glyph >= 0).length;
      const most = 2 * median(within) + 0.15;
      // One gap much wider than the others parts two words that stand side by side.
      return letters >= LEAST_LETTERS && within.every((gap) => gap <= most);
    },
  };
}

function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? 0;
}
