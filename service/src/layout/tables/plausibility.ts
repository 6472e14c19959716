// Whether a grid is a table for a reader, or something else that happens to stand in rows and columns: a form, a
// list, a contents page, a figure, a listing, running text.

import { type Area, areaAround, holds, median } from './areas.ts';
import type { Frame } from './frame.ts';
import { cellsByRow, columnCount, type Grid, type GridCell, isFigure, plainText, rowCount } from './grid.ts';
import {
  isCodeOrDrawing,
  isContents,
  isEquations,
  isForm,
  isIndex,
  isLabelledValues,
  isList,
  isListing,
  isNumberedHeadings,
  isPrinted,
  isRunningText,
  isSheetOfValues,
  isUnderCurves,
  isVertical,
} from './look-alikes.ts';
import { hasCaption } from './table-caption.ts';

/** `boxes` are the frames on the page that have one line of text inside and no other line. */
export function isTable(grid: Grid, frame: Frame, boxes: readonly Area[]): boolean {
  if (columnCount(grid) < 2 || rowCount(grid) < 2) return false;
  const written = grid.cells.filter(({ words }) => words.length > 0);
  // Operations, convert/pdf/xlsx: "at least two columns and two rows of aligned text".
  if (new Set(written.map(({ row }) => row)).size < 2) return false;
  if (new Set(written.map(({ column }) => column)).size < 2) return false;
  const curves = frame.curves.filter((curve) => holds(grid.area, curve)).length;
  if (grid.ruled === 'cells')
    return isRuledTable(grid, written) && (curves <= 2 || written.length >= grid.cells.length * 0.6);
  if (isContents(grid, written) || isList(grid, written) || isRunningText(grid, written)) return false;
  if (isIndex(grid, written) || isForm(written, boxes) || isEquations(grid, written)) return false;
  if (!isRegular(grid, written) || alignedColumns(grid) < Math.max(2, columnCount(grid) * 0.6)) return false;
  if (curves > 2) return false;
  if (grid.ruled === 'rows' && rowCount(grid) === 2 && columnCount(grid) === 2) return false;
  if (isSheetOfValues(grid, written)) return false;
  if (grid.ruled === 'rows')
    return (
      rowCount(grid) > 3 ||
      columnCount(grid) > 2 ||
      hasFigureColumn(grid, written) ||
      hasCaption(grid.area, frame.words, sizeOf(written))
    );
  return isTableWithoutLines(grid, written, frame);
}

/** In forms and figures hardly a cell is as wide and high as its neighbours. */
function isIrregular(grid: Grid, written: readonly GridCell[]): boolean {
  const places = rowCount(grid) * columnCount(grid);
  const spanning = written.filter(({ rowSpan, columnSpan }) => rowSpan * columnSpan > 1).length;
  return grid.cells.length < places * 0.5 || spanning > written.length * 0.5;
}

/** Lines that are no table, and among which none is to be sought. A frame around nearly all is no figure yet. */
export function isFormOrFigure(grid: Grid): boolean {
  const written = grid.cells.filter(({ words }) => words.length > 0);
  const all = written.reduce((sum, { words }) => sum + words.length, 0);
  const isFrame = written.some(({ words }) => words.length > Math.max(20, all * 0.5));
  return grid.cells.length >= 8 && !isFrame && isIrregular(grid, written);
}

function isRuledTable(grid: Grid, written: readonly GridCell[]): boolean {
  // A row that a page's end has cut in two goes on with nothing in its first cell.
  const least = grid.cells.length === rowCount(grid) * columnCount(grid) ? 3 : 4;
  if (written.length < least || written.length < grid.cells.length * 0.25 || isIrregular(grid, written))
    return false;
  // A text over one row of figures is a part of a drawing, with the numbers of its pins.
  if (rowCount(grid) === 2 && written.some(({ columnSpan }) => columnSpan === columnCount(grid)))
    return false;
  return fullRows(grid) >= rowCount(grid) * 0.3;
}

/** Rows with several texts. */
const fullRows = (grid: Grid): number =>
  cellsByRow(grid).filter((cells) => cells.filter(({ words }) => words.length > 0).length > 1).length;

