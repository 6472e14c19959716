// The order a page is read in: bands of columns are found top-down, and within one column rows follow from the top.
import type { Box } from '../model.ts';
import { bestBand, rowsOfBlocks } from './column-bands.ts';
import { boxAroundLines, groupRows } from './rows.ts';
import type { TextLine } from './text-lines.ts';

/** What is read before anything beside it: lines of one column, from the top. */
export interface Region {
  box: Box;
  /** Each with its lines from left to right: more than one where a row has wide gaps. */
  rows: TextLine[][];
  /** How many columns stand side by side here: 1 where the text runs across. */
  columns: number;
}

const MAX_DEPTH = 12;

export function readingOrder(lines: readonly TextLine[]): Region[] {
  const rightToLeft =
    lines.reduce((sum, line) => sum + (line.direction === 'rtl' ? line.length : -line.length), 0) > 0;
  const regions: Region[] = [];
  divide(
    lines.toSorted((a, b) => a.box.y - b.box.y),
    1,
    0,
    rightToLeft,
    regions,
  );
  return regions;
}

function divide(
  lines: readonly TextLine[],
  columns: number,
  depth: number,
  rightToLeft: boolean,
  regions: Region[],
): void {
  if (lines.length === 0) return;
  const band = depth < MAX_DEPTH ? bestBand(lines) : undefined;
  if (!band) {
    regions.push({ box: boxAroundLines(lines), rows: groupRows(lines), columns });
    return;
  }
  divide(band.above, columns, depth + 1, rightToLeft, regions);
  const parts = rowsOfBlocks(band);
  if (parts) {
    for (const part of [...parts, band.below]) divide(part, columns, depth + 1, rightToLeft, regions);
    return;
  }
  const sides = rightToLeft ? [band.right, band.left] : [band.left, band.right];
  for (const side of sides) divide(side, columns + 1, depth + 1, rightToLeft, regions);
  divide(band.below, columns, depth + 1, rightToLeft, regions);
}
