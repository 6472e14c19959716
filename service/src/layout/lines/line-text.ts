// The text of a line as it is read.

import { visualToLogical } from '../words/visual-to-logical.ts';
import type { Word } from '../words/word.ts';
import type { TextLine } from './text-lines.ts';

/**
 * The words in the order they are read: against the eye, where the script runs to the left. A word whose letters are
 * read apart from each other comes in pieces.
 */
export function wordsAsRead({ words, direction }: TextLine): Word[] {
  if (words.every((word) => word.direction === 'ltr')) return words;
  const visual: { text: string; word: Word | undefined }[] = [];
  for (const [i, word] of words.entries()) {
    const before = words[i - 1];
    if (before && isGap(before, word)) visual.push({ text: ' ', word: undefined });
    for (const text of word.visual ?? word.text) visual.push({ text, word });
  }
  const read: Word[] = [];
  let isApart = false;
  for (const { at, text } of visualToLogical(
    visual.map((letter) => letter.text),
    direction,
  )) {
    const word = visual[at]?.word;
    const last = read.at(-1);
    if (!word) isApart = true;
    else if (last && !isApart && last.baseline === word.baseline && last.style === word.style)
      last.text += text;
    else {
      // From here on spaces are known, and order is that of reading.
      read.push({ ...word, text, direction, glued: !isApart, spaced: isApart, order: read.length });
      isApart = false;
    }
  }
  return read;
}

/** Words that are less apart than this part of their size belong together, however they were drawn. */
const NO_GAP = 0.06;
/** Words of which none was drawn after a space are parted by more. */
const SURE_GAP = 0.15;

/** Whether there is a space between two words that stand beside each other. */
function isGap(left: Word, right: Word): boolean {
  const gap = right.box.x - left.box.x - left.box.width;
  const size = Math.min(left.style.size, right.style.size);
  const later = left.order > right.order ? left : right;
  return gap > (later.spaced && !later.glued ? NO_GAP : SURE_GAP) * size;
}

/** Whether there is a space between two words that follow one another on a line. */
export function isSpaceBetween(before: Word, after: Word): boolean {
  if (after.glued) return false;
  if (after.order > before.order && after.spaced) return true;
  const [left, right] = before.box.x <= after.box.x ? [before, after] : [after, before];
  const gap = right.box.x - left.box.x - left.box.width;
  return gap > NO_GAP * Math.min(before.style.size, after.style.size);
}

export function lineText(line: TextLine): string {
  if (line.text !== undefined) return line.text;
  let text = '';
  let before: Word | undefined;
  for (const word of wordsAsRead(line)) {
    if (before && isSpaceBetween(before, word)) text += ' ';
    text += word.text;
    before = word;
  }
  return text;
}
