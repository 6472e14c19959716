// Right-to-left writing: glyphs lie on the page as they are seen; text is kept as it is read.
import type { Glyphs } from '../../contract/page-items.ts';
import { pairBrackets, visualToLogical } from './visual-to-logical.ts';
import type { Word } from './word.ts';

/** Hebrew, Arabic, Syriac, Thaana, N'Ko and their presentation forms. */
export const isRightToLeft = (code: number): boolean =>
  code >= 0x590 &&
  ((code <= 0x8ff && code !== 0x66a) ||
    (code >= 0xfb1d && code <= 0xfdff) ||
    (code >= 0xfe70 && code <= 0xfeff) ||
    (code >= 0x10800 && code <= 0x10fff) ||
    (code >= 0x1e800 && code <= 0x1efff)) &&
  !(code >= 0x660 && code <= 0x669) &&
  !(code >= 0x6f0 && code <= 0x6f9);

/** Whether any of it may be such writing; for the text of a page, which is searched at once. */
export const mayBeRightToLeft = (text: string): boolean =>
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\ud802\ud803\ud83a\ud83b]/.test(text);

export interface LogicalText {
  text: string;
  direction: 'ltr' | 'rtl';
  /** Letters with their marks from left to right, where there is right-to-left writing among them. */
  visual?: readonly string[];
}

/** The text of glyphs that make up one word. */
export function logicalText(glyphs: Glyphs, piece: Uint32Array): LogicalText {
  const { codes, origins } = glyphs;
  let rightToLeft = false;
  let ascending = true;
  let text = '';
  let before = -Infinity;
  for (const i of piece) {
    const code = codes[i] as number;
    if (isRightToLeft(code)) rightToLeft = true;
    if ((origins[i * 2] as number) < before) ascending = false;
    before = origins[i * 2] as number;
    text += character(code);
  }
  if (!rightToLeft && ascending) return { text, direction: 'ltr' };
  const clusters: { x: number; letters: string[] }[] = [];
  for (const i of piece) {
    const x = origins[i * 2] as number;
    const last = clusters.at(-1);
    const letter = character(codes[i] as number);
    if (letter === '') continue;
    if (last?.x === x) last.letters.push(letter);
    else clusters.push({ x, letters: [letter] });
  }
  if (!rightToLeft && text !== '' && !isTurnedPunctuation(text)) return { text, direction: 'ltr' };
  const visual = clusters.toSorted((a, b) => a.x - b.x).map(({ letters }) => inOnePlace(letters));
  if (!rightToLeft) return { text, direction: 'ltr', visual };
  return { text: readText(visual), direction: 'rtl', visual };
}

/** Characters that were drawn to the left belong to right-to-left writing beside them. */
const isTurnedPunctuation = (text: string): boolean => !/[\p{L}\p{N}]/u.test(text);

/** Letters of one glyph come in either order: a mark follows its letter, an alef joined to a lam follows the lam. */
function inOnePlace(all: readonly string[]): string {
  const letters = all.filter((letter) => !/^\p{M}$/u.test(letter));
  const marks = all.filter((letter) => /^\p{M}$/u.test(letter));
  const isReversed = /^[آأإا]ل$/.test(letters.join('')) || letters.join('') === 'هلل';
  return [...(isReversed ? letters.toReversed() : letters), ...marks].join('');
}

/** Characters that name radicals; fonts that have them once draw the word of the same look with them. */
export const isRadical = (code: number): boolean => code >= 0x2f00 && code <= 0x2fd5;

/** A character that says nothing, or that XML and terminals cannot take, is left out. */
function character(code: number): string {
  if (code < 0x20 || (code >= 0x7f && code < 0xa0) || code === 0xad) return code === 0xad ? '-' : '';
  if (
    code === 0xfffe ||
    code === 0xffff ||
    code === 0xfeff ||
    code > 0x10ffff ||
    (code >= 0xd800 && code <= 0xdfff)
  )
    return '';
  return isRadical(code) ? String.fromCodePoint(code).normalize('NFKC') : String.fromCodePoint(code);
}

/** Baselines that differ by less, in points, are one. */
const SAME_LINE = 2;

/** Brackets on lines that have right-to-left writing, as they are seen; also those of words in the other direction. */
export function pairBracketsOfWords(words: readonly Word[]): Word[] {
  const byPlace = words.toSorted((a, b) => a.baseline - b.baseline);
  const paired = new Map<Word, Word>();
  for (let from = 0; from < byPlace.length; ) {
    let to = from + 1;
    while (to < byPlace.length && isOnLine(byPlace[to - 1] as Word, byPlace[to] as Word)) to += 1;
    const line = byPlace.slice(from, to).toSorted((a, b) => a.box.x - b.box.x);
    if (line.some(({ direction }) => direction === 'rtl'))
      for (const [word, other] of pairedWords(line)) paired.set(word, other);
    from = to;
  }
  return words.map((word) => paired.get(word) ?? word);
}

const isOnLine = (above: Word, below: Word): boolean =>
  above.turn === below.turn && below.baseline - above.baseline < SAME_LINE;

function pairedWords(line: readonly Word[]): [Word, Word][] {
  const letters = line.flatMap((word) => [...(word.visual ?? word.text)].map((letter) => ({ letter, word })));
  const shapes = pairBrackets(letters.map(({ letter }) => letter));
  const changed = new Set(letters.flatMap(({ letter, word }, i) => (letter === shapes[i] ? [] : [word])));
  return [...changed].map((word) => {
    const visual = shapes.filter((_, i) => letters[i]?.word === word);
    const text = word.direction === 'rtl' ? readText(visual) : visual.join('');
    return [word, { ...word, text, ...(word.visual ? { visual } : {}) }];
  });
}

const readText = (visual: readonly string[]): string =>
  visualToLogical(visual, 'rtl')
    .map(({ text }) => text)
    .join('');

/** What a line is taken to read in, by its words as seen from left to right. */
export function directionOf(
  words: readonly { text: string; direction: 'ltr' | 'rtl'; visual?: readonly string[] }[],
): 'ltr' | 'rtl' {
  let [toLeft, all] = [0, 0];
  for (const { text, direction } of words) {
    all += text.length;
    if (direction === 'rtl') toLeft += text.length;
  }
  if (toLeft === 0 || toLeft === all) return toLeft === 0 ? 'ltr' : 'rtl';
  // A sentence begins and ends in its own direction, and its full stop stands at its end.
  const written = words.filter(({ text }) => /\p{L}/u.test(text));
  const [left, right] = [written[0], written.at(-1)];
  if (left && right && left.direction === right.direction) return left.direction;
  const ends = [words[0], words.at(-1)].map((word) => word?.visual ?? [...(word?.text ?? '')]);
  const isLeftEnd = /^[.!?:,;]$/.test(ends[0]?.at(0) ?? '');
  const isRightEnd = /^[.!?:,;]$/.test(ends[1]?.at(-1) ?? '');
  if (isLeftEnd !== isRightEnd) return isLeftEnd ? 'rtl' : 'ltr';
  return toLeft * 2 > all ? 'rtl' : 'ltr';
}
