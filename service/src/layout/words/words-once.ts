// Words drawn twice, to look bold or to throw a shadow, are read once.
import type { Word } from './word.ts';

/** The same word within this part of its size is the same word drawn again, but never farther away than NEAR. */
const SAME_PLACE = 0.15;
const NEAR = 16;
/** Baselines are compared within strips of so many points. */
const STRIP = 4;
const BUCKETS = 1 << 13;
const NONE = -1;

/** The newest word of each bucket; used again for each page. */
const newest = new Int32Array(BUCKETS);

/** Words are looked up by where they begin: nearly all find nothing there, and nothing is made for them. */
export function dropRepeatedWords(words: Word[]): Word[] {
  newest.fill(NONE);
  const older = new Int32Array(words.length);
  let once: Word[] | undefined;
  for (let i = 0; i < words.length; i += 1) {
    const word = words[i] as Word;
    const strip = Math.round(word.baseline / STRIP);
    const { x } = word.box;
    const cell = Math.floor(x / NEAR);
    const bucket = bucketOf(strip, cell);
    const near = nearnessOf(word);
    const isAgain =
      isAmong(word, words, newest[bucket] as number, older) ||
      (x - near < cell * NEAR && isAmong(word, words, newest[bucketOf(strip, cell - 1)] as number, older)) ||
      (x + near >= (cell + 1) * NEAR &&
        isAmong(word, words, newest[bucketOf(strip, cell + 1)] as number, older));
    if (isAgain) {
      once ??= words.slice(0, i);
      continue;
    }
    older[i] = newest[bucket] as number;
    newest[bucket] = i;
    once?.push(word);
  }
  return once ?? words;
}

const bucketOf = (strip: number, cell: number): number =>
  (Math.imul(strip, 73_856_093) ^ Math.imul(cell, 19_349_663)) & (BUCKETS - 1);

function isAmong(word: Word, words: readonly Word[], from: number, older: Int32Array): boolean {
  let looked = 0;
  for (let k = from; k !== NONE && looked < MAX_LOOKED_AT; k = older[k] as number, looked += 1) {
    const other = words[k] as Word;
    if (other.text === word.text && isSamePlace(word, other)) return true;
  }
  return false;
}

/** A page may heap thousands of words onto one place. */
const MAX_LOOKED_AT = 200;

const nearnessOf = ({ style }: Word): number => Math.min(NEAR, style.size * SAME_PLACE);

function isSamePlace(word: Word, other: Word): boolean {
  const near = nearnessOf(word);
  return (
    Math.abs(word.box.x - other.box.x) < near &&
    // The baseline of turned writing says how far across it stands, not how far along.
    Math.abs(word.box.y - other.box.y) < near &&
    Math.abs(word.baseline - other.baseline) < near &&
    word.turn === other.turn
  );
}
