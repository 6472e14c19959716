// Columns that no line parts: a ruled table often has upright lines between groups of columns only. Where nearly all
// rows of a drawn column keep the same white space, it is several columns.

import { median, type Word } from './areas.ts';
import { findWhiteStrips, type Gap } from './columns.ts';
import { type Grid, type GridCell, isFigure, plainText, rowCount } from './grid.ts';
import { placeWords } from './place-words.ts';
import type { PlacedText } from './placed-lines.ts';
import { CHUNK_GAP, readLines, type TextLine } from './text-lines.ts';

/** Fewer rows may keep a white space by accident. */
const LEAST_ROWS = 3;
/** Rows that write over the space between columns, and those that have something on both sides of it. */
const CROSSING = 0.1;
const BOTH_SIDES = 0.6;
/** White space between columns in parts of the letters' size; figures may stand nearer to each other. */
const COLUMN_GAP = 0.6;
const FIGURE_GAP = 0.28;

export function splitColumns(grid: Grid): Grid {
  const strips = Array.from({ length: grid.columnEdges.length - 1 }, (_, column) =>
    innerStrips(grid, column),
  );
  if (strips.every(({ length }) => length === 0)) return grid;
  const starts = [0];
  for (const each of strips) starts.push((starts.at(-1) ?? 0) + each.length + 1);
  const cuts = Array.from({ length: rowCount(grid) }, (_, row) => headCuts(grid, row, strips));
  const rows = [0];
  for (const each of cuts) rows.push((rows.at(-1) ?? 0) + each.length + 1);
  const place: Places = {
    row: (row) => rows[row] ?? 0,
    column: (column) => starts[column] ?? 0,
  };
  return {
    ...grid,
    columnEdges: withMiddles(grid.columnEdges, strips),
    rowEdges: grid.rowEdges.flatMap((edge, row) => [edge, ...(cuts[row] ?? [])]),
    cells: grid.cells.flatMap((cell) =>
      piecesOf(cell, grid.columnEdges, strips[cell.column] ?? [], cuts[cell.row] ?? [], place),
    ),
    headerRows: place.row(grid.headerRows),
  };
}

/** A head in the middle of a frame around several columns stands over them all; several in a row are their own. */
const isInMiddle = ({ left, right, chunks, size }: TextLine, from: number, to: number): boolean =>
  Math.abs(left - from - (to - right)) < size * 2 &&
  chunks.every((chunk, i) => i === 0 || chunk.left - (chunks[i - 1]?.right ?? 0) < size * CHUNK_GAP);

interface Places {
  row(row: number): number;
  column(column: number): number;
}

const withMiddles = (edges: readonly number[], strips: readonly Gap[][]): number[] =>
  edges.flatMap((edge, column) => [edge, ...(strips[column] ?? []).map(({ from, to }) => (from + to) / 2)]);

/** The cells of one column; those over several say nothing about it. */
const ownCells = (grid: Grid, column: number): GridCell[] =>
  grid.cells.filter((cell) => cell.column === column && cell.columnSpan === 1 && cell.words.length > 0);

function innerStrips(grid: Grid, column: number): Gap[] {
  // The first row names the columns, and may stand over several.
  const cells = ownCells(grid, column).filter(({ row }) => row > 0);
  const lines = cells.flatMap(({ words }) => readLines(words, FIGURE_GAP));
  if (cells.length < LEAST_ROWS || lines.length > cells.length * 1.5) return [];
  const size = median(lines.map((line) => line.size));
  return findWhiteStrips(lines, {
    crossing: Math.floor(lines.length * CROSSING),
    least: FIGURE_GAP * size,
    support: Math.max(2, Math.ceil(lines.length * BOTH_SIDES)),
  }).filter((strip, i, all) => isBetweenTexts(strip, lines, size, [all[i - 1], all[i + 1]]));
}

/** Signs before an amount, bullets and numbers of items are no column of their own. */
function isBetweenTexts(
  strip: Gap,
  lines: readonly TextLine[],
  size: number,
  [before, after]: readonly (Gap | undefined)[],
): boolean {
  const side = (from: number, to: number): string[] =>
    lines
      .map((line) =>
        plainText(wordsOf(line).filter(({ left, right }) => left >= from - 1 && right <= to + 1)),
      )
      .filter((text) => text !== '');
  const left = side(before?.to ?? -Infinity, strip.from);
  const right = side(strip.to, after?.from ?? Infinity);
  const most = (texts: readonly string[], is: (text: string) => boolean): boolean =>
    texts.filter(is).length >= texts.length * 0.7;
  if (!most(left, isValue) || !most(right, isValue)) return false;
  return strip.to - strip.from >= COLUMN_GAP * size || (most(left, isFigure) && most(right, isFigure));
}

