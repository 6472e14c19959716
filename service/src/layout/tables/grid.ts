// A table as rows and columns of words, before it becomes part of the model.

import type { Area, Word } from './areas.ts';
import type { Frame } from './frame.ts';

export interface GridCell {
  row: number;
  column: number;
  rowSpan: number;
  columnSpan: number;
  words: Word[];
  /** What is written in an otherwise empty cell in another direction than the table. */
  turned?: { frame: Frame; words: Word[] };
}

export interface Grid {
  area: Area;
  /** columns + 1 from left to right. */
  columnEdges: number[];
  /** rows + 1 from top to bottom. */
  rowEdges: number[];
  /** Spanned places have no cell of their own; all others have one, empty or not. */
  cells: GridCell[];
  /** `cells`: lines between rows and columns; `rows`: level lines only; `none`: told by alignment alone. */
  ruled: 'cells' | 'rows' | 'none';
  /** Rows that lines or bold letters set off at the top. */
  headerRows: number;
}

export const rowCount = (grid: Grid): number => grid.rowEdges.length - 1;
export const columnCount = (grid: Grid): number => grid.columnEdges.length - 1;

/** The cells that begin in each row. */
export function cellsByRow(grid: Grid): GridCell[][] {
  const rows: GridCell[][] = Array.from({ length: rowCount(grid) }, () => []);
  for (const cell of grid.cells) rows[cell.row]?.push(cell);
  return rows;
}

export const plainText = (words: readonly Word[]): string =>
  words.map(({ text, glued }, i) => (i === 0 || glued ? text : ` ${text}`)).join('');

/** Whether a text is a number, with its symbols and units, or what stands for no number. */
export const isFigure = (text: string): boolean => {
  if (beginsLikeWord(text.charCodeAt(0))) return false;
  const bare = text.replace(/\s+/g, '');
  if (bare === '') return false;
  if (/^[-–—−.…*]+$/.test(bare) || /^n\.?\/?a\.?$/i.test(bare)) return true;
  const digits = bare.replace(/[^\p{Nd}]/gu, '').length;
  const letters = bare.replace(/[^\p{L}]/gu, '').length;
  return digits > 0 && digits >= letters * 2 && /^[^\p{L}]{0,3}[\p{Nd}.,]/u.test(bare);
};

/** With a Latin letter, as most words do; "n/a" stands for no number. */
const beginsLikeWord = (first: number): boolean =>
  ((first >= 0x61 && first <= 0x7a) || (first >= 0x41 && first <= 0x5a)) && (first | 0x20) !== 0x6e;

/** How many of the cells are figures, as a part of 1. */
export const figurePart = (cells: readonly GridCell[]): number =>
  cells.filter(({ words }) => isFigure(plainText(words))).length / Math.max(1, cells.length);

/** Where sorted positions lie apart by more than `within`, new groups begin; the middle of each. */
export function clusterMiddles(values: readonly number[], within: number): number[] {
  const sorted = [...values].sort((a, b) => a - b);
  const middles: number[] = [];
  let group: number[] = [];
  for (const value of sorted) {
    const [first] = group;
    if (first !== undefined && value - first > within) {
      middles.push(group.reduce((sum, each) => sum + each, 0) / group.length);
      group = [];
    }
    group.push(value);
  }
  if (group.length > 0) middles.push(group.reduce((sum, each) => sum + each, 0) / group.length);
  return middles;
}

/** The place of `value` between the edges; -1 outside. */
export function slotOf(edges: readonly number[], value: number): number {
  for (let i = 0; i + 1 < edges.length; i += 1) {
    if (value >= (edges[i] ?? 0) && value <= (edges[i + 1] ?? 0)) return i;
  }
  return -1;
}

/** Leaves out the rows and columns that no cell begins in, and those named. */
export function compact(grid: Grid, drop: { rows?: Set<number>; columns?: Set<number> } = {}): Grid {
  const cells = grid.cells.filter(
    (cell) =>
      cell.words.length > 0 ||
      !(isWithin(cell.row, cell.rowSpan, drop.rows) || isWithin(cell.column, cell.columnSpan, drop.columns)),
  );
  const rows = keptStarts(cells.map(({ row }) => row));
  const columns = keptStarts(cells.map(({ column }) => column));
  return {
    ...grid,
    columnEdges: keptEdges(grid.columnEdges, columns),
    rowEdges: keptEdges(grid.rowEdges, rows),
    cells: cells.map((cell) => ({ ...cell, ...moved(cell, rows, columns) })),
    headerRows: rows.filter((row) => row < grid.headerRows).length,
  };
}

const isWithin = (start: number, span: number, dropped: Set<number> | undefined): boolean => {
  if (!dropped) return false;
  for (let i = start; i < start + span; i += 1) if (!dropped.has(i)) return false;
  return true;
};

const keptStarts = (starts: number[]): number[] => [...new Set(starts)].sort((a, b) => a - b);

const keptEdges = (edges: readonly number[], starts: readonly number[]): number[] => [
  ...starts.map((start, i) => (i === 0 ? (edges[0] ?? 0) : (edges[start] ?? 0))),
  edges.at(-1) ?? 0,
];

function moved(cell: GridCell, rows: readonly number[], columns: readonly number[]) {
  const within = (starts: readonly number[], from: number, span: number): number =>
    starts.filter((start) => start >= from && start < from + span).length;
  return {
    row: rows.indexOf(cell.row),
    rowSpan: within(rows, cell.row, cell.rowSpan),
    column: columns.indexOf(cell.column),
    columnSpan: within(columns, cell.column, cell.columnSpan),
  };
}
