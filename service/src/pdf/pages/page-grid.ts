// Cells in rows and columns on a sheet.
import type { Box } from '../geometry/boxes.ts';

export interface Grid {
  rows: number;
  columns: number;
  width: number;
  height: number;
  margins: { top: number; bottom: number; left: number; right: number };
  /** Between neighbouring cells. */
  gap: number;
  byColumns: boolean;
  rightToLeft: boolean;
}

export function cellSize({
  rows,
  columns,
  width,
  height,
  margins,
  gap,
}: Omit<Grid, 'byColumns' | 'rightToLeft'>): {
  width: number;
  height: number;
} {
  return {
    width: (width - margins.left - margins.right - gap * (columns - 1)) / columns,
    height: (height - margins.top - margins.bottom - gap * (rows - 1)) / rows,
  };
}

/** The cells in the order they are filled. */
export function gridCells(grid: Grid): Box[] {
  const { rows, columns, byColumns, rightToLeft, margins, gap } = grid;
  const size = cellSize(grid);
  return Array.from({ length: rows * columns }, (_, index) => {
    const row = byColumns ? index % rows : Math.floor(index / columns);
    const place = byColumns ? Math.floor(index / rows) : index % columns;
    const column = rightToLeft ? columns - 1 - place : place;
    const left = margins.left + column * (size.width + gap);
    const top = grid.height - margins.top - row * (size.height + gap);
    return { left, bottom: top - size.height, right: left + size.width, top };
  });
}

/** The box without a rim; of a tiny one at least half is left. */
export function inset({ left, bottom, right, top }: Box, rim: number): Box {
  const by = Math.min(rim, (right - left) / 4, (top - bottom) / 4);
  return { left: left + by, bottom: bottom + by, right: right - by, top: top - by };
}
