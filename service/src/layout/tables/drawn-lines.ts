// The lines that a reader sees on a page, whatever they were drawn as: strokes, thin areas with slanted ends (frames
// that look raised or sunk), rows of dots.
import type { Box } from '../model.ts';
import type { PageItems } from '../page-items.ts';
import type { Area, Tint } from './areas.ts';
import { type Ruling, type Rulings, readRulings } from './rulings.ts';

const WHITE = '#ffffff';
/** What is no thicker is a line, or a dot. */
const LINE_THICKNESS = 2.3;
/** Dots so far from each other, and so many, are a line. */
const DOT_GAP = 4;
const LEAST_DOTS = 6;
/** More dots make a pattern or an image. */
const MAX_DOTS = 50_000;

export interface TableLines {
  rulings: Rulings;
  /** Curves and slanted lines that are no rulings. */
  curves: Area[];
}

/** `into` is the way from the page to the frame that the lines are wanted in. */
export function readDrawnLines(
  items: PageItems,
  tints: readonly Tint[],
  into: (box: Box) => Area,
): TableLines {
  const level: Ruling[] = [];
  const upright: Ruling[] = [];
  const add = (area: Area): void => {
    const { left, right, top, bottom } = area;
    if (bottom - top <= right - left) level.push({ at: (top + bottom) / 2, from: left, to: right });
    else upright.push({ at: (left + right) / 2, from: top, to: bottom });
  };
  for (const area of strokes(items, tints, into)) add(area);
  const curves = items.curves.map(into);
  for (const curve of curves) if (isThin(curve)) add(curve);
  const dots = [...curves, ...items.fills.map(({ box }) => into(box))].filter(isDot);
  if (dots.length <= MAX_DOTS) {
    const across = dots.map(({ left, right, top, bottom }) => ({
      at: (top + bottom) / 2,
      from: left,
      to: right,
    }));
    const down = dots.map(({ left, right, top, bottom }) => ({
      at: (left + right) / 2,
      from: top,
      to: bottom,
    }));
    level.push(...dotted(across), ...among(across, level));
    upright.push(...dotted(down), ...among(down, upright));
  }
  return {
    rulings: readRulings(level, upright),
    curves: curves.filter((curve) => !isThin(curve) && !isDot(curve)),
  };
}

export const isDot = ({ left, right, top, bottom }: Area): boolean =>
  right - left <= LINE_THICKNESS && bottom - top <= LINE_THICKNESS;

function isThin({ left, right, top, bottom }: Area): boolean {
  const [width, height] = [right - left, bottom - top];
  return Math.min(width, height) <= LINE_THICKNESS && Math.max(width, height) >= 4 * Math.min(width, height);
}

/** White lines are seen only where they part coloured areas. */
function* strokes(items: PageItems, tints: readonly Tint[], into: (box: Box) => Area): Generator<Area> {
  const coloured = tints.filter(({ color }) => color !== WHITE);
  for (const { axis, at, from, to, color } of items.rules) {
    const box =
      axis === 'horizontal'
        ? { x: from, y: at, width: to - from, height: 0 }
        : { x: at, y: from, width: 0, height: to - from };
    const area = into(box);
    if (color !== WHITE || coloured.some((tint) => holdsLine(tint, area))) yield area;
  }
}

const holdsLine = (tint: Area, line: Area): boolean =>
  line.left >= tint.left - 2 &&
  line.right <= tint.right + 2 &&
  line.top >= tint.top - 2 &&
  line.bottom <= tint.bottom + 2;

/** Dots of one line stand at the same height, up to what rounding does. */
const heightOf = ({ at }: Ruling): number => Math.round(at * 2);

/** Rows of dots. */
function dotted(dots: readonly Ruling[]): Ruling[] {
  const sorted = [...dots].sort((a, b) => heightOf(a) - heightOf(b) || a.from - b.from);
  const lines: (Ruling & { dots: number })[] = [];
  for (const { at, from, to } of sorted) {
    const last = lines.at(-1);
    if (last && Math.abs(last.at - at) <= 0.5 && from >= last.from && from - last.to <= DOT_GAP) {
      last.to = Math.max(last.to, to);
      last.dots += 1;
    } else lines.push({ at, from, to, dots: 1 });
  }
  return lines.filter(({ dots }) => dots >= LEAST_DOTS).map(({ at, from, to }) => ({ at, from, to }));
}

/** Where the dashes of two cells meet, what is left of one is a dot. */
function among(dots: readonly Ruling[], dashes: readonly Ruling[]): Ruling[] {
  const heights = new Set(dashes.map(heightOf));
  return dots.filter((dot) => heights.has(heightOf(dot)));
}
