// Columns side by side: a gutter is a place no line crosses, with running text on both sides. Tables have such places too,
// but what stands there is short and shares its baselines.
import type { Word } from '../words/word.ts';
import { buildLine, type TextLine } from './text-lines.ts';

/** Narrower is the space between words of a loosely set line, as a part of the size. */
export const GUTTER = 0.7;
/** A column has at least this many lines. */
const FEW_LINES = 3;
/** Running text has at least so many characters a line, in the middle. */
const LONG_LINE = 17;
/** Lines of a narrow column fill at least this part of it. */
const FULL = 0.7;
const SHORT_LINE = 7;
/** Beside labels of a figure a column is known by this part of its characters, in at least so many full lines. */
const MOST = 0.6;
const SOME_LINES = 5;
/** An overfull line may reach so far beyond its column, in parts of its size. */
const OVERFULL = 1.5;
/** Lines of a column begin this near its edge, in points. */
const AT_EDGE = 2;
/** Columns of their own share fewer of their baselines than this part. */
const SHARED = 0.5;
/** A line so far from the others, in parts of its size, does not belong to them. */
const FAR = 1.2;
/** Free space across both columns, in parts of the size, that may part rows of blocks. */
const FREE_ROW = 1;
const MAX_CANDIDATES = 24;

interface Sides {
  left: TextLine[];
  right: TextLine[];
  /** y of the middle of where both have text. */
  middle: number;
  worth: number;
  /** Lines that ran on over the gutter, as what stands on either side. */
  parted: ReadonlyMap<TextLine, readonly [TextLine, TextLine]>;
}

interface Band extends Sides {
  above: TextLine[];
  below: TextLine[];
}

/** The pair of columns side by side with the most text, if there is any. */
export function bestBand(lines: readonly TextLine[]): Band | undefined {
  let best: Sides | undefined;
  for (const gutter of gutterCandidates(lines)) {
    for (const sides of bandsAt(lines, gutter, best?.worth ?? -1))
      if (!best || sides.worth > best.worth) best = sides;
  }
  if (!best) return undefined;
  const { left, right, middle } = best;
  const taken = new Set([...left, ...right]);
  const rest = lines
    .flatMap((line) => {
      const parts = best.parted.get(line);
      return parts?.some((part) => taken.has(part)) ? parts : [line];
    })
    .filter((line) => !taken.has(line));
  const isAbove = ({ box }: TextLine): boolean => box.y + box.height / 2 < middle;
  return { ...best, above: rest.filter(isAbove), below: rest.filter((line) => !isAbove(line)) };
}

/**
 * Stanzas and cards stand in rows too, one beside the other. They are told from columns by free space that runs
 * across both sides, where the page was also written row by row.
 */
export function rowsOfBlocks({ left, right }: Pick<Sides, 'left' | 'right'>): TextLine[][] | undefined {
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
      // All that follow begin still lower.
      if (other.y >= box.y + box.height && k > i) break;
      if (other.y >= box.y + box.height || other.y + other.height <= box.y) continue;
      if (other.x >= right + size * GUTTER) nearest = Math.min(nearest, other.x);
    }
    if (nearest === Infinity) continue;
    // A column's right edge is ragged, its neighbour's left edge is not: just before that.
    const place = Math.round(nearest - 1);
    places.set(place, (places.get(place) ?? 0) + 1);
  }
  const common = [...places].filter(([, count]) => count >= FEW_LINES - 1).toSorted((a, b) => b[1] - a[1]);
  const chosen: number[] = [];
  // Edges a point or two apart are the same edge.
  for (const [place] of common)
    if (
      chosen.length < MAX_CANDIDATES &&
      !chosen.some((other) => Math.abs(other - place) <= 2 && other < place)
    )
      chosen.push(place);
  return chosen;
}

/** Stretches of the page where nothing crosses this place, and that may be worth more; lines by their tops. */
function bandsAt(lines: readonly TextLine[], gutter: number, worth: number): Sides[] {
  const bands: Sides[] = [];
  let left: TextLine[] = [];
  let right: TextLine[] = [];
  let ceiling = -Infinity;
  const parted = new Map<TextLine, readonly [TextLine, TextLine]>();
  const close = (): void => {
    const isFew = left.length < FEW_LINES || right.length < FEW_LINES;
    const mayWin = !isFew && characters(left) > worth && characters(right) > worth;
    const band = mayWin ? sidesOf(left, right, gutter, ceiling) : undefined;
    if (band) bands.push({ ...band, parted });
    left = [];
    right = [];
  };
  for (const line of lines) {
    const { x, width } = line.box;
    const parts = x < gutter && x + width > gutter ? partedAt(line, gutter) : undefined;
    if (parts) {
      parted.set(line, parts);
      left.push(parts[0]);
      right.push(parts[1]);
    } else if (x >= gutter) right.push(line);
    else if (x + width <= gutter || isOverfull(line, gutter, lines)) left.push(line);
    else {
      close();
      ceiling = Math.max(ceiling, line.box.y + line.box.height);
    }
  }
  close();
  return bands;
}

