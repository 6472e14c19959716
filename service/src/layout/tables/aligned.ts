// Regions of a page whose lines keep the same white spaces: tables without, or with few, drawn lines.

import { type Area, areaAround, holds, median, type Word } from './areas.ts';
import { commonGaps, findGaps, type Gap } from './columns.ts';
import type { Frame } from './frame.ts';
import { columnCount, type Grid, isFigure, plainText } from './grid.ts';
import { textGrid } from './text-grid.ts';
import { type Chunk, readLines, type TextLine } from './text-lines.ts';
import { tintBands } from './tint-bands.ts';

/** White space that may part columns, in parts of the letters' size. */
const LEAST_GAP = 0.6;
/** The distance of rows is told by so many lines before. */
const RECENT_LINES = 20;
/** Rows may stand so far apart, in parts of the letters' size. */
const ROW_DISTANCE = 2.8;

/**
 * Grids that may be tables, the better of one place first. `prose` are words that look like running text: in a table
 * they are the long texts of its cells.
 */
export function findAlignedGrids(
  words: readonly Word[],
  prose: readonly Word[],
  { rulings, tints }: Pick<Frame, 'rulings' | 'tints'>,
): Grid[] {
  const lines = readLines(words);
  return alignedRegions(lines).flatMap((whole) => {
    const region = withHeadsAbove(withoutLabelledValues(whole), lines);
    const area = areaAround(region);
    const rules = rulings.level.filter(
      ({ at, from, to }) => at > area.top - 5 && at < area.bottom + 5 && from < area.right && to > area.left,
    );
    const bands = tintBands(tints, region);
    const grid = textGrid(region, { rules, bands });
    if (!grid) return [];
    const more = cellProse(prose, areaAround([area, ...bands]), grid);
    const full =
      more.length > 0 ? textGrid(readLines([...wordsOf(region), ...more]), { rules, bands }) : undefined;
    return full && columnCount(full) === columnCount(grid) ? [full, grid] : [grid];
  });
}

/** Long texts in the cells; the last row may have more lines than the words around it show. */
function cellProse(prose: readonly Word[], area: Area, grid: Grid): Word[] {
  const inside = prose.filter((word) => holds(area, word));
  const second = grid.columnEdges[1] ?? area.right;
  const under = prose.filter(
    ({ top, size }) => top >= area.bottom - size * 0.5 && top < area.bottom + size * 8,
  );
  let end = area.bottom;
  for (const line of readLines(under)) {
    // A line that begins before the column is the next paragraph.
    const isInCells = line.left > second - 2 && line.right <= area.right + 2;
    if (!isInCells || line.top - end > line.size * 0.6) break;
    inside.push(...line.chunks.flatMap(({ words }) => words));
    end = line.bottom;
  }
  return inside;
}

const wordsOf = (lines: readonly TextLine[]): Word[] =>
  lines.flatMap(({ chunks }) => chunks.flatMap((chunk) => chunk.words));

/** "Date: 3 May" and the like often stand right over a table. */
function withoutLabelledValues(region: TextLine[]): TextLine[] {
  const isLabelled = ({ chunks }: TextLine): boolean =>
    chunks.length <= 2 && /:$/.test(chunks[0]?.words.at(-1)?.text ?? '');
  const begin = region.findIndex((line) => !isLabelled(line));
  const rest = region.slice(begin);
  return begin > 0 && rest.length >= 2 && median(rest.map(({ chunks }) => chunks.length)) > 2 ? rest : region;
}

/** The beginning of heads of several lines: each piece right above one of the first line, and on its middle or edge. */
function withHeadsAbove(region: TextLine[], lines: readonly TextLine[]): TextLine[] {
  const heads = [...region];
  for (
    let i = lines.indexOf(region[0] as TextLine) - 1;
    i >= 0 && heads.length < region.length + MOST_HEADS;
    i -= 1
  ) {
    const [line, below] = [lines[i], heads[0]];
    if (
      !line ||
      !below ||
      line.chunks.length >= below.chunks.length ||
      below.top - line.bottom > line.size * 0.4
    )
      break;
    const isOver = line.chunks.every((chunk) => {
      const under = below.chunks.filter(({ left, right }) => left < chunk.right && right > chunk.left);
      const [head] = under;
      return under.length === 1 && head !== undefined && isHeadOver(chunk, head, line.size);
    });
    if (!isOver) break;
    heads.unshift(line);
  }
  return heads;
}

