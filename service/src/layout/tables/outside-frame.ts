// What stands outside the frame of a ruled table and belongs to it: labels of its rows, heads of its columns.
import { median, type Word, type WordIndex } from './areas.ts';
import { columnCount, type Grid, isFigure, plainText, rowCount, slotOf } from './grid.ts';
import { readLines } from './text-lines.ts';

/** Labels left of the frame, one for most rows, are a column of the table. */
export function withLabels(grid: Grid, words: WordIndex): Grid {
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

/** Heads stand no farther from the frame than this, in parts of the letters' size. */
const HEAD_DISTANCE = 1.2;

/** Heads over the frame, one within each column, are the first row; the labels may have none. */
export function withHeads(grid: Grid, words: WordIndex): Grid {
  const { area, columnEdges } = grid;
  const first = grid.cells.filter(({ row }) => row === 0);
  const size = median(first.flatMap((cell) => cell.words.map((word) => word.size)));
  if (columnCount(grid) < 3 || !first.some((cell) => isFigure(plainText(cell.words)))) return grid;
  const over = { ...area, top: area.top - size * (HEAD_DISTANCE + 1), bottom: area.top };
  const line = readLines(words.inside(over)).at(-1);
  const [left, right] = [area.left - 1, area.right + 1];
  if (!line || line.left < left || line.right > right || area.top - line.bottom > size * HEAD_DISTANCE)
    return grid;
  const columns = new Map<number, Word[]>();
  for (const chunk of line.chunks) {
    const column = slotOf(columnEdges, (chunk.left + chunk.right) / 2);
    const isInside =
      chunk.left >= (columnEdges[column] ?? 0) - 1 && chunk.right <= (columnEdges[column + 1] ?? 0) + 1;
    if (column < 0 || !isInside || columns.has(column)) return grid;
    columns.set(column, chunk.words);
  }
  const isHead = [...columns.values()].every((head) => /\p{L}/u.test(plainText(head)));
  if (!isHead || columns.size < columnCount(grid) - (columns.has(0) ? 0 : 1)) return grid;
  return {
    ...grid,
    area: { ...area, top: line.top - 1 },
    rowEdges: [line.top - 1, ...grid.rowEdges],
    cells: [
      ...columnEdges.slice(1).map((_, column) => ({
        row: 0,
        column,
        rowSpan: 1,
        columnSpan: 1,
        words: columns.get(column) ?? [],
      })),
      ...grid.cells.map((cell) => ({ ...cell, row: cell.row + 1 })),
    ],
    headerRows: grid.headerRows + 1,
  };
}
