// A grid of words as a table of the model.
import type { Table, TableCell, TableRow } from '../model.ts';
import { type Area, areaAround, overlaps, type Tint, type Word } from './areas.ts';
import { cellParagraphs } from './cell-text.ts';
import type { Frame } from './frame.ts';
import { columnCount, type Grid, type GridCell, rowCount } from './grid.ts';
import { headerRows } from './header.ts';
import { drawnPart } from './rulings.ts';

type Align = TableCell['align'];

export function buildTable(
  grid: Grid,
  frame: Frame,
  page: number,
  compounds: ReadonlySet<string> | undefined,
): Table {
  const rows: TableRow[] = Array.from({ length: rowCount(grid) }, (_, row) => ({
    cells: [],
    height: (grid.rowEdges[row + 1] ?? 0) - (grid.rowEdges[row] ?? 0),
  }));
  const tints = frame.tints.filter((tint) => overlaps(tint, grid.area));
  const aligns = Array.from({ length: columnCount(grid) }, (_, column) => columnAlign(grid, column));
  for (const cell of [...grid.cells].sort((a, b) => a.column - b.column)) {
    rows[cell.row]?.cells.push(cellOf(cell, grid, frame, { page, aligns, compounds, tints }));
  }
  return {
    kind: 'table',
    box: frame.onPage(grid.area),
    page,
    columnEdges: grid.columnEdges,
    rows,
    headerRows: headerRows(grid, tints),
    ruled: grid.ruled !== 'none',
  };
}

interface Looks {
  page: number;
  aligns: readonly Align[];
  compounds: ReadonlySet<string> | undefined;
  tints: readonly Tint[];
}

function cellOf(
  cell: GridCell,
  grid: Grid,
  frame: Frame,
  { page, aligns, compounds, tints }: Looks,
): TableCell {
  const area = placeOf(cell, grid);
  const align = cell.columnSpan > 1 ? alignIn(area, cell.words) : (aligns[cell.column] ?? 'left');
  const { level, upright } = frame.rulings;
  const isDrawn = (rulings: typeof level, at: number, from: number, to: number): boolean =>
    drawnPart(rulings, at, from, to) >= 0.6;
  const fill = fillOf(area, tints);
  return {
    column: cell.column,
    columnSpan: cell.columnSpan,
    rowSpan: cell.rowSpan,
    blocks: cellParagraphs(cell.turned?.words ?? cell.words, align, cell.turned?.frame ?? frame, {
      page,
      compounds,
    }),
    align,
    ...(fill ? { fill } : {}),
    borders: {
      top: isDrawn(level, area.top, area.left, area.right),
      right: isDrawn(upright, area.right, area.top, area.bottom),
      bottom: isDrawn(level, area.bottom, area.left, area.right),
      left: isDrawn(upright, area.left, area.top, area.bottom),
    },
  };
}

const placeOf = ({ row, column, rowSpan, columnSpan }: GridCell, grid: Grid): Area => ({
  left: grid.columnEdges[column] ?? 0,
  right: grid.columnEdges[column + columnSpan] ?? 0,
  top: grid.rowEdges[row] ?? 0,
  bottom: grid.rowEdges[row + rowSpan] ?? 0,
});

/** The colour seen in the middle of a cell: that of what was drawn last there. */
function fillOf(area: Area, tints: readonly Tint[]): string | undefined {
  const x = (area.left + area.right) / 2;
  const y = (area.top + area.bottom) / 2;
  const seen = tints.findLast(
    ({ left, right, top, bottom }) => x > left && x < right && y > top && y < bottom,
  );
  return seen && seen.color !== '#ffffff' ? seen.color : undefined;
}

/** Texts of a column share an edge, or their middle: the one they keep best. */
function columnAlign(grid: Grid, column: number): Align {
  const cells = grid.cells.filter(
    (cell) => cell.column === column && cell.columnSpan === 1 && cell.words.length > 0,
  );
  const areas = cells.map(({ words }) => areaAround(words));
  const spread = (values: number[]): number => {
    if (values.length === 0) return 0;
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    return values.reduce((sum, value) => sum + Math.abs(value - mean), 0) / values.length;
  };
  const left = spread(areas.map((area) => area.left));
  const right = spread(areas.map((area) => area.right));
  const middle = spread(areas.map((area) => (area.left + area.right) / 2));
  if (left <= Math.min(right, middle) + 0.5) return 'left';
  return right <= middle + 0.5 ? 'right' : 'center';
}

/** A text over several columns stands in their middle, or at an end. */
function alignIn(area: Area, words: readonly Word[]): Align {
  if (words.length === 0) return 'left';
  const { left, right } = areaAround(words);
  const [before, after] = [left - area.left, area.right - right];
  const least = Math.max(4, (area.right - area.left) * 0.1);
  if (Math.abs(before - after) <= least && before > 4) return 'center';
  return before > after ? 'right' : 'left';
}
