// What was read from an image of a page, in pixels of that image: rows count from the top.
import type { PixelBox } from '../geometry/boxes.ts';

export interface RecognisedWord {
  /** In logical order: as it is read aloud. */
  text: string;
  box: PixelBox;
  /** 0 to 100. */
  confidence: number;
}

export interface RecognisedLine {
  box: PixelBox;
  /** How the line lies in the image, counter-clockwise: 90 runs from the bottom to the top. */
  turn: Turn;
  /** Pixels that the baseline falls for each to the right, and where it begins above the lower edge of the box. */
  baseline: { slope: number; rise: number };
  /** From the lowest descender to the highest ascender. */
  size: number;
  rightToLeft: boolean;
  words: RecognisedWord[];
}

export type Turn = 0 | 90 | 180 | 270;

export interface RecognisedPage {
  width: number;
  height: number;
  /** Paragraphs of lines, as they are read. */
  paragraphs: RecognisedLine[][];
}

export const linesOf = (page: RecognisedPage): RecognisedLine[] => page.paragraphs.flat();

/** The mean over all characters; 0 where nothing was read. */
export function confidenceOf(page: RecognisedPage): number {
  let sum = 0;
  let characters = 0;
  for (const { words } of linesOf(page)) {
    for (const { text, confidence } of words) {
      sum += confidence * text.length;
      characters += text.length;
    }
  }
  return characters === 0 ? 0 : sum / characters;
}

/** Scripts that put no blank between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uffef]/u;

/** Whether a blank belongs between two words that follow each other. */
export function areSpaced(before: string, after: string): boolean {
  const last = [...before].at(-1) ?? '';
  const first = [...after][0] ?? '';
  return !(UNSPACED.test(last) && UNSPACED.test(first));
}

/** Lines end with a line feed, paragraphs with two. */
export function plainText(page: RecognisedPage): string {
  return page.paragraphs.map((lines) => `${lines.map(lineText).join('\n')}\n`).join('\n');
}

function lineText({ words }: RecognisedLine): string {
  return words.reduce(
    (line, { text }, index) => line + (index > 0 && areSpaced(line, text) ? ' ' : '') + text,
    '',
  );
}
