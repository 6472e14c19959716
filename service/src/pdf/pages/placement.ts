// Where a stamp stands on a page (operations 1.5): nine positions, margins, turned about its centre.
import type { Size } from '../../contract/raster.ts';
import { type Matrix, product, scaling } from '../geometry/matrix.ts';

/** "distance from the edge as a fraction of (page width + height) / 2" */
const MARGINS = { small: 0.02, medium: 0.035, large: 0.05, 'x-large': 0.075 } as const;
export type Margin = keyof typeof MARGINS;
export const MARGIN_NAMES = Object.keys(MARGINS) as [Margin, ...Margin[]];

/** The lower-left corner of a thing at a position: "1 top-left, 2 top-centre, 3 top-right, ... 9 bottom-right". */
export function cornerAt(
  position: number,
  thing: Size,
  page: Size,
  margin: Margin,
): { x: number; y: number } {
  const gap = (MARGINS[margin] * (page.width + page.height)) / 2;
  const column = (position - 1) % 3;
  const row = Math.floor((position - 1) / 3);
  return {
    x: [gap, (page.width - thing.width) / 2, page.width - gap - thing.width][column] ?? gap,
    y: [page.height - gap - thing.height, (page.height - thing.height) / 2, gap][row] ?? gap,
  };
}

/** Lines of a text that stands at a position are flush with the edge it stands at. */
export const alignmentAt = (position: number): 'left' | 'center' | 'right' =>
  (['left', 'center', 'right'] as const)[(position - 1) % 3] ?? 'left';

/** Puts a thing with its lower-left corner at a point, then turns it counter-clockwise about its own centre. */
export function rotatedPlacement(x: number, y: number, { width, height }: Size, degrees: number): Matrix {
  const [cos, sin] = directionOf(degrees);
  const centre = { x: x + width / 2, y: y + height / 2 };
  return [
    cos,
    sin,
    -sin,
    cos,
    centre.x - (cos * width) / 2 + (sin * height) / 2,
    centre.y - (sin * width) / 2 - (cos * height) / 2,
  ];
}

/** The same for a thing that is drawn in another size than its own. */
export const rotatedAndSizedPlacement = (
  x: number,
  y: number,
  drawn: Size,
  degrees: number,
  own: Size,
): Matrix =>
  product(
    scaling(drawn.width / own.width, drawn.height / own.height),
    rotatedPlacement(x, y, drawn, degrees),
  );

/** The size in which a thing is drawn: "one alone keeps the aspect". */
export function sizeGiven(own: Size, width: number | undefined, height: number | undefined): Size {
  if (width === undefined && height === undefined) return own;
  return {
    width: width ?? ((height ?? own.height) * own.width) / own.height,
    height: height ?? ((width ?? own.width) * own.height) / own.width,
  };
}

/** The upright box that a turned thing takes. */
export function turnedSize({ width, height }: Size, degrees: number): Size {
  const [cos, sin] = directionOf(degrees).map(Math.abs) as [number, number];
  return { width: width * cos + height * sin, height: width * sin + height * cos };
}

/** Quarter turns are exact. */
function directionOf(degrees: number): [number, number] {
  const quarter = (((degrees % 360) + 360) % 360) / 90;
  if (Number.isInteger(quarter)) return [[1, 0, -1, 0][quarter] ?? 1, [0, 1, 0, -1][quarter] ?? 0];
  const radians = (degrees * Math.PI) / 180;
  return [Math.cos(radians), Math.sin(radians)];
}