/** Two columns that came near each other by chance were taken for one loosely set line. */
function partedAt({ words, size }: TextLine, gutter: number): [TextLine, TextLine] | undefined {
  const next = words.findIndex(({ box }) => box.x >= gutter);
  if (next < 1) return undefined;
  const edge = (words[next] as Word).box.x;
  const reach = words.slice(0, next).reduce((most, { box }) => Math.max(most, box.x + box.width), -Infinity);
  if (edge - gutter > AT_EDGE || edge - reach < size * GUTTER) return undefined;
  return [buildLine(words.slice(0, next)), buildLine(words.slice(next))];
}

/** Reaches a little into the gutter or beyond it, where nothing stands beside it. */
function isOverfull({ box, size, object }: TextLine, gutter: number, lines: readonly TextLine[]): boolean {
  if (object || box.x + box.width - gutter > size * OVERFULL) return false;
  return !lines.some(
    ({ box: other }) =>
      other.x >= gutter &&
      other.x < box.x + box.width &&
      other.y < box.y + box.height &&
      other.y + other.height > box.y,
  );
}

function sidesOf(
  leftLines: TextLine[],
  rightLines: TextLine[],
  gutter: number,
  ceiling: number,
): Omit<Sides, 'parted'> | undefined {
  const [left, right] = [trimmed(leftLines, rightLines, ceiling), trimmed(rightLines, leftLines, ceiling)];
  // Only where both sides have text do they stand side by side.
  const top = Math.max(topOf(left), topOf(right));
  const bottom = Math.min(bottomOf(left), bottomOf(right));
  const beside = (side: TextLine[]): TextLine[] =>
    side.filter(({ box }) => box.y + box.height > top - box.height && box.y < bottom + box.height);
  const [leftBeside, rightBeside] = [beside(left), beside(right)];
  if (leftBeside.length < FEW_LINES || rightBeside.length < FEW_LINES) return undefined;
  if (!areColumns(leftBeside, rightBeside, gutter)) return undefined;
  const worth = Math.min(characters(leftBeside), characters(rightBeside));
  return { left, right, middle: (top + bottom) / 2, worth };
}

/** Without single lines far above or below what stands on the other side: running titles and page numbers. */
function trimmed(side: TextLine[], other: readonly TextLine[], ceiling: number): TextLine[] {
  const [top, bottom] = [topOf(other), bottomOf(other)];
  let [from, to] = [0, side.length];
  const gapAfter = (i: number): number => {
    const [above, below] = [side[i], side[i + 1]];
    return above && below ? below.box.y - above.box.y - above.box.height : 0;
  };
  for (; from < to - 1; from += 1) {
    const { box, size } = side[from] as TextLine;
    // Columns begin at one height, give or take some space; what stands closely below a line across ends that.
    const slack = box.y - ceiling > FAR * size ? (FAR * size) / 2 : 0;
    if (box.y + box.height > top - slack || gapAfter(from) < FAR * size) break;
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
  if (
    few.length <= FEW_LINES ||
    !left.some(isLong) ||
    !right.some(isLong) ||
    isFigures(left) ||
    isFigures(right)
  )
    return false;
  const baselines = new Set(many.map(({ baseline }) => Math.round(baseline)));
  let shared = 0;
  for (const { baseline } of few) {
    const at = Math.round(baseline);
    if (baselines.has(at) || baselines.has(at - 1) || baselines.has(at + 1)) shared += 1;
  }
  return shared < few.length * SHARED;
}

/** Cells are mostly short: numbers, dashes. */
const isFigures = (lines: readonly TextLine[]): boolean =>
  lines.filter(({ length }) => length < SHORT_LINE).length * 2 > lines.length;

const isLong = ({ length }: TextLine): boolean => length >= LONG_LINE;

function isRunningText(lines: readonly TextLine[], width: number): boolean {
  let [long, fair, full, whole, inWhole] = [0, 0, 0, 0, 0];
  for (const { length, box } of lines) {
    const isFull = box.width > width * FULL;
    if (length >= LONG_LINE) long += 1;
    if (length >= SHORT_LINE) fair += 1;
    if (isFull) full += 1;
    if (!isFull || length < LONG_LINE) continue;
    whole += 1;
    inWhole += length;
  }
  if (long * 2 > lines.length) return true;
  if (whole >= SOME_LINES && inWhole > characters(lines) * MOST) return true;
  return fair * 2 > lines.length && full > lines.length * FULL && lines.length > FEW_LINES;
}

const isText = ({ object }: TextLine): boolean => object === undefined;

const characters = (lines: readonly TextLine[]): number => lines.reduce((sum, line) => sum + line.length, 0);

const topOf = (lines: readonly TextLine[]): number =>
  lines.reduce((least, { box }) => Math.min(least, box.y), Infinity);

const bottomOf = (lines: readonly TextLine[]): number =>
  lines.reduce((most, { box }) => Math.max(most, box.y + box.height), -Infinity);