const MOST_HEADS = 2;

const isHeadOver = (chunk: Chunk, head: Chunk, size: number): boolean =>
  chunk.right - chunk.left < (head.right - head.left) * 2 &&
  !isFigure(plainText(head.words)) &&
  [
    chunk.left - head.left,
    chunk.right - head.right,
    (chunk.left + chunk.right - head.left - head.right) / 2,
  ].some((away) => Math.abs(away) < size * 0.4);

/** Runs of lines, from top to bottom, that may be tables. Each line is in one at most. */
function alignedRegions(lines: readonly TextLine[]): TextLine[][] {
  const page = areaAround(lines);
  const regions: TextLine[][] = [];
  for (let i = 0; i < lines.length; ) {
    const region = grow(lines, i, page);
    if (region.length >= 2) regions.push(region);
    i += Math.max(1, region.length);
  }
  return regions;
}

function grow(lines: readonly TextLine[], start: number, page: Area): TextLine[] {
  const first = lines[start];
  if (!first || first.chunks.length < 2) return [];
  const region = [first];
  let area: Area = first;
  let gaps = findGaps(first, page);
  let settled = 1;
  for (let i = start + 1; i < lines.length; i += 1) {
    const line = lines[i];
    const before = lines[i - 1];
    if (!line || !before || isFar(region, before, line)) break;
    const least = LEAST_GAP * Math.min(line.size, before.size);
    const common = commonGaps(gaps, findGaps(line, page), least);
    const kept = inner(common, areaAround([area, line])).length;
    const had = inner(gaps, area).length;
    if (line.chunks.length === 1) {
      if (kept < had && !returns(lines[i + 1], line, gaps, page, had)) break;
      region.push(line);
      // A line over all columns says nothing about them.
      if (kept >= had) gaps = common;
      continue;
    }
    if (kept === 0 || (had >= 4 && kept < had / 2)) break;
    region.push(line);
    gaps = common;
    area = areaAround([area, line]);
    settled = region.length;
  }
  return region.slice(0, Math.max(settled, withLastLines(region, settled)));
}

const inner = (gaps: readonly Gap[], area: Area): Gap[] =>
  gaps.filter(({ from, to }) => from > area.left && to < area.right);

/** Whether the line after one that writes over the columns keeps them again. */
function returns(next: TextLine | undefined, line: TextLine, gaps: readonly Gap[], page: Area, had: number) {
  if (!next || next.chunks.length < 2 || next.baseline - line.baseline > line.size * ROW_DISTANCE)
    return false;
  const common = commonGaps(gaps, findGaps(next, page), LEAST_GAP * line.size);
  return inner(common, next).length >= Math.max(1, had / 2);
}

function isFar(region: readonly TextLine[], before: TextLine, line: TextLine): boolean {
  const recent = region.slice(-RECENT_LINES);
  const steps = recent.slice(1).map((each, i) => each.baseline - (recent[i]?.baseline ?? 0));
  const usual = steps.length >= 2 ? median(steps) * 1.9 : 0;
  return line.baseline - before.baseline > Math.max(usual, ROW_DISTANCE * Math.max(before.size, line.size));
}

/** Lines at the end with one piece only: the rest of the last row, when they stand under a later column. */
function withLastLines(region: readonly TextLine[], settled: number): number {
  const last = region[settled - 1];
  let end = settled;
  for (let i = settled; last && i < region.length; i += 1) {
    const [line, before] = [region[i], region[i - 1]];
    const [, second] = last.chunks;
    const piece = line?.chunks[0];
    if (!line || !before || !second || !piece) break;
    if (line.baseline - before.baseline > line.size * 1.5 || piece.left < second.left - 2) break;
    end = i + 1;
  }
  return end;
}
