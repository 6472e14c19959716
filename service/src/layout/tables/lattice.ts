// Tables whose cells are drawn: lines that cross make cells, and a line that is missing between two makes them one.

import { type Area, holds, type Word, type WordIndex } from './areas.ts';
import { clusterMiddles, compact, type Grid, type GridCell, slotOf } from './grid.ts';
import { drawnPart, type RuledRegion, type Ruling } from './rulings.ts';
import { readLines } from './text-lines.ts';

/** Lines nearer than this to each other are one border. */
const SAME_BORDER = 3.5;
/** A border counts as drawn when so much of it is. */
const DRAWN = 0.6;
/** Level lines that reach so far past the outermost upright one end in a cell that is open at the side. */
const OPEN_SIDE = 12;
/** Upright ones that reach so far past the outermost level one end in a row that is open. */
const OPEN_ROW = 7;
/** Lines of one table begin and end at the same places, up to so many points. */
const SAME_END = 6;
/** Rows and columns thinner than this, and empty, are the space between double lines. */
const THIN = 6;
const MAX_CELLS = 20_000;

export function latticeGrid(region: RuledRegion, index: WordIndex): Grid | undefined {
  const words = index.inside(region.area);
  const isCross = isHeadOverRow(region, words);
  const columnEdges = withOpenSides(
    clusterMiddles(
      region.upright.map(({ at }) => at),
      SAME_BORDER,
    ),
    region.level,
    words,
    { least: OPEN_SIDE, middle: (word) => (word.left + word.right) / 2, isCross },
  );
  const rowEdges = withOpenSides(
    clusterMiddles(
      region.level.map(({ at }) => at),
      SAME_BORDER,
    ),
    region.upright,
    words,
    { least: OPEN_ROW, middle: (word) => (word.top + word.bottom) / 2, isCross },
  );
  const [columns, rows] = [columnEdges.length - 1, rowEdges.length - 1];
  if (columns < 1 || rows < 1 || columns * rows > MAX_CELLS) return undefined;
  const cells = drawnCells(region, columnEdges, rowEdges);
  const area: Area = {
    left: columnEdges[0] ?? 0,
    right: columnEdges.at(-1) ?? 0,
    top: rowEdges[0] ?? 0,
    bottom: rowEdges.at(-1) ?? 0,
  };
  putWords(
    cells,
    columnEdges,
    rowEdges,
    words.filter((word) => holds(area, word)),
  );
  const grid: Grid = { area, columnEdges, rowEdges, cells, ruled: 'cells', headerRows: 0 };
  return compact(grid, { rows: thin(rowEdges), columns: thin(columnEdges) });
}

/** Two lines that cross, with bold heads over the level one: the page's end has left one row under them. */
function isHeadOverRow({ level, upright }: RuledRegion, words: readonly Word[]): boolean {
  const [across, down] = [level[0], upright[0]];
  if (!across || !down || level.length > 1 || upright.length > 1) return false;
  const [heads, rows] = [true, false].map((isOver) =>
    words.filter(({ bottom }) => bottom <= across.at + 1 === isOver),
  );
  return (
    [heads, rows].every((part) =>
      [true, false].every((isLeft) => part?.some(({ left }) => left < down.at === isLeft)),
    ) && heads?.every(({ bold }) => bold) === true
  );
}

/** A table may have no outer border at its sides: there its lines simply end. */
function withOpenSides(
  edges: number[],
  across: readonly Ruling[],
  words: readonly Word[],
  { least, middle, isCross }: { least: number; middle: (word: Word) => number; isCross: boolean },
): number[] {
  const [first, last] = [edges[0], edges.at(-1)];
  if (first === undefined || last === undefined) return edges;
  // One line across tells where all end only when other lines part several places already, or one parts head and row.
  const isOnly = across.length === 1 && (edges.length > 2 || isCross);
  const before = endsBeyond(
    across.map(({ from }) => first - from),
    least,
    isOnly,
  );
  const after = endsBeyond(
    across.map(({ to }) => to - last),
    least,
    isOnly,
  );
  const isWrittenOn = (from: number, to: number): boolean =>
    words.some((word) => middle(word) > from && middle(word) < to);
  return [
    ...(before && isWrittenOn(first - before, first) ? [first - before] : []),
    ...edges,
    ...(after && isWrittenOn(last, last + after) ? [last + after] : []),
  ];
}

/** How far at least two lines reach out, and about equally far; or the only one. */
function endsBeyond(reaches: number[], least: number, isOnly: boolean): number | undefined {
  const far = reaches.filter((reach) => reach > least).sort((a, b) => b - a);
  const [longest, second = isOnly ? longest : undefined] = far;
  return longest !== undefined && second !== undefined && longest - second < SAME_BORDER
    ? longest
    : undefined;
}

