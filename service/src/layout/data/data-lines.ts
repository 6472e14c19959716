// The lines of a page as data is read from: pieces that stand apart, with their text and place.
import type { Box } from '../model.ts';
import { type Area, areaAround, type Word } from '../tables/areas.ts';
import type { Frame } from '../tables/frame.ts';
import { readLines } from '../tables/text-lines.ts';

/** Words so near to each other that they are one label, or one value. */
export interface Piece extends Area {
  text: string;
  words: readonly Word[];
  size: number;
  bold: boolean;
}

export interface DataLine extends Area {
  baseline: number;
  size: number;
  pieces: Piece[];
}

/** A page of more lines is a listing, and nobody's form. */
const MAX_LINES = 2000;

export function dataLines({ words }: Pick<Frame, 'words'>): DataLine[] {
  return readLines(words)
    .slice(0, MAX_LINES)
    .map((line) => ({ ...line, pieces: line.chunks.map((chunk) => pieceOf(chunk.words)) }));
}

export function pieceOf(words: readonly Word[]): Piece {
  return {
    ...areaAround(words),
    text: textOf(words),
    words,
    size: Math.max(...words.map(({ size }) => size)),
    bold: words.every(({ bold }) => bold),
  };
}

export const textOf = (words: readonly Word[]): string =>
  words.map(({ text, glued }, i) => (i === 0 || glued ? text : ` ${text}`)).join('');

export const boxOn = (frame: Pick<Frame, 'onPage'>, areas: readonly Area[]): Box => {
  const { x, y, width, height } = frame.onPage(areaAround(areas));
  return { x: rounded(x), y: rounded(y), width: rounded(width), height: rounded(height) };
};

const rounded = (length: number): number => Math.round(length * 100) / 100 || 0;
