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
 * `above` are the lines of text over the last line of the table; `area` is as wide as they are and begins at the last
 * one. The height down to which lines keep their columns, or that of the last line.
 */
export function endOfRows(above: readonly TextLine[], area: Area, words: WordIndex): number {
  const known = above.filter(({ chunks }) => chunks.length > 1);
  const head = above.at(-1);
  if (!head || head.chunks.length < 2) return area.top;
  let end = area.top;
  let [rows, beginning, before] = [0, 0, area.top + head.size];
  for (const line of readLines(words.inside({ ...area, bottom: Number.POSITIVE_INFINITY }))) {
    if (line.baseline - before > line.size * ROW_DISTANCE || !keepsColumns(line, known)) break;
    [end, before] = [line.bottom, line.baseline];
    rows += 1;
    const begins = known.some(({ chunks }) => isUnder(line.chunks[0], chunks[0], line.size));
    if (begins && line.chunks.length > 1) beginning += 1;
  }
  return rows >= LEAST_LINES && beginning >= 1 ? end : area.top;
}

/** Each piece begins under a text of a line above, and ends before the next of that line begins. */
const keepsColumns = (line: TextLine, above: readonly TextLine[]): boolean =>
  line.chunks.every((chunk) =>
    above.some(({ chunks }) => {
      const column = chunks.findIndex((each) => isUnder(chunk, each, line.size));
      const next = chunks[column + 1];
      return column >= 0 && (next === undefined || chunk.right < next.left);
    }),
  );

const isUnder = (chunk: Chunk | undefined, head: Chunk | undefined, size: number): boolean =>
  chunk !== undefined &&
  head !== undefined &&
  (Math.abs(chunk.left - head.left) < size * SAME_PLACE ||
    Math.abs(middle(chunk) - middle(head)) < size * SAME_PLACE);

const middle = (area: Area): number => (area.left + area.right) / 2;
