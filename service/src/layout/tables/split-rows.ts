// Rows that no line parts: each band between drawn lines is looked at by itself.

import { areaAround, holds, type Word } from './areas.ts';
import { cellsByRow, type Grid, type GridCell, isFigure, plainText, rowCount } from './grid.ts';
import { readLines, type TextLine } from './text-lines.ts';
import { hadRoom } from './wrapped-lines.ts';

export function splitRows(grid: Grid): Grid {
  const cuts = new Map<number, number[]>();
  const groups = new Map<number, number[]>();
  for (const [row, all] of cellsByRow(grid).entries()) {
    const cells = all.filter(({ rowSpan }) => rowSpan === 1);
    if (cells.length < 2) continue;
    const within = cutsOf(cells, grid);
    if (within.length > 0) cuts.set(row, within);
    else if (row > 0 && readLines(cells.flatMap(({ words }) => words)).length > 1)
      groups.set(row, between(rowsOfGroup(cells, grid)));
    else if (isStackOfHeads(cells, grid))
      cuts.set(row, between(readLines(cells.flatMap(({ words }) => words)).map((line) => [line])));
  }
  // Here and there it may be a text of several paragraphs; where lines part groups most bands are one, or one is long.
  const sizes = [...groups.values()].map(({ length }) => length);
  const parted = sizes.filter((size) => size > 0).length;
  if ((parted > 1 && parted * 2 >= sizes.length) || Math.max(0, ...sizes) >= LONG_GROUP)
    for (const [row, within] of groups) if (within.length > 0) cuts.set(row, within);
  return cuts.size === 0 ? grid : cutRows(grid, cuts);
}

const LONG_GROUP = 3;

/** Heights at which the cells of one row part into several rows. */
function cutsOf(cells: readonly GridCell[], grid: Grid): number[] {
  const lines = readLines(cells.flatMap(({ words }) => words));
  if (lines.length < 2) return [];
  const groups = apart(lines);
  if (groups.length > 1 && groups.every((group) => startsRow(group, cells)) && isMostlyWide(groups, cells))
    return between(groups);
  const singles = lines.map((line) => [line]);
  return isOneRowPerLine(lines, cells, grid) ? between(singles) : [];
}

/** Lines with clear space between them, all across the band. */
function apart(lines: readonly TextLine[]): TextLine[][] {
  const steps = lines.slice(1).map((line, i) => line.baseline - (lines[i]?.baseline ?? 0));
  const usual = Math.min(...steps.filter((step, i) => step > (lines[i]?.size ?? 0) * 0.8), Infinity);
  const groups: TextLine[][] = [];
  lines.forEach((line, i) => {
    if (i === 0 || (steps[i - 1] ?? 0) > usual * 1.5) groups.push([]);
    groups.at(-1)?.push(line);
  });
  return groups;
}

const columnsWritten = (lines: readonly TextLine[], cells: readonly GridCell[]): number[] => {
  const written = new Set(lines.flatMap(({ chunks }) => chunks.flatMap(({ words }) => words)));
  return cells.filter(({ words }) => words.some((word) => written.has(word))).map(({ column }) => column);
};

const startsRow = (group: readonly TextLine[], cells: readonly GridCell[]): boolean => {
  const [first] = group;
  return first !== undefined && columnsWritten([first], cells).includes(cells[0]?.column ?? 0);
};

const isMostlyWide = (groups: readonly TextLine[][], cells: readonly GridCell[]): boolean =>
  groups.filter((group) => columnsWritten(group, cells).length > 1).length >= groups.length / 2;

/** Many lines, nearly each with a label and a figure: a table without lines between its rows. */
function isOneRowPerLine(lines: readonly TextLine[], cells: readonly GridCell[], grid: Grid): boolean {
  const written = cells.filter(({ words }) => words.length > 0);
  const isFull = lines.every((line) => columnsWritten([line], cells).length === written.length);
  if (lines.length < 3 && !(isFull && written.length > 2)) return false;
  const full = lines.filter((line) => columnsWritten([line], cells).length > 1);
  if (full.length < lines.length * 0.8) return false;
  const figureCells = cells.filter(({ words }) => {
    const rows = readLines(words);
    return rows.length >= lines.length * 0.6 && rows.filter(endsInFigure).length >= rows.length * 0.7;
  });
  return figureCells.length > 0 && rowCount(grid) <= lines.length;
}

/** A figure, or several columns that no line parts of which the last has one. */
const endsInFigure = ({ chunks }: TextLine): boolean =>
  isFigure(plainText(chunks.flatMap((chunk) => chunk.words))) ||
  (chunks.length > 2 && isFigure(plainText(chunks.at(-1)?.words ?? [])));

