// Lines and white space often tell of the same table: where lines enclose only a part of it, what is aligned with that
// part belongs to it too.

import { overlaps, type Word } from './areas.ts';
import { cellsByRow, columnCount, type Grid, rowCount } from './grid.ts';

/** Rows that stand outside the lines: a head over the first, a last row under the last. */
const ROWS_OUTSIDE = 3;
/** Columns that stand outside the lines, and have something in so many of the rows between them. */
const LABEL_COLUMNS = 2;
const LABELLED = 0.6;

/**
 * That of the grids told by white space which is `ruled` and more of its rows or columns, if there is one. `others` are
 * all grids told by lines: what is another of them is no part of this.
 */
export function fullerGrid(ruled: Grid, others: readonly Grid[], aligned: readonly Grid[]): Grid | undefined {
  const known = new Set(wordsOf(ruled));
  return aligned.find((grid) => {
    if (!overlaps(grid.area, ruled.area)) return false;
    if (others.some((other) => other !== ruled && overlaps(other.area, grid.area))) return false;
    const words = new Set(wordsOf(grid));
    if (words.size <= known.size || ![...known].every((word) => words.has(word))) return false;
    const columns = columnCount(grid) - columnCount(ruled);
    if (columns < 0) return false;
    const inside = rowsWith(grid, known);
    const outside = cellsByRow(grid).filter((_, row) => !inside.has(row));
    const isWhole = outside.every((cells) => cells.filter((cell) => cell.words.length > 0).length > 1);
    if (!isWhole || inside.size !== rowCount(ruled)) return false;
    return columns === 0
      ? outside.length <= ROWS_OUTSIDE
      : columns <= LABEL_COLUMNS && isLabelled(grid, ruled, known, inside);
  });
}

const wordsOf = (grid: Grid): Word[] => grid.cells.flatMap(({ words }) => words);

const rowsWith = (grid: Grid, known: ReadonlySet<Word>): Set<number> =>
  new Set(grid.cells.filter(({ words }) => words.some((word) => known.has(word))).map(({ row }) => row));

/** Whether most rows between the lines begin before them, and none goes on after them. */
function isLabelled(
  grid: Grid,
  { area }: Grid,
  known: ReadonlySet<Word>,
  inside: ReadonlySet<number>,
): boolean {
  const beside = grid.cells
    .filter(({ row }) => inside.has(row))
    .flatMap(({ row, words }) => words.filter((word) => !known.has(word)).map((word) => ({ row, word })));
  return (
    beside.every(({ word }) => word.right <= area.left + 2) &&
    new Set(beside.map(({ row }) => row)).size >= inside.size * LABELLED
  );
}
