// What lines leave open in a ruled table is told by its text: rows that only stand apart, columns without a line
// between them, labels outside the frame.

import { type Area, areaAround, median, type WordIndex } from './areas.ts';
import { commonGaps, findGaps } from './columns.ts';
import { compact, type Grid, type GridCell } from './grid.ts';
import { withHeads, withLabels } from './outside-frame.ts';
import { splitColumns } from './split-columns.ts';
import { splitRows } from './split-rows.ts';
import { readLines, type TextLine } from './text-lines.ts';

export function refine(grid: Grid, words: WordIndex): Grid {
  const labelled = withHeads(withLabels(splitSpans(grid), words), words);
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
