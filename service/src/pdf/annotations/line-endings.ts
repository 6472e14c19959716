// What stands at the ends of lines (ISO 32000-1, table 176).
import { lookup } from '../../contract/lookup.ts';
import { circle, colourOperator } from '../forms/widget-frame.ts';
import type { Box } from '../geometry/boxes.ts';
import { formatNumber } from '../syntax/object-syntax.ts';

interface Point {
  x: number;
  y: number;
}

export interface LinePen {
  width: number;
  /** Of what is closed; empty: nothing. */
  inside: readonly number[];
}

/** In widths of the line. */
const SIZE = 6;
const SPREAD = Math.PI / 6;

/** From the end, along the line outwards and to its left. */
type Corner = readonly [out: number, left: number];
interface Ending {
  corners: readonly Corner[];
  isClosed: boolean;
}

const [LONG, WIDE] = [Math.cos(SPREAD), Math.sin(SPREAD)];
const ARROW: readonly Corner[] = [
  [-LONG, WIDE],
  [0, 0],
  [-LONG, -WIDE],
];
const REVERSED: readonly Corner[] = ARROW.map(([out, left]) => [-out, left]);

const ENDINGS: Readonly<Record<string, Ending>> = lookup({
  OpenArrow: { corners: ARROW, isClosed: false },
  ClosedArrow: { corners: ARROW, isClosed: true },
  ROpenArrow: { corners: REVERSED, isClosed: false },
  RClosedArrow: { corners: REVERSED, isClosed: true },
  Butt: {
    corners: [
      [0, 0.5],
      [0, -0.5],
    ],
    isClosed: false,
  },
  Slash: {
    corners: [
      [WIDE / 2, LONG / 2],
      [-WIDE / 2, -LONG / 2],
    ],
    isClosed: false,
  },
  Square: {
    corners: [
      [0.5, 0.5],
      [0.5, -0.5],
      [-0.5, -0.5],
      [-0.5, 0.5],
    ],
    isClosed: true,
  },
  Diamond: {
    corners: [
      [0.5, 0],
      [0, 0.5],
      [-0.5, 0],
      [0, -0.5],
    ],
    isClosed: true,
  },
});

/** Operators for both ends of a line through these points; colour and width of the pen are set. */
export function lineEndings(
  styles: readonly (string | undefined)[],
  numbers: readonly number[],
  pen: LinePen,
): string {
  const points = pointsOf(numbers);
  const fill = pen.inside.length > 0 ? `${colourOperator(pen.inside, false)} ` : '';
  const ends = [styles[0], styles[1]].flatMap((style, end) => {
    const [at, before] = end === 0 ? [points[0], points[1]] : [points.at(-1), points.at(-2)];
    return at && before ? [drawnEnding(style, at, before, pen)] : [];
  });
  const drawn = ends.filter((ending) => ending !== '').join(' ');
  return drawn === '' ? '' : `[] 0 d ${fill}${drawn}`;
}

function drawnEnding(
  style: string | undefined,
  at: Point,
  before: Point,
  { width, inside }: LinePen,
): string {
  const size = SIZE * Math.max(width, 0.5);
  const paint = inside.length > 0 ? 'B' : 'S';
  if (style === 'Circle') return `${circle(at.x, at.y, size / 2)} ${paint}`;
  const ending = ENDINGS[style ?? ''];
  if (!ending) return '';
  const [dx, dy] = [at.x - before.x, at.y - before.y];
  const length = Math.hypot(dx, dy) || 1;
  const [outX, outY] = [(dx / length) * size, (dy / length) * size];
  const path = ending.corners.map(([out, left], index) => {
    const x = at.x + out * outX - left * outY;
    const y = at.y + out * outY + left * outX;
    return `${formatNumber(x)} ${formatNumber(y)} ${index === 0 ? 'm' : 'l'}`;
  });
  return `${path.join(' ')} ${ending.isClosed ? `h ${paint}` : 'S'}`;
}

function pointsOf(numbers: readonly number[]): Point[] {
  return Array.from({ length: numbers.length >> 1 }, (_, index) => ({
    x: numbers[2 * index] ?? 0,
    y: numbers[2 * index + 1] ?? 0,
  }));
}

/** How far a line and what stands at its ends may reach. */
export function reachOfLine(numbers: readonly number[], width: number, box: Box): Box {
  const margin = SIZE * Math.max(width, 0.5) + width;
  const reach = { ...box };
  for (const { x, y } of pointsOf(numbers)) {
    reach.left = Math.min(reach.left, x - margin);
    reach.right = Math.max(reach.right, x + margin);
    reach.bottom = Math.min(reach.bottom, y - margin);
    reach.top = Math.max(reach.top, y + margin);
  }
  return reach;
}
