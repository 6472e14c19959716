// The text of a line as it is read.
import type { Word } from './page-marks.ts';
import type { TextLine } from './text-lines.ts';

/** The words in the order they are read: against the eye, where the script runs to the left. */
export function wordsAsRead({ words, direction }: TextLine): Word[] {
  if (words.every((word) => word.direction === 'ltr')) return words;
  return direction === 'rtl'
    ? turnRuns([...words].reverse(), (word) => word.direction === 'ltr')
    : turnRuns([...words], (word) => word.direction === 'rtl');
}

function turnRuns(words: Word[], belongs: (word: Word) => boolean): Word[] {
  const turned: Word[] = [];
  let run: Word[] = [];
  for (const word of words) {
    if (belongs(word)) {
      run.unshift(word);
      continue;
    }
    turned.push(...run, word);
    run = [];
  }
  return [...turned, ...run];
}

/** Words that are less apart than this part of their size belong together, however they were drawn. */
const NO_GAP = 0.06;

/** Whether there is a space between two words that follow one another on a line. */
export function isSpaceBetween(before: Word, after: Word): boolean {
  // Where directions meet, what was drawn after what says little.
  if (before.direction === after.direction) {
    if (after.glued) return false;
    if (after.order > before.order && after.spaced) return true;
  }
  const [left, right] = before.box.x <= after.box.x ? [before, after] : [after, before];
  const gap = right.box.x - left.box.x - left.box.width;
  return gap > NO_GAP * Math.min(before.style.size, after.style.size);
}

export function lineText(line: TextLine): string {
  let text = '';
  let before: Word | undefined;
  for (const word of wordsAsRead(line)) {
    if (before && isSpaceBetween(before, word)) text += ' ';
    text += word.text;
    before = word;
  }
  return text;
}
