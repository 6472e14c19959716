// What lines leave open in a ruled table is told by its text: rows that only stand apart, columns without a line
// between them, labels outside the frame.

import { type Area, areaAround, median, type WordIndex } from './areas.ts';
import { commonGaps, findGaps } from './columns.ts';
import { compact, type Grid, type GridCell, rowCount } from './grid.ts';
import { splitColumns } from './split-columns.ts';
import { splitRows } from './split-rows.ts';
import { readLines, type TextLine } from './text-lines.ts';

export function refine(grid: Grid, words: WordIndex): Grid {
  const labelled = withLabels(splitSpans(grid), words);
  return compact(splitRows(splitSpans(splitColumns(splitRows(labelled)))));
}

/** A cell over several columns whose texts keep to those columns only lacks the lines between them. */
function splitSpans(grid: Grid): Grid {
  const cells = grid.cells.flatMap((cell) => {
    if (cell.columnSpan < 2 || cell.words.length < 2) return [cell];
    const pieces = splitSpan(cell, grid.columnEdges);
    return pieces.length > 1 ? pieces.flatMap((piece) => inOwnColumn(piece, grid)) : pieces;
  });
  return { ...grid, cells };
}

/** A piece whose text keeps the edge of one column's texts is of that column, and those beside it are empty. */
function inOwnColumn(piece: GridCell, grid: Grid): GridCell[] {
  if (piece.columnSpan < 2 || piece.words.length === 0) return [piece];
  const { left, right } = areaAround(piece.words);
  const column = Array.from({ length: piece.columnSpan }, (_, i) => piece.column + i).find((each) => {
    const isInside =
      left >= (grid.columnEdges[each] ?? 0) - 1 && right <= (grid.columnEdges[each + 1] ?? 0) + 1;
    const areas = grid.cells
      .filter((cell) => cell.column === each && cell.columnSpan === 1 && cell.words.length > 0)
      .map(({ words }) => areaAround(words));
    const isAt = (at: number, other: number): boolean => Math.abs(at - other) <= 2;
    const aligned = areas.filter(
      (area) =>
        isAt(area.left, left) || isAt(area.right, right) || isAt(area.left + area.right, left + right),
    );
    return isInside && aligned.length > areas.length / 2;
  });
  if (column === undefined) return [piece];
  return Array.from({ length: piece.columnSpan }, (_, i) => ({
    ...piece,
    column: piece.column + i,
    columnSpan: 1,
    words: piece.column + i === column ? piece.words : [],
  }));
}

function splitSpan(cell: GridCell, edges: readonly number[]): GridCell[] {
  const inside = edges.slice(cell.column + 1, cell.column + cell.columnSpan);
  const white = whiteThrough(readLines(cell.words, 0.45), {
    left: edges[cell.column] ?? 0,
    right: edges[cell.column + cell.columnSpan] ?? 0,
    top: 0,
    bottom: 0,
  });
  const cuts: number[] = [];
  for (const { from, to } of white) {
    const within = inside.filter((edge) => edge >= from - 1 && edge <= to + 1);
    const middle = (from + to) / 2;
    const [nearest] = within.sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle));
    // A text that ends before an edge leaves the rest of its cell white: not a reason to cut there.
    const isBetween =
      cell.words.some(({ right }) => right <= from + 1) && cell.words.some(({ left }) => left >= to - 1);
    if (nearest !== undefined && isBetween) cuts.push(edges.indexOf(nearest));
    else if (isBetween) return [cell];
  }
  if (cuts.length === 0) return [cell];
  const starts = [cell.column, ...cuts, cell.column + cell.columnSpan];
  return starts.slice(0, -1).map((start, i) => {
    const end = starts[i + 1] ?? start + 1;
    return {
      ...cell,
      column: start,
      columnSpan: end - start,
      words: cell.words.filter(({ left, right }) => {
        const middle = (left + right) / 2;
        return middle > (edges[start] ?? 0) && middle <= (edges[end] ?? 0);
      }),
    };
  });
}

/** White spaces that all lines keep. */
function whiteThrough(lines: readonly TextLine[], area: Area) {
  const size = median(lines.map((line) => line.size));
  return lines.reduce(
    (common, line) => commonGaps(common, findGaps(line, area), size * 0.45),
    [{ from: area.left, to: area.right }],
  );
}

/** Labels left of the frame, one for most rows, are a column of the table. */
function withLabels(grid: Grid, words: WordIndex): Grid {
  const { area } = grid;
  const beside = { left: -Infinity, right: area.left + 1, top: area.top - 2, bottom: area.bottom + 2 };
  const outside = words
    .inside(beside)
    .filter(
      (word) =>
        word.right <= area.left + 1 &&
        word.baseline > area.top &&
        word.baseline < area.bottom + word.size * 0.3,
    );
  if (outside.length === 0) return grid;
  const lines = readLines(outside, 2).filter(({ right, size }) => area.left - right < size * 25);
  const labels = lines.map(({ chunks }) => chunks.at(-1)).filter((chunk) => chunk !== undefined);
  const size = median(lines.map((line) => line.size));
  const isNear = labels.some(({ right }) => area.left - right < size * 3);
  const isShort = median(labels.map((label) => label.words.length)) <= 5;
  const aligned = labels.filter(
    ({ left }) => Math.abs(left - median(labels.map((each) => each.left))) < size * 2.5,
  );
  if (!isNear || !isShort || aligned.length < labels.length * 0.6) return grid;
  const { rowEdges } = grid;
  const rowWords = rowEdges.slice(1).map((bottom, row) => {
    const top = rowEdges[row] ?? 0;
    return labels.flatMap((label) =>
      label.words.filter((word) => word.baseline > top && word.baseline <= bottom),
    );
  });
  const labelled = rowWords.filter((each) => each.length > 0).length;
  if (labelled < 3 || labelled < rowCount(grid) * 0.6 || labels.length > rowCount(grid) * 1.5) return grid;
  const left = Math.min(...labels.map((label) => label.left)) - 1;
  return {
    ...grid,
    area: { ...area, left },
    columnEdges: [left, ...grid.columnEdges],
    cells: [
      ...rowWords.map((each, row) => ({ row, column: 0, rowSpan: 1, columnSpan: 1, words: each })),
      ...grid.cells.map((cell) => ({ ...cell, column: cell.column + 1 })),
    ],
  };
}
