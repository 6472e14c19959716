// Words whose letters are set apart, as titles often are, are one word each. Their letters are drawn without spaces,
// all as far from each other; spaces are drawn, or left, only between the words.
import type { Word } from './word.ts';

/** A word has at least so many letters on its line for that to be seen. */
const FEWEST = 4;
/** Of the pieces at least this part are single letters. */
const MOST = 0.7;
/** Letters are set apart by at most this part of the size; how much that varies, by kerning, and what parts words. */
const WIDEST = 0.8;
const VARIES = 0.15;
const WIDER = 0.18;

export function joinLetterspaced(words: Word[]): Word[] {
  let whole: Word[] | undefined;
  for (let from = 0; from < words.length; ) {
    const to = isLetter(words[from] as Word) ? endOfRun(words, from) : from + 1;
    const joined = to - from >= FEWEST ? joinedWords(words.slice(from, to)) : undefined;
    if (joined) {
      whole ??= words.slice(0, from);
      whole.push(...joined);
    } else if (whole) for (let i = from; i < to; i += 1) whole.push(words[i] as Word);
    from = to;
  }
  return whole ?? words;
}

const isLetter = ({ text }: Word): boolean => text.length === 1;

/** Pieces in one look that follow one another on a line. */
function endOfRun(words: readonly Word[], from: number): number {
  let to = from + 1;
  for (; to < words.length; to += 1) {
    const [before, next] = [words[to - 1] as Word, words[to] as Word];
    if (next.style !== before.style || next.baseline !== before.baseline || next.glued) break;
    if (next.turn !== 0 || next.direction === 'rtl' || next.text.length > 3) break;
    const gap = gapBetween(before, next);
    if (gap < 0 || gap > WIDEST * 2 * next.style.size) break;
  }
  return to;
}

const gapBetween = (before: Word, next: Word): number => next.box.x - before.box.x - before.box.width;

function joinedWords(run: readonly Word[]): Word[] | undefined {
  if (run.filter(isLetter).length < run.length * MOST || !isWriting(run)) return undefined;
  const { size } = (run[0] as Word).style;
  const gaps = run.map((word, i) => (i === 0 ? 0 : gapBetween(run[i - 1] as Word, word)));
  const within = gaps.filter((_, i) => i > 0 && !(run[i] as Word).spaced).toSorted((a, b) => a - b);
  // Letters with a space between all of them were meant to be letters.
  if (within.length < (run.length - 1) * MOST) return undefined;
  const usual = within[within.length >> 1] as number;
  if (usual > WIDEST * size) return undefined;
  const joined: Word[] = [];
  for (const [i, word] of run.entries()) {
    const gap = gaps[i] as number;
    const last = joined.at(-1);
    if (!last) joined.push({ ...word });
    else if (word.spaced || gap > usual + WIDER * size) {
      // Between words there is their space, and what sets letters apart on both its sides.
      last.box = { ...last.box, width: last.box.width + Math.min(2 * usual, gap - usual) };
      joined.push({ ...word });
    } else if (gap < usual - VARIES * size) return undefined;
    else {
      last.text += word.text;
      last.box = { ...last.box, width: word.box.x + word.box.width - last.box.x };
    }
  }
  return joined.some(({ text }) => text.length >= FEWEST) ? joined : undefined;
}

/** Mostly letters, but no alphabet: "A B C D" leads to the parts of an index. */
function isWriting(run: readonly Word[]): boolean {
  const text = run.map((word) => word.text).join('');
  if (text.replace(/[^\p{L}]/gu, '').length < text.length * MOST) return false;
  let steps = 0;
  for (let i = 1; i < text.length; i += 1) if (text.charCodeAt(i) - text.charCodeAt(i - 1) === 1) steps += 1;
  return steps * 2 < text.length;
}