/** Heads of several lines are several rows where each has a label that had room for more, and names for columns. */
function isStackOfHeads(cells: readonly GridCell[], grid: Grid): boolean {
  const [label] = cells;
  const lines = readLines(cells.flatMap(({ words }) => words));
  const labels = readLines(label?.words ?? []).map(({ chunks }) => chunks.flatMap(wordsOf));
  return (
    label !== undefined &&
    lines.length >= LONG_GROUP &&
    labels.length === lines.length &&
    lines.every((line) => columnsWritten([line], cells).length > 1) &&
    labels.slice(1).filter((words, i) => hadRoom(labels[i] ?? [], words, roomIn(label, grid))).length * 2 >=
      labels.length - 1
  );
}

/** Rows between lines that part groups of them: where several cells begin another text, and one had room to go on. */
function rowsOfGroup(cells: readonly GridCell[], grid: Grid): TextLine[][] {
  const lines = readLines(cells.flatMap(({ words }) => words));
  const written = cells.filter(({ words }) => words.length > 0);
  if (written.length < 2 || !cells[0]?.words.length) return [];
  const lists = new Set(written.filter(isListOfWords));
  const groups: TextLine[][] = [];
  const last = new Map<GridCell, Word[]>();
  for (const line of lines) {
    const own = new Set(line.chunks.flatMap(({ words }) => words));
    const texts = written.flatMap((cell) => {
      const words = cell.words.filter((word) => own.has(word));
      return words.length > 0 ? [{ cell, words, above: last.get(cell) ?? [] }] : [];
    });
    const gone = texts.filter(({ above }) => above.length > 0);
    const isRow =
      isFiguresUnderFigures(gone) ||
      (gone.length > 1 &&
        gone.some(({ cell, words, above }) => lists.has(cell) || hadRoom(above, words, roomIn(cell, grid))));
    if (isRow || groups.length === 0) groups.push([]);
    if (isRow) last.clear();
    groups.at(-1)?.push(line);
    for (const { cell, words } of texts) last.set(cell, words);
  }
  const isRow = (group: readonly TextLine[]): boolean =>
    columnsWritten(group, cells).length > 1 ||
    group.every(({ chunks }) => isFigures(chunks.flatMap(wordsOf)));
  return groups.every(isRow) ? groups : [];
}

const wordsOf = ({ words }: { words: readonly Word[] }): readonly Word[] => words;

/** Figures that stand apart; those of a list have commas between them. */
const isFigures = (words: readonly Word[]): boolean =>
  words.length > 1 && words.every(({ text }) => isFigure(text) && !/[,;]$/.test(text));

/** Errors under their estimates, in brackets or not: a line each, whether a label stands before them or not. */
const isFiguresUnderFigures = (texts: readonly { words: Word[]; above: Word[] }[]): boolean =>
  isFigures(texts.flatMap(wordsOf)) && isFigures(texts.flatMap(({ above }) => above));

/** A word in each of several lines. */
function isListOfWords({ words }: GridCell): boolean {
  const lines = readLines(words);
  const isWord = (line: TextLine): boolean =>
    line.chunks.flatMap((chunk) => chunk.words).filter(({ glued }) => !glued).length === 1;
  return lines.length > 2 && lines.every(isWord);
}

/** What of a cell's width its texts may take: they keep from its sides. */
function roomIn({ column, columnSpan, words }: GridCell, { columnEdges }: Grid): number {
  const [left, right] = [columnEdges[column] ?? 0, columnEdges[column + columnSpan] ?? 0];
  const padding = Math.min(8, Math.max(2, areaAround(words).left - left));
  return right - left - 2 * padding;
}

const between = (groups: readonly (readonly TextLine[])[]): number[] =>
  groups.slice(1).map((group, i) => {
    const above = areaAround(groups[i] ?? []);
    return (above.bottom + areaAround(group).top) / 2;
  });

function cutRows(grid: Grid, cuts: ReadonlyMap<number, readonly number[]>): Grid {
  const edges = [...grid.rowEdges, ...[...cuts.values()].flat()].sort((a, b) => a - b);
  const place = (edge: number): number => edges.indexOf(edge);
  const cells = grid.cells.flatMap((cell): GridCell[] => {
    const top = place(grid.rowEdges[cell.row] ?? 0);
    const bottom = place(grid.rowEdges[cell.row + cell.rowSpan] ?? 0);
    if (cell.rowSpan > 1 || !cuts.has(cell.row)) return [{ ...cell, row: top, rowSpan: bottom - top }];
    return Array.from({ length: bottom - top }, (_, i) => {
      const area = {
        left: -Infinity,
        right: Infinity,
        top: edges[top + i] ?? 0,
        bottom: edges[top + i + 1] ?? 0,
      };
      return { ...cell, row: top + i, rowSpan: 1, words: cell.words.filter((word) => holds(area, word)) };
    });
  });
  return { ...grid, rowEdges: edges, cells };
}
