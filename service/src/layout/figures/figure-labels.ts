// The texts of a page as figures meet them: labels, which may belong to one, and running text and captions, which
// do not.

import { isCaptionText } from '../blocks/captions.ts';
import { isCode } from '../blocks/paragraph-breaks.ts';
import { boxAround } from '../box-geometry.ts';
import { lineText } from '../lines/line-text.ts';
import { readLines, type TextLine } from '../lines/text-lines.ts';
import type { Box } from '../model.ts';
import type { Word } from '../words/word.ts';

export interface PageText {
  box: Box;
  words: readonly Word[];
  size: number;
  characters: number;
  kind: 'label' | 'prose' | 'caption';
}

/** Lines of a paragraph are no further apart than this, in parts of their size. */
const LEADING = 1.75;
const SAME_SIZE = 0.1;
/** How many characters lines of a paragraph have, at least, on average, and all together. */
const LONG_LINES = 20;
const LONG_TEXT = 70;
/** Lines of a program are running text too. */
const SOME_CODE = 25;
/** How much of running text is words in small letters. */
const SMALL_LETTERS = 0.55;

export function groupTexts(words: readonly Word[]): PageText[] {
  const upright = readLines(words.filter(({ turn }) => Math.abs(turn) <= 2));
  const prose = proseOf(upright);
  const lines = upright.map(
    (line): PageText => ({
      box: line.box,
      words: line.words,
      size: line.size,
      characters: line.length,
      kind: prose.has(line) ? 'prose' : isCaptionText(lineText(line)) ? 'caption' : 'label',
    }),
  );
  const turned = words
    .filter(({ turn }) => Math.abs(turn) > 2)
    .map(
      (word): PageText => ({
        box: boxAround([word.box]),
        words: [word],
        size: word.style.size,
        characters: word.text.length,
        kind: 'label',
      }),
    );
  return [...lines, ...turned];
}

/** Lines that stand under each other as those of a paragraph do, and read like one. */
function proseOf(lines: readonly TextLine[]): Set<TextLine> {
  const prose = new Set<TextLine>();
  const open: TextLine[][] = [];
  const close = (paragraph: TextLine[]): void => {
    if (isProse(paragraph)) for (const line of paragraph) prose.add(line);
  };
  for (const line of lines.toSorted((a, b) => a.baseline - b.baseline)) {
    const found = open.findIndex((paragraph) => goesOn(paragraph.at(-1) as TextLine, line));
    if (found >= 0) open[found]?.push(line);
    else open.push([line]);
    for (let k = open.length - 1; k >= 0; k -= 1) {
      const last = open[k]?.at(-1) as TextLine;
      if (line.baseline - last.baseline > last.size * LEADING) close(open.splice(k, 1)[0] ?? []);
    }
  }
  for (const paragraph of open) close(paragraph);
  return prose;
}

function goesOn(above: TextLine, line: TextLine): boolean {
  const distance = line.baseline - above.baseline;
  if (distance < line.size * 0.5 || distance > Math.max(line.size, above.size) * LEADING) return false;
  if (Math.abs(line.size - above.size) > SAME_SIZE * line.size) return false;
  const { x, width } = above.box;
  const isLeft = Math.abs(line.box.x - x) < line.size * 2.5;
  const isRight = Math.abs(line.box.x + line.box.width - x - width) < line.size;
  const isCentered = Math.abs(line.box.x + line.box.width / 2 - x - width / 2) < line.size * 0.5;
  return isLeft || isRight || isCentered;
}

function isProse(lines: readonly TextLine[]): boolean {
  const characters = lines.reduce((sum, { length }) => sum + length, 0);
  if (lines.length > 1 && characters > SOME_CODE && lines.every(isCode)) return true;
  if (characters < LONG_TEXT || characters < lines.length * LONG_LINES) return false;
  const texts = lines.flatMap(({ words }) => words.map(({ text }) => text));
  const small = texts.filter((text) => /^[\p{Ll}\p{Lo}]/u.test(text)).length;
  return small >= texts.length * SMALL_LETTERS;
}
