// Rows under the last line of a table that ends without one: the page's end has cut it, or its style has none.
import type { Area, WordIndex } from './areas.ts';
import { type Chunk, readLines, type TextLine } from './text-lines.ts';

/** Rows, and the lines of their texts, stand no farther from each other, in parts of the letters' size. */
const ROW_DISTANCE = 2.4;
/** Texts begin under their heads, or stand in their middle, up to so many parts of the letters' size. */
const SAME_PLACE = 0.5;
/** Fewer rows may stand so by accident. */
const LEAST_LINES = 2;

/**
 * `head` stands right over the last line of the table; `area` is as wide as they are and begins at the last one.
 * The height down to which lines keep its columns, or that of the last line.
 */
export function endOfRows(head: TextLine, area: Area, words: WordIndex): number {
  if (head.chunks.length < 2) return area.top;
  let end = area.top;
  let [rows, beginning, before] = [0, 0, area.top + head.size];
  for (const line of readLines(words.inside({ ...area, bottom: Number.POSITIVE_INFINITY }))) {
    if (line.baseline - before > line.size * ROW_DISTANCE || !keepsColumns(line, head)) break;
    [end, before] = [line.bottom, line.baseline];
    rows += 1;
    if (isUnder(line.chunks[0], head.chunks[0], line.size) && line.chunks.length > 1) beginning += 1;
  }
  return rows >= LEAST_LINES && beginning >= 1 ? end : area.top;
}

/** Each piece begins under a head, or ends before the next one begins. */
function keepsColumns(line: TextLine, head: TextLine): boolean {
  return line.chunks.every((chunk) => {
    const column = head.chunks.findIndex((each) => isUnder(chunk, each, line.size));
    const next = head.chunks[column + 1];
    return column >= 0 && (next === undefined || chunk.right < next.left);
  });
}

const isUnder = (chunk: Chunk | undefined, head: Chunk | undefined, size: number): boolean =>
  chunk !== undefined &&
  head !== undefined &&
  (Math.abs(chunk.left - head.left) < size * SAME_PLACE ||
    Math.abs(middle(chunk) - middle(head)) < size * SAME_PLACE);

const middle = (area: Area): number => (area.left + area.right) / 2;

/** The last line of words over a line of a table. */
export const lastLine = (band: Area, words: WordIndex): TextLine | undefined =>
  readLines(words.inside(band)).at(-1);
