// Whether a grid is a table for a reader, or something else that happens to stand in rows and columns: a form, a
// list, a contents page, a drawing, running text.
import type { Frame } from './frame.ts';
import { columnCount, type Grid, type GridCell, isFigure, plainText, rowCount } from './grid.ts';
import { median } from './marks.ts';

export function isTable(grid: Grid, frame: Frame): boolean {
  if (columnCount(grid) < 2 || rowCount(grid) < 2) return false;
  const written = grid.cells.filter(({ words }) => words.length > 0);
  // Operations, convert/pdf/xlsx: "at least two columns and two rows of aligned text".
  if (new Set(written.map(({ row }) => row)).size < 2) return false;
  if (new Set(written.map(({ column }) => column)).size < 2) return false;
  if (isContents(grid, written) || isList(grid, written)) return false;
  if (grid.ruled === 'cells') return isRuledTable(grid, written);
  return isAlignedTable(grid, written);
}

function isRuledTable(grid: Grid, written: readonly GridCell[]): boolean {
  if (written.length < 4) return false;
  return written.length >= grid.cells.length * 0.25;
}

function isAlignedTable(grid: Grid, written: readonly GridCell[]): boolean {
  const [rows, columns] = [rowCount(grid), columnCount(grid)];
  if (grid.ruled === 'none' && rows < 3) return false;
  if (written.length < rows * columns * 0.45) return false;
  const spanning = written.filter(({ columnSpan }) => columnSpan > 1).length;
  if (spanning > rows * 0.5) return false;
  if (median(written.map(({ words }) => words.length)) > 8) return false;
  const texts = written.map(({ words }) => plainText(words));
  const figures = texts.filter(isFigure).length / texts.length;
  if (grid.ruled === 'none' && figures < 0.25 && (rows < 4 || columns < 3)) return false;
  return true;
}

const LEADER = /(\.\s?){4,}|…{2,}|_{4,}/;

/** Titles with page numbers, dots between or not. */
function isContents(grid: Grid, written: readonly GridCell[]): boolean {
  const rows = rowCount(grid);
  const leaders = new Set(written.filter(({ words }) => LEADER.test(plainText(words))).map(({ row }) => row));
  return leaders.size > rows * 0.3 && grid.ruled !== 'cells';
}

const MARKER = /^([•●○◦▪■□–—*❖➢✓·o-]|\(?([0-9]{1,3}|[a-z]|[ivx]{1,5})[.):]{1,2}|\[[0-9]{1,3}\])$/iu;

/** Signs or numbers, and a text after each. */
function isList(grid: Grid, written: readonly GridCell[]): boolean {
  if (grid.ruled !== 'none' || columnCount(grid) > 2) return false;
  const first = written.filter(({ column }) => column === 0);
  return first.filter(({ words }) => MARKER.test(plainText(words))).length > first.length * 0.5;
}
