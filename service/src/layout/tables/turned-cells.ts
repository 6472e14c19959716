// Heads that are turned to save width: words in another direction than the table's own, in cells that are else empty.

import type { Word } from './areas.ts';
import type { Frame } from './frame.ts';
import { type Grid, type GridCell, slotOf } from './grid.ts';

/** A grid of drawn cells with what the other frames of its page have in its empty cells. */
export function addTurnedTexts(grid: Grid, frame: Frame, frames: readonly Frame[]): Grid {
  const others = frames.filter(({ turn }) => turn !== frame.turn);
  if (grid.ruled !== 'cells' || others.length === 0) return grid;
  const cellAt = emptyCells(grid);
  const turned = new Map<GridCell, NonNullable<GridCell['turned']>>();
  for (const other of others) {
    for (const word of other.words) {
      const cell = cellOf(word, grid, frame, cellAt);
      const known = cell && turned.get(cell);
      if (cell && (!known || known.frame === other))
        turned.set(cell, { frame: other, words: [...(known?.words ?? []), word] });
    }
  }
  if (turned.size === 0) return grid;
  return {
    ...grid,
    cells: grid.cells.map((cell) => {
      const found = turned.get(cell);
      return found ? { ...cell, turned: found } : cell;
    }),
  };
}

const key = (row: number, column: number): string => `${row},${column}`;

/** The empty cells by each place they cover. */
function emptyCells({ cells }: Grid): Map<string, GridCell> {
  const at = new Map<string, GridCell>();
  for (const cell of cells) {
    if (cell.words.length > 0) continue;
    for (let row = cell.row; row < cell.row + cell.rowSpan; row += 1)
      for (let column = cell.column; column < cell.column + cell.columnSpan; column += 1)
        at.set(key(row, column), cell);
  }
  return at;
}

function cellOf(word: Word, grid: Grid, frame: Frame, cellAt: Map<string, GridCell>): GridCell | undefined {
  const { left, right, top, bottom } = frame.into(word.mark.box);
  const column = slotOf(grid.columnEdges, (left + right) / 2);
  const row = slotOf(grid.rowEdges, (top + bottom) / 2);
  return cellAt.get(key(row, column));
}
