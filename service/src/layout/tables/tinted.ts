// Tables without a line whose rows lie on colours that meet: the places where they meet are the lines.
import { type Area, areaAround, median, type Tint, type WordIndex } from './areas.ts';
import type { Grid } from './grid.ts';
import { textGrid } from './text-grid.ts';
import { readLines } from './text-lines.ts';

const WHITE = '#ffffff';
/** Colours meet, and rows begin and end at the same places, up to so many points. */
const SAME_PLACE = 1.5;
const SAME_HEIGHT = 1;
/** A head and two rows; fewer bars of colour are a heading and its ground. */
const LEAST_ROWS = 3;
/** What is higher, in parts of the letters' size, is the ground of more than a row. */
const HIGHEST = 16;

interface ColoredRow extends Area {
  colors: Set<string>;
}

export function tintedGrids(tints: readonly Tint[], words: WordIndex): Grid[] {
  return stacksOf(rowsOf(tints)).flatMap((rows) => {
    const colors = new Set(rows.flatMap((row) => [...row.colors]));
    if (rows.length < LEAST_ROWS || colors.size < 2) return [];
    const area = areaAround(rows);
    const lines = readLines(words.inside(area));
    const highest = HIGHEST * median(lines.map(({ size }) => size));
    if (rows.some(({ top, bottom }) => bottom - top > highest)) return [];
    const edges = [area.top, ...rows.map(({ bottom }) => bottom)];
    const rules = edges.map((at) => ({ at, from: area.left, to: area.right }));
    return textGrid(lines, { rules, area }) ?? [];
  });
}

/** Cells side by side of one height are one row. */
function rowsOf(tints: readonly Tint[]): ColoredRow[] {
  const rows: ColoredRow[] = [];
  const sorted = tints
    .filter(({ color }) => color !== WHITE)
    .sort((a, b) => a.top - b.top || a.left - b.left);
  for (const { color, ...area } of sorted) {
    const row = rows.at(-1);
    const isBeside =
      row &&
      area.top - row.top <= SAME_HEIGHT &&
      Math.abs(row.bottom - area.bottom) <= SAME_HEIGHT &&
      Math.abs(area.left - row.right) <= SAME_PLACE;
    if (!row || !isBeside) rows.push({ ...area, colors: new Set([color]) });
    else {
      row.right = area.right;
      row.colors.add(color);
    }
  }
  return rows;
}

/** Rows right under each other, as wide as each other. */
function stacksOf(rows: readonly ColoredRow[]): ColoredRow[][] {
  const stacks: ColoredRow[][] = [];
  for (const row of rows) {
    const stack = stacks.findLast((other) => {
      const last = other.at(-1);
      return (
        last !== undefined &&
        Math.abs(row.top - last.bottom) <= SAME_PLACE &&
        Math.abs(row.left - last.left) <= SAME_PLACE &&
        Math.abs(row.right - last.right) <= SAME_PLACE
      );
    });
    if (stack) stack.push(row);
    else stacks.push([row]);
  }
  return stacks;
}
