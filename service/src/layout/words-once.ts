// Words drawn twice, to look bold or to throw a shadow, are read once.
import type { Word } from './page-marks.ts';

/** The same word within this part of its size is the same word drawn again. */
const SAME_PLACE = 0.15;
/** Places are compared in squares of so many points, and those beside them. */
const SQUARE = 4;

export function wordsOnce(words: readonly Word[]): Word[] {
  const drawn = new Map<string, Word[]>();
  return words.filter((word) => {
    const key = `${Math.round(word.baseline / SQUARE)} ${word.text}`;
    const same = drawn.get(key);
    if (!same) {
      drawn.set(key, [word]);
      return true;
    }
    if (same.some((other) => isSamePlace(word, other))) return false;
    same.push(word);
    return true;
  });
}

function isSamePlace(word: Word, other: Word): boolean {
  const near = word.style.size * SAME_PLACE;
  return (
    Math.abs(word.box.x - other.box.x) < near &&
    Math.abs(word.baseline - other.baseline) < near &&
    word.turn === other.turn
  );
}
