// Lines of text with what they have in each column.
import type { Word } from './areas.ts';
import { isFigure, plainText } from './grid.ts';
import type { TextLine } from './text-lines.ts';

/** What a line has in the columns `from` to `to`. */
export interface PlacedText {
  from: number;
  to: number;
  words: Word[];
}

export interface PlacedLine {
  line: TextLine;
  cells: PlacedText[];
  /** A text over all columns that names the rows below it, as others in the table do. */
  isTitle?: boolean;
}

export type Row = PlacedLine[];

export const texts = (placed: PlacedLine): string[] => placed.cells.map(({ words }) => plainText(words));

export const columnsOf = (placed: PlacedLine): number[] =>
  placed.cells.flatMap(({ from, to }) => Array.from({ length: to - from + 1 }, (_, i) => from + i));

/** What the lines of a row have in a column, the last of them. */
export const lastIn = (row: Row, column: number): PlacedText | undefined =>
  row.map(({ cells }) => cells.find(({ from }) => from === column)).findLast((cell) => cell !== undefined);

/** Whether one text would take in several that stand apart on the other line. */
export function swallows(row: Row, placed: PlacedLine): boolean {
  const over = (wide: PlacedText, others: readonly PlacedText[]): boolean =>
    wide.to > wide.from && others.filter(({ from, to }) => from <= wide.to && to >= wide.from).length > 1;
  return row.some(
    ({ cells }) =>
      cells.some((cell) => over(cell, placed.cells)) || placed.cells.some((cell) => over(cell, cells)),
  );
}

/** Two figures in one column are two rows. */
export function conflicts(row: Row, placed: PlacedLine): boolean {
  return placed.cells.some(
    ({ from, words }) =>
      isFigure(plainText(words)) &&
      row.some(({ cells }) => cells.some((cell) => cell.from === from && isFigure(plainText(cell.words)))),
  );
}
