// Directions of text (Unicode Annex 9): levels of the characters of a paragraph, and the order runs are seen in.
import bidiModule from 'bidi-js';

// The package's types tell of a default export; what Node gets is the function itself.
const bidi = (bidiModule as unknown as typeof bidiModule.default)();

export type Direction = 'auto' | 'ltr' | 'rtl';

export interface Levels {
  /** Per UTF-16 unit; odd means right to left. */
  levels: Uint8Array;
  paragraphLevel: number;
}

/** Nothing here, and every character goes left to right. */
const MAY_GO_LEFT =
  /[\u0590-\u08ff\u200f\u202b\u202e\u2067\u2068\ufb1d-\ufdff\ufe70-\ufeff]|[\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

export function levelsOf(text: string, direction: Direction): Levels {
  if (direction !== 'rtl' && !MAY_GO_LEFT.test(text)) {
    return { levels: new Uint8Array(text.length), paragraphLevel: 0 };
  }
  const { levels, paragraphs } = bidi.getEmbeddingLevels(
    withinFirstPlane(text),
    direction === 'auto' ? undefined : direction,
  );
  return { levels, paragraphLevel: paragraphs[0]?.level ?? 0 };
}

/** The algorithm's package looks at UTF-16 units: a character of two gets stand-ins of its own kind. */
function withinFirstPlane(text: string): string {
  return text.replace(/[\u{10000}-\u{10ffff}]/gu, (character) => standIn(character).repeat(2));
}

function standIn(character: string): string {
  if (/\p{Mn}/u.test(character)) return '\u0300';
  if (
    /[\u{10d00}-\u{10d3f}\u{10ec0}-\u{10eff}\u{10f30}-\u{10f6f}\u{1ec70}-\u{1ecbf}\u{1ed00}-\u{1ed4f}\u{1ee00}-\u{1eeff}]/u.test(
      character,
    )
  )
    return '\u0627';
  if (/[\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u.test(character)) return '\u05d0';
  return /[\p{S}\p{P}]/u.test(character) ? '\u2605' : 'a';
}

/** UAX 9, L1: blanks at the end of a line take the level of the paragraph. */
export function resetTrailing(text: string, start: number, end: number, found: Levels): Uint8Array {
  const levels = found.levels.slice(start, end);
  for (
    let at = end - 1;
    at >= start && /[\s\u200b-\u200f\u202a-\u202e\u2066-\u2069]/.test(text[at] ?? '');
    at -= 1
  ) {
    levels[at - start] = found.paragraphLevel;
  }
  return levels;
}

/** UAX 9, L2: runs in the order they are seen, from left to right. */
export function visualOrder<R extends { level: number }>(runs: readonly R[]): R[] {
  const ordered = [...runs];
  const levels = [...new Set(ordered.map(({ level }) => level))].sort((a, b) => a - b);
  const lowestOdd = levels.find((level) => level % 2 === 1);
  if (lowestOdd === undefined) return ordered;
  for (let level = levels.at(-1) ?? 0; level >= lowestOdd; level -= 1) {
    for (let start = 0; start < ordered.length; start += 1) {
      let end = start;
      while (end < ordered.length && (ordered[end]?.level ?? 0) >= level) end += 1;
      if (end > start) ordered.splice(start, end - start, ...ordered.slice(start, end).reverse());
      start = end;
    }
  }
  return ordered;
}
