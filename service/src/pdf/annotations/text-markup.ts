// Text that is marked: one drawing for each of its quadrilaterals.
import type { PdfDocument } from '../document.ts';
import { colourOf, colourOperator } from '../forms/widget-frame.ts';
import type { Dict } from '../objects.ts';
import { formatNumber } from '../syntax/object-syntax.ts';
import { type Drawing, type Numbers, numbersOf, path } from './annotation-drawing.ts';

export function markup(
  doc: PdfDocument,
  annotation: Dict,
  drawQuad: (quad: Numbers) => string,
  fill = false,
): Drawing | undefined {
  const numbers = numbersOf(doc, annotation.get('QuadPoints'));
  const quads = Array.from({ length: Math.floor(numbers.length / 8) }, (_, index) =>
    numbers.slice(8 * index, 8 * index + 8),
  );
  if (quads.length === 0) return undefined;
  const own = colourOf(doc, annotation.get('C'));
  const colour = own.length > 0 ? own : fill ? [1, 1, 0] : [0];
  return { operators: [colourOperator(colour, !fill), ...quads.map(drawQuad)].join('\n'), multiply: fill };
}

/** Corners stand as upper left, upper right, lower left, lower right in practice. */
export function highlight([x1 = 0, y1 = 0, x2 = 0, y2 = 0, x3 = 0, y3 = 0, x4 = 0, y4 = 0]: Numbers): string {
  return `${path([x1, y1, x2, y2, x4, y4, x3, y3])} h f`;
}

/** A line through the quadrilateral, at a part of its height. */
export function across(quad: Numbers, height: number): string {
  const { from, to, tall } = levelLine(quad, height);
  return `${formatNumber(Math.max(0.5, tall / 16))} w ${path([...from, ...to])} S`;
}

export function squiggle(quad: Numbers): string {
  const { from, to, tall } = levelLine(quad, 0.04);
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const length = Math.hypot(dx, dy) || 1;
  const step = Math.max(1, tall / 8, length / 2000);
  const points: number[] = [];
  for (let at = 0, up = 0; at <= length; at += step, up = up === 0 ? step : 0)
    points.push(from[0] + (dx * at - dy * up) / length, from[1] + (dy * at + dx * up) / length);
  return `${formatNumber(Math.max(0.4, tall / 20))} w ${path(points)} S`;
}

interface LevelLine {
  from: [number, number];
  to: [number, number];
  /** How tall the text is. */
  tall: number;
}

function levelLine(
  [x1 = 0, y1 = 0, x2 = 0, y2 = 0, x3 = 0, y3 = 0, x4 = 0, y4 = 0]: Numbers,
  height: number,
): LevelLine {
  const between = (low: number, high: number) => low + (high - low) * height;
  return {
    from: [between(x3, x1), between(y3, y1)],
    to: [between(x4, x2), between(y4, y2)],
    tall: Math.hypot(x1 - x3, y1 - y3),
  };
}