/** Most rows have several texts, few texts reach over columns, and cells are short. */
function isRegular(grid: Grid, written: readonly GridCell[]): boolean {
  const [rows, columns] = [rowCount(grid), columnCount(grid)];
  if (written.length < rows * columns * 0.45) return false;
  if (fullRows(grid) < rows * (grid.ruled === 'rows' && grid.headerRows > 0 ? 0.35 : 0.55)) return false;
  if (leastWritten(grid, written) < Math.max(Math.min(2, rows - 1), rows * 0.1)) return false;
  if (written.filter(({ columnSpan }) => columnSpan > 1).length > rows * 0.5) return false;
  return median(written.map(({ words }) => words.length)) <= 8 || hasShortLabels(grid, written);
}

/** Between lines, texts beside labels of a word or two may be longer. */
function hasShortLabels(grid: Grid, written: readonly GridCell[]): boolean {
  const labels = written.filter(({ column, columnSpan }) => column === 0 && columnSpan === 1);
  return (
    grid.ruled === 'rows' &&
    labels.length >= rowCount(grid) * 0.8 &&
    median(labels.map(({ words }) => words.length)) <= 2 &&
    median(written.filter(({ column }) => column > 0).map(({ words }) => words.length)) <= 20
  );
}

/** How many rows have something in the column that has least. */
const leastWritten = (grid: Grid, written: readonly GridCell[]): number =>
  Math.min(
    ...Array.from(
      { length: columnCount(grid) },
      (_, column) => written.filter((cell) => cell.column === column && cell.columnSpan === 1).length,
    ),
  );

/** Columns whose texts keep an edge or their middle. */
function alignedColumns(grid: Grid): number {
  let count = 0;
  for (let column = 0; column < columnCount(grid); column += 1) {
    const cells = grid.cells.filter(
      (cell) =>
        cell.column === column &&
        cell.columnSpan === 1 &&
        cell.words.length > 0 &&
        cell.row >= grid.headerRows,
    );
    const areas = cells.map(({ words }) => areaAround(words));
    const within = median(cells.flatMap(({ words }) => words.map(({ size }) => size))) * 0.4;
    const keep = (values: number[]): number => {
      const middle = median(values);
      return values.filter((value) => Math.abs(value - middle) <= within).length / Math.max(1, values.length);
    };
    const best = Math.max(
      keep(areas.map(({ left }) => left)),
      keep(areas.map(({ right }) => right)),
      keep(areas.map(({ left, right }) => (left + right) / 2)),
    );
    if (areas.length > 0 && best >= 0.5) count += 1;
  }
  return count;
}

/** Without any line more must speak for a table: more rows, figures, several columns. */
function isTableWithoutLines(grid: Grid, written: readonly GridCell[], frame: Frame): boolean {
  const [rows, columns] = [rowCount(grid), columnCount(grid)];
  if (rows < 3) return false;
  if (isVertical(written) || isLabelledValues(grid, written) || isNumberedHeadings(grid, written))
    return false;
  if (isPrinted(grid, written, frame.words)) return false;
  if (frame.images.some((image) => holds(grid.area, image))) return false;
  const size = sizeOf(written);
  if (isUnderCurves(grid, frame.curves, size)) return false;
  if (hasCaption(grid.area, frame.words, size)) return true;
  // On a page that is typewritten throughout, letters of one width tell nothing.
  if (isListing(grid, written) && (!isTypewritten(frame, written) || isCodeOrDrawing(written))) return false;
  return hasFigureColumn(grid, written) || (rows >= 4 && columns >= 3);
}

const sizeOf = (cells: readonly GridCell[]): number =>
  median(cells.flatMap(({ words }) => words.map(({ size }) => size)));

const isTypewritten = ({ words }: Frame, written: readonly GridCell[]): boolean =>
  words.length > 3 * written.reduce((sum, cell) => sum + cell.words.length, 0) &&
  words.filter(({ monospace }) => monospace).length > words.length * 0.95;

function hasFigureColumn(grid: Grid, written: readonly GridCell[]): boolean {
  const body = written.filter(({ row }) => row >= grid.headerRows);
  return grid.columnEdges.some((_, column) => {
    const cells = body.filter((cell) => cell.column === column);
    const measures = cells.filter(({ words }) => isMeasure(plainText(words)));
    return cells.length >= rowCount(grid) * 0.4 && measures.length >= cells.length * 0.6;
  });
}

/** A figure, with its unit or without. */
const isMeasure = (text: string): boolean => isFigure(text) || /^\p{Nd}[\p{Nd}.,]*\s\p{L}{1,3}$/u.test(text);
