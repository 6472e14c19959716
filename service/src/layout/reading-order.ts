// The order a page is read in: bands of columns are found top-down, and within one column rows follow from the top.
//
// A gutter is a place no line crosses, with running text on both sides. Tables have such places too, but what stands
// there is short and shares its baselines: it is read row by row.
import type { Box } from './model.ts';
import { lineOf, type TextLine } from './text-lines.ts';

/** What is read before anything beside it: lines of one column, from the top. */
export interface Region {
  box: Box;
  /** Each with its lines from left to right: more than one where a row has wide gaps. */
  rows: TextLine[][];
  /** How many columns stand side by side here: 1 where the text runs across. */
  columns: number;
}

/** Narrower is the space between words of a loosely set line, as a part of the size. */
const GUTTER = 0.7;
/** A column has at least this many lines. */
const FEW_LINES = 3;
/** Running text has at least so many characters a line, in the middle. */
const LONG_LINE = 17;
/** Lines of a narrow column fill at least this part of it. */
const FULL = 0.7;
const SHORT_LINE = 7;
/** Columns of their own share fewer of their baselines than this part. */
const SHARED = 0.5;
/** A line so far from the others, in parts of its size, does not belong to them. */
const FAR = 1.2;
/** Free space across both columns, in parts of the size, that may part rows of blocks. */
const FREE_ROW = 1;
const MAX_DEPTH = 12;
const MAX_CANDIDATES = 60;

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
    regions.push({ box: around(lines), rows: rowsOf(lines), columns });
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

interface Band {
  above: TextLine[];
  left: TextLine[];
  right: TextLine[];
  below: TextLine[];
  worth: number;
}

/** The pair of columns side by side with the most text, if there is any. */
function bestBand(lines: readonly TextLine[]): Band | undefined {
  let best: Band | undefined;
  for (const gutter of gutterCandidates(lines)) {
    for (const band of bandsAt(lines, gutter)) if (!best || band.worth > best.worth) best = band;
  }
  return best;
}

/**
 * Stanzas and cards stand in rows too, one beside the other. They are told from columns by free space that runs
 * across both sides, where the page was also written row by row.
 */
function rowsOfBlocks({ left, right }: Band): TextLine[][] | undefined {
  const lines = [...left, ...right].toSorted((a, b) => a.box.y - b.box.y);
  const isByColumns =
    Math.max(...left.filter(isText).map(({ order }) => order)) <
    Math.min(...right.filter(isText).map(({ order }) => order));
  if (isByColumns) return undefined;
  const parts: TextLine[][] = [[]];
  let bottom = -Infinity;
  let latest = -1;
  for (const [i, line] of lines.entries()) {
    const { box, size } = line;
    if (bottom > -Infinity && box.y - bottom > size * FREE_ROW) {
      const next = lines.slice(i).reduce((least, { order }) => Math.min(least, order), Infinity);
      if (latest < next) parts.push([]);
    }
    parts.at(-1)?.push(line);
    bottom = Math.max(bottom, box.y + box.height);
    if (isText(line)) latest = Math.max(latest, line.order);
  }
  return parts.length > 1 ? parts : undefined;
}

/** Places between lines that stand side by side. */
function gutterCandidates(lines: readonly TextLine[]): number[] {
  const places = new Map<number, number>();
  for (let i = 0; i < lines.length; i += 1) {
    const { box, size } = lines[i] as TextLine;
    const right = box.x + box.width;
    let nearest = Infinity;
    // Sorted by their tops: what is beside a line is near it in the list.
    for (let k = Math.max(0, i - 12); k < Math.min(lines.length, i + 13); k += 1) {
      const other = (lines[k] as TextLine).box;
      if (other.y >= box.y + box.height || other.y + other.height <= box.y) continue;
      if (other.x >= right + size * GUTTER) nearest = Math.min(nearest, other.x);
    }
    if (nearest === Infinity) continue;
    // A column's right edge is ragged, its neighbour's left edge is not: just before that.
    const place = Math.round(nearest - 1);
    places.set(place, (places.get(place) ?? 0) + 1);
  }
  return [...places]
    .filter(([, count]) => count >= FEW_LINES - 1)
    .toSorted((a, b) => b[1] - a[1])
    .slice(0, MAX_CANDIDATES)
    .map(([place]) => place);
}

/** Stretches of the page where nothing crosses this place. */
function bandsAt(lines: readonly TextLine[], gutter: number): Band[] {
  const bands: Band[] = [];
  const crossing = lines.filter(({ box }) => box.x < gutter && box.x + box.width > gutter);
  let from = -Infinity;
  for (const to of [...crossing.map(({ box }) => box.y + box.height / 2), Infinity]) {
    const inside = lines.filter(({ box }) => {
      const middle = box.y + box.height / 2;
      return middle > from && middle < to && !(box.x < gutter && box.x + box.width > gutter);
    });
    const band = bandOf(lines, inside, gutter);
    if (band) bands.push(band);
    from = to;
  }
  return bands;
}