const isValue = (text: string): boolean =>
  (/[\p{L}\p{Nd}]/u.test(text) && !/^(\(?[\p{L}\p{Nd}]{1,2}[.)]|EUR|USD|GBP|CHF|JPY)$/u.test(text)) ||
  isFigure(text);

const wordsOf = (line: TextLine): Word[] => line.chunks.flatMap(({ words }) => words);

const placedLines = (
  cell: GridCell,
  strips: readonly Gap[],
  edges: readonly number[],
): { line: TextLine; texts: PlacedText[] }[] =>
  readLines(cell.words, FIGURE_GAP).map((line) => ({
    line,
    texts:
      cell.row === 0 && isInMiddle(line, edges[cell.column] ?? 0, edges[cell.column + 1] ?? 0)
        ? [{ from: 0, to: strips.length, words: wordsOf(line) }]
        : placeWords(line, strips),
  }));

/** Heights at which a head over several columns stands apart from those of the columns. */
function headCuts(grid: Grid, row: number, strips: readonly Gap[][]): number[] {
  const cuts: number[] = [];
  for (const cell of grid.cells) {
    const own = strips[cell.column] ?? [];
    if (cell.row !== row || cell.rowSpan > 1 || cell.columnSpan > 1 || own.length === 0) continue;
    const lines = placedLines(cell, own, grid.columnEdges);
    lines.slice(1).forEach(({ line, texts }, i) => {
      const above = lines[i];
      if (!above || !isOverSeveral(above.texts, texts)) return;
      const cut = (above.line.bottom + line.top) / 2;
      if (!cuts.some((other) => Math.abs(other - cut) < line.size)) cuts.push(cut);
    });
  }
  return cuts.sort((a, b) => a - b);
}

const isOverSeveral = (above: readonly PlacedText[], below: readonly PlacedText[]): boolean =>
  above.some(
    (wide) =>
      wide.to > wide.from && below.filter(({ from, to }) => from <= wide.to && to >= wide.from).length > 1,
  );

function piecesOf(
  cell: GridCell,
  columnEdges: readonly number[],
  strips: readonly Gap[],
  cuts: readonly number[],
  place: Places,
): GridCell[] {
  const row = place.row(cell.row);
  const column = place.column(cell.column);
  const rowSpan = place.row(cell.row + cell.rowSpan) - row;
  const columnSpan = place.column(cell.column + cell.columnSpan) - column;
  if (strips.length === 0 || cell.columnSpan > 1) return [{ ...cell, row, column, rowSpan, columnSpan }];
  const lines = placedLines(cell, strips, columnEdges);
  const isCut =
    cell.rowSpan === 1 && lines.slice(1).some(({ texts }, i) => isOverSeveral(lines[i]?.texts ?? [], texts));
  const texts = lines.flatMap((each) => each.texts);
  if (!isCut || cuts.length === 0) return rowOf(texts, strips.length + 1, { ...cell, row, column, rowSpan });
  const edges = [-Infinity, ...cuts, Infinity];
  return edges.slice(1).flatMap((bottom, i) => {
    const inside = lines.filter(({ line }) => {
      const middle = (line.top + line.bottom) / 2;
      return middle > (edges[i] ?? 0) && middle <= bottom;
    });
    return rowOf(
      inside.flatMap(({ texts }) => texts),
      strips.length + 1,
      { ...cell, row: row + i, column, rowSpan: 1 },
    );
  });
}

/** Texts that share a column are one cell; columns without any have an empty one. */
function rowOf(texts: readonly PlacedText[], columns: number, at: GridCell): GridCell[] {
  const joined: PlacedText[] = [];
  for (const text of [...texts].sort((a, b) => a.from - b.from)) {
    const last = joined.at(-1);
    if (last && text.from <= last.to) {
      last.to = Math.max(last.to, text.to);
      last.words = [...last.words, ...text.words];
    } else joined.push({ ...text });
  }
  const cells: GridCell[] = [];
  for (let column = 0; column < columns; ) {
    const text = joined.find(({ from }) => from === column);
    const columnSpan = text ? text.to - text.from + 1 : 1;
    cells.push({ ...at, column: at.column + column, columnSpan, words: text?.words ?? [] });
    column += columnSpan;
  }
  return cells;
}
