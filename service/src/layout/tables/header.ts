// How many rows at the top of a table are heads.

import { holds, type Tint } from './areas.ts';
import { cellsByRow, type Grid, type GridCell, isFigure, plainText } from './grid.ts';

const MAX_HEADS = 5;

export function headerRows(grid: Grid, tints: readonly Tint[]): number {
  const rows = cellsByRow(grid);
  const limit = Math.min(MAX_HEADS, rows.length - 1);
  const heads = Math.max(
    grid.headerRows,
    setOff(rows, limit, (row) => written(row).every(({ words }) => words.every(({ bold }) => bold))),
    setOff(rows, limit, (row) => isTinted(row, tints)),
    wordsOverFigures(rows, limit),
  );
  return Math.min(limit, throughSpans(rows, heads));
}

const written = (row: readonly GridCell[]): GridCell[] =>
  row
    .map((cell) => (cell.turned ? { ...cell, words: cell.turned.words } : cell))
    .filter(({ words }) => words.length > 0);

/** Rows at the top that have what most rows below have not. */
function setOff(rows: readonly GridCell[][], limit: number, has: (row: GridCell[]) => boolean): number {
  const marked = rows.map((row) => written(row).length > 0 && has(row));
  let count = 0;
  while (count < limit && marked[count]) count += 1;
  const below = marked.slice(count).filter(Boolean).length;
  return below <= (rows.length - count) * 0.3 ? count : 0;
}

const isTinted = (row: readonly GridCell[], tints: readonly Tint[]): boolean =>
  written(row).every(({ words }) =>
    words.some((word) => tints.some((tint) => tint.color !== '#ffffff' && holds(tint, word))),
  );

/** One row of words over columns of figures. */
function wordsOverFigures(rows: readonly GridCell[][], limit: number): number {
  if (limit < 1) return 0;
  const hasFigure = (row: readonly GridCell[]): boolean =>
    row.some(({ words }) => isFigure(plainText(words)));
  const [first = [], ...rest] = rows;
  return written(first).length > 1 && !hasFigure(first) && rest.filter(hasFigure).length >= rest.length * 0.7
    ? 1
    : 0;
}

/** A head that is several rows high takes the rows beside it along. */
function throughSpans(rows: readonly GridCell[][], heads: number): number {
  let end = heads;
  for (let row = 0; row < end; row += 1) {
    for (const cell of rows[row] ?? []) if (cell.words.length > 0) end = Math.max(end, row + cell.rowSpan);
  }
  return end;
}