function bandOf(lines: readonly TextLine[], inside: readonly TextLine[], gutter: number): Band | undefined {
  const left = inside.filter(({ box }) => box.x + box.width <= gutter);
  const right = inside.filter(({ box }) => box.x >= gutter);
  if (left.length < FEW_LINES || right.length < FEW_LINES) return undefined;
  const [leftTrimmed, rightTrimmed] = [trimmed(left, right), trimmed(right, left)];
  // Only where both sides have text do they stand side by side.
  const top = Math.max(around(leftTrimmed).y, around(rightTrimmed).y);
  const bottom = Math.min(bottomOf(leftTrimmed), bottomOf(rightTrimmed));
  const beside = (side: TextLine[]): TextLine[] =>
    side.filter(({ box }) => box.y + box.height > top - box.height && box.y < bottom + box.height);
  const [leftBeside, rightBeside] = [beside(leftTrimmed), beside(rightTrimmed)];
  if (leftBeside.length < FEW_LINES || rightBeside.length < FEW_LINES) return undefined;
  if (!areColumns(leftBeside, rightBeside, gutter)) return undefined;
  const taken = new Set([...leftTrimmed, ...rightTrimmed]);
  const rest = lines.filter((line) => !taken.has(line));
  const isAbove = ({ box }: TextLine): boolean => box.y + box.height / 2 < (top + bottom) / 2;
  return {
    above: rest.filter(isAbove),
    left: leftTrimmed,
    right: rightTrimmed,
    below: rest.filter((line) => !isAbove(line)),
    worth: Math.min(characters(leftBeside), characters(rightBeside)),
  };
}

/** Without single lines far above or below what stands on the other side: running titles and page numbers. */
function trimmed(side: TextLine[], other: readonly TextLine[]): TextLine[] {
  const [top, bottom] = [around(other).y, bottomOf(other)];
  let [from, to] = [0, side.length];
  const gapAfter = (i: number): number => {
    const [above, below] = [side[i], side[i + 1]];
    return above && below ? below.box.y - above.box.y - above.box.height : 0;
  };
  for (; from < to - 1; from += 1) {
    const { box, size } = side[from] as TextLine;
    if (box.y + box.height > top || gapAfter(from) < FAR * size) break;
  }
  for (; to > from + 1; to -= 1) {
    const { box, size } = side[to - 1] as TextLine;
    if (box.y < bottom || gapAfter(to - 2) < FAR * size) break;
  }
  return side.slice(from, to);
}

function areColumns(
  leftLines: readonly TextLine[],
  rightLines: readonly TextLine[],
  gutter: number,
): boolean {
  const [left, right] = [leftLines.filter(isText), rightLines.filter(isText)];
  if (left.length < FEW_LINES || right.length < FEW_LINES) return false;
  const leftEdge = Math.min(...left.map(({ box }) => box.x));
  const rightEdge = Math.max(...right.map(({ box }) => box.x + box.width));
  const leftRuns = isRunningText(left, gutter - leftEdge);
  const rightRuns = isRunningText(right, rightEdge - gutter);
  if (leftRuns && rightRuns) return true;
  const [few, many] = left.length < right.length ? [left, right] : [right, left];
  if (few.length <= FEW_LINES) return false;
  const shared = few.filter((line) =>
    many.some((other) => Math.abs(other.baseline - line.baseline) < 0.15 * line.size),
  );
  return shared.length < few.length * SHARED;
}

function isRunningText(lines: readonly TextLine[], width: number): boolean {
  const lengths = lines.map((line) => line.length).toSorted((a, b) => a - b);
  const middle = lengths[lengths.length >> 1] ?? 0;
  if (middle >= LONG_LINE) return true;
  const full = lines.filter(({ box }) => box.width > width * FULL);
  return middle >= SHORT_LINE && full.length > lines.length * FULL && lines.length > FEW_LINES;
}

/** Lines on one baseline, from left to right; rows from the top. */
export function rowsOf(lines: readonly TextLine[]): TextLine[][] {
  const rows: { lines: TextLine[]; top: number; bottom: number }[] = [];
  for (const line of lines.toSorted((a, b) => a.baseline - b.baseline)) {
    const last = rows.at(-1);
    const middle = line.box.y + line.box.height / 2;
    const beside = last?.lines.every(
      ({ box }) => box.x + box.width <= line.box.x + 1 || box.x >= line.box.x + line.box.width - 1,
    );
    if (
      last &&
      beside &&
      !line.object &&
      !last.lines[0]?.object &&
      middle < last.bottom &&
      middle > last.top
    ) {
      last.lines.push(line);
      last.top = Math.min(last.top, line.box.y);
      last.bottom = Math.max(last.bottom, line.box.y + line.box.height);
      continue;
    }
    rows.push({ lines: [line], top: line.box.y, bottom: line.box.y + line.box.height });
  }
  return rows.map((row) => row.lines.toSorted((a, b) => a.box.x - b.box.x));
}

/** A row as one line. */
export const joinRow = (row: readonly TextLine[]): TextLine =>
  row.length === 1 ? (row[0] as TextLine) : lineOf(row.flatMap((line) => line.words));

const isText = ({ object }: TextLine): boolean => object === undefined;

const characters = (lines: readonly TextLine[]): number => lines.reduce((sum, line) => sum + line.length, 0);

const bottomOf = (lines: readonly TextLine[]): number =>
  lines.reduce((most, { box }) => Math.max(most, box.y + box.height), -Infinity);

export function around(lines: readonly { box: Box }[]): Box {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { box } of lines) {
    left = Math.min(left, box.x);
    top = Math.min(top, box.y);
    right = Math.max(right, box.x + box.width);
    bottom = Math.max(bottom, box.y + box.height);
  }
  return { x: left, y: top, width: right - left, height: bottom - top };
}