/** A row of totals, or heads, may stand between the outermost lines where no upright line is drawn. */
export function withOuterRules(region: RuledRegion, level: readonly Ruling[], index: WordIndex): RuledRegion {
  const { area } = region;
  const near = level.filter(
    ({ at, from, to }) =>
      Math.abs(from - area.left) <= SAME_END &&
      Math.abs(to - area.right) <= SAME_END &&
      (at > area.bottom + SAME_BORDER || at < area.top - SAME_BORDER),
  );
  const isOuter = ({ at }: Ruling): boolean => {
    const band = { ...area, top: Math.min(at, area.bottom), bottom: Math.max(at, area.top) };
    const between = at > area.bottom ? { ...band, top: area.bottom } : { ...band, bottom: area.top };
    const [line, ...more] = readLines(index.inside(between));
    return (
      line !== undefined &&
      more.length === 0 &&
      line.chunks.length > 1 &&
      between.bottom - between.top < line.size * 3
    );
  };
  const outer = near.filter(isOuter);
  if (outer.length === 0) return region;
  const heights = [area.top, area.bottom, ...outer.map(({ at }) => at)];
  return {
    ...region,
    level: [...region.level, ...outer].sort((a, b) => a.at - b.at),
    area: { ...area, top: Math.min(...heights), bottom: Math.max(...heights) },
  };
}

function thin(edges: readonly number[]): Set<number> {
  const found = new Set<number>();
  for (let i = 0; i + 1 < edges.length; i += 1) {
    if ((edges[i + 1] ?? 0) - (edges[i] ?? 0) < THIN) found.add(i);
  }
  return found;
}

function drawnCells(region: RuledRegion, columnEdges: number[], rowEdges: number[]): GridCell[] {
  const [columns, rows] = [columnEdges.length - 1, rowEdges.length - 1];
  const opensRight = (row: number, column: number): boolean =>
    column + 1 < columns &&
    drawnPart(region.upright, columnEdges[column + 1] ?? 0, rowEdges[row] ?? 0, rowEdges[row + 1] ?? 0) <
      DRAWN;
  const opensDown = (row: number, column: number): boolean =>
    row + 1 < rows &&
    drawnPart(region.level, rowEdges[row + 1] ?? 0, columnEdges[column] ?? 0, columnEdges[column + 1] ?? 0) <
      DRAWN;
  const taken = new Uint8Array(columns * rows);
  const cells: GridCell[] = [];
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      if (taken[row * columns + column]) continue;
      const isFree = (r: number, c: number): boolean => !taken[r * columns + c];
      let columnSpan = 1;
      while (opensRight(row, column + columnSpan - 1) && isFree(row, column + columnSpan)) columnSpan += 1;
      let rowSpan = 1;
      while (spansDown(row + rowSpan - 1, column, columnSpan, opensDown, opensRight, isFree)) rowSpan += 1;
      for (let r = row; r < row + rowSpan; r += 1)
        for (let c = column; c < column + columnSpan; c += 1) taken[r * columns + c] = 1;
      cells.push({ row, column, rowSpan, columnSpan, words: [] });
    }
  }
  return cells;
}

/** Whether the row of places below is open to this one over its whole width, and closed at its sides. */
function spansDown(
  row: number,
  column: number,
  columnSpan: number,
  opensDown: (row: number, column: number) => boolean,
  opensRight: (row: number, column: number) => boolean,
  isFree: (row: number, column: number) => boolean,
): boolean {
  for (let c = column; c < column + columnSpan; c += 1) {
    if (!opensDown(row, c) || !isFree(row + 1, c)) return false;
    if (c + 1 < column + columnSpan && !opensRight(row + 1, c)) return false;
  }
  return !opensRight(row + 1, column + columnSpan - 1);
}

function putWords(
  cells: GridCell[],
  columnEdges: number[],
  rowEdges: number[],
  words: readonly Word[],
): void {
  const columns = columnEdges.length - 1;
  const cellAt = new Map<number, GridCell>();
  for (const cell of cells) {
    for (let r = cell.row; r < cell.row + cell.rowSpan; r += 1)
      for (let c = cell.column; c < cell.column + cell.columnSpan; c += 1) cellAt.set(r * columns + c, cell);
  }
  for (const word of words) {
    const row = slotOf(rowEdges, (word.top + word.bottom) / 2);
    const column = slotOf(columnEdges, (word.left + word.right) / 2);
    cellAt.get(row * columns + column)?.words.push(word);
  }
}
