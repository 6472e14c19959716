// Boxes that stand near each other, together: found on a coarse raster of the page, so that a map of thousands of
// lines costs no more than a chart.
import { append } from '../../contract/maps.ts';
import type { Box } from '../model.ts';

/** Side of a square of the raster, in points; large pages have larger ones. */
const SQUARE = 6;
const MAX_SQUARES = 400;

/** Indices of boxes by group. `reach` is how far around itself each box looks for others, in points. */
export function clusterBoxes(
  boxes: readonly Box[],
  page: { width: number; height: number },
  reach: number,
): number[][] {
  const side = Math.max(SQUARE, page.width / MAX_SQUARES, page.height / MAX_SQUARES);
  const columns = Math.ceil(page.width / side) + 1;
  const rows = Math.ceil(page.height / side) + 1;
  const column = (x: number): number => Math.min(columns - 1, Math.max(0, Math.floor(x / side)));
  const row = (y: number): number => Math.min(rows - 1, Math.max(0, Math.floor(y / side)));
  const covered = coverage(
    boxes.map(({ x, y, width, height }) => ({
      left: column(x - reach),
      right: column(x + width + reach),
      top: row(y - reach),
      bottom: row(y + height + reach),
    })),
    columns,
    rows,
  );
  const groupOf = connected(covered, columns, rows);
  const groups = new Map<number, number[]>();
  for (const [i, { x, y }] of boxes.entries()) {
    const group = groupOf[row(y) * columns + column(x)] as number;
    append(groups, group, i);
  }
  return [...groups.values()];
}

interface Squares {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** How many boxes cover each square: their corners are counted, then summed up once. */
function coverage(areas: readonly Squares[], columns: number, rows: number): Int32Array {
  const width = columns + 1;
  const sums = new Int32Array(width * (rows + 1));
  const add = (x: number, y: number, count: number): void => {
    sums[y * width + x] = (sums[y * width + x] as number) + count;
  };
  for (const { left, right, top, bottom } of areas) {
    add(left, top, 1);
    add(right + 1, top, -1);
    add(left, bottom + 1, -1);
    add(right + 1, bottom + 1, 1);
  }
  const covered = new Int32Array(columns * rows);
  for (let y = 0; y < rows; y += 1) {
    let inRow = 0;
    for (let x = 0; x < columns; x += 1) {
      inRow += sums[y * width + x] as number;
      covered[y * columns + x] = inRow + (y > 0 ? (covered[(y - 1) * columns + x] as number) : 0);
    }
  }
  return covered;
}

/** The number of the connected group of each covered square, from 1. */
function connected(covered: Int32Array, columns: number, rows: number): Int32Array {
  const groupOf = new Int32Array(covered.length);
  const open: number[] = [];
  let group = 0;
  for (let start = 0; start < covered.length; start += 1) {
    if ((covered[start] as number) <= 0 || groupOf[start] !== 0) continue;
    group += 1;
    groupOf[start] = group;
    open.push(start);
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      const x = at % columns;
      const near = [
        x > 0 ? at - 1 : -1,
        x < columns - 1 ? at + 1 : -1,
        at - columns,
        at + columns < columns * rows ? at + columns : -1,
      ];
      for (const next of near) {
        if (next < 0 || (covered[next] as number) <= 0 || groupOf[next] !== 0) continue;
        groupOf[next] = group;
        open.push(next);
      }
    }
  }
  return groupOf;
}
