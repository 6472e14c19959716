// Boxes that stand near each other, together: found on a coarse raster of the page, so that a map of thousands of
// lines costs no more than a chart.
import { append } from '../../contract/maps.ts';
import type { Box } from '../model.ts';

/** Side of a square of the raster, in points; large pages have larger ones. */
const SQUARE = 6;
const MAX_SQUARES = 400;

/** So many boxes are compared with each other, which is less work than a raster of the page. */
const FEW = 100;

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
  const areas = boxes.map(({ x, y, width, height }) => ({
    left: column(x - reach),
    right: column(x + width + reach),
    top: row(y - reach),
    bottom: row(y + height + reach),
  }));
  if (boxes.length <= FEW) return touching(areas);
  const groupOf = connected(coverage(areas, columns, rows), columns, rows);
  const groups = new Map<number, number[]>();
  for (const [i, { x, y }] of boxes.entries())
    append(groups, groupOf[row(y) * columns + column(x)] as number, i);
  return [...groups.values()];
}

/** Groups of areas that have squares in common or side by side, in the order of their first ones. */
function touching(areas: readonly Squares[]): number[][] {
  const groups: number[][] = [];
  const isTaken = new Uint8Array(areas.length);
  for (let start = 0; start < areas.length; start += 1) {
    if (isTaken[start]) continue;
    isTaken[start] = 1;
    const group = [start];
    for (let k = 0; k < group.length; k += 1) {
      const from = areas[group[k] as number] as Squares;
      for (let i = start + 1; i < areas.length; i += 1) {
        if (isTaken[i] || !touch(from, areas[i] as Squares)) continue;
        isTaken[i] = 1;
        group.push(i);
      }
    }
    groups.push(group.sort((a, b) => a - b));
  }
  return groups;
}

/** Corner to corner is not enough. */
function touch(a: Squares, b: Squares): boolean {
  const across = Math.max(a.left, b.left) - Math.min(a.right, b.right);
  const down = Math.max(a.top, b.top) - Math.min(a.bottom, b.bottom);
  return across <= 1 && down <= 1 && across + down < 2;
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
  const visit = (next: number): void => {
    if ((covered[next] as number) <= 0 || groupOf[next] !== 0) return;
    groupOf[next] = group;
    open.push(next);
  };
  for (let start = 0; start < covered.length; start += 1) {
    if ((covered[start] as number) <= 0 || groupOf[start] !== 0) continue;
    group += 1;
    groupOf[start] = group;
    open.push(start);
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      const x = at % columns;
      if (x > 0) visit(at - 1);
      if (x < columns - 1) visit(at + 1);
      if (at >= columns) visit(at - columns);
      if (at + columns < columns * rows) visit(at + columns);
    }
  }
  return groupOf;
}
