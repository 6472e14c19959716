// Rectangles that may be turned, and the least of them around points.

/** In a plane whose y goes down; `degrees` is how far it is turned clockwise, above -45 up to 45. */
export interface Rectangle {
  /** The middle. */
  x: number;
  y: number;
  width: number;
  height: number;
  degrees: number;
}

export type Point = readonly [x: number, y: number];

export const areaOf = ({ width, height }: Rectangle): number => width * height;

/** The directions in which width and height go. */
export function axesOf({ degrees }: Pick<Rectangle, 'degrees'>): { across: Point; down: Point } {
  const cos = Math.cos((degrees * Math.PI) / 180);
  const sin = Math.sin((degrees * Math.PI) / 180);
  return { across: [cos, sin], down: [-sin, cos] };
}

/** From the top left, clockwise. */
export function cornersOf(rectangle: Rectangle): [Point, Point, Point, Point] {
  const { across, down } = axesOf(rectangle);
  const corner = (u: number, v: number): Point => [
    rectangle.x + u * rectangle.width * across[0] + v * rectangle.height * down[0],
    rectangle.y + u * rectangle.width * across[1] + v * rectangle.height * down[1],
  ];
  return [corner(-0.5, -0.5), corner(0.5, -0.5), corner(0.5, 0.5), corner(-0.5, 0.5)];
}

export function holds(rectangle: Rectangle, x: number, y: number): boolean {
  const { across, down } = axesOf(rectangle);
  const dx = x - rectangle.x;
  const dy = y - rectangle.y;
  return (
    Math.abs(dx * across[0] + dy * across[1]) <= rectangle.width / 2 &&
    Math.abs(dx * down[0] + dy * down[1]) <= rectangle.height / 2
  );
}

export const contains = (outer: Rectangle, inner: Rectangle): boolean =>
  cornersOf(inner).every(([x, y]) => holds(outer, x, y));

/** The convex hull of points given as x, y, x, y ... (monotone chain), going one way round. */
export function hullOf(points: Float64Array): Float64Array {
  const order = Array.from({ length: points.length / 2 }, (_, index) => index);
  const x = (index: number): number => points[2 * index] as number;
  const y = (index: number): number => points[2 * index + 1] as number;
  order.sort((a, b) => x(a) - x(b) || y(a) - y(b));
  const turns = (a: number, b: number, c: number): number =>
    (x(b) - x(a)) * (y(c) - y(a)) - (y(b) - y(a)) * (x(c) - x(a));
  const chain = (indices: readonly number[]): number[] => {
    const kept: number[] = [];
    for (const index of indices) {
      while (kept.length >= 2 && turns(kept.at(-2) as number, kept.at(-1) as number, index) <= 0) kept.pop();
      kept.push(index);
    }
    kept.pop();
    return kept;
  };
  const hull = [...chain(order), ...chain(order.reverse())];
  return Float64Array.from(hull.flatMap((index) => [x(index), y(index)]));
}

/** The rectangle of least area around points: one of its sides lies along a side of their hull. */
export function leastRectangle(points: Float64Array): Rectangle {
  const hull = hullOf(points);
  let best: Rectangle = { x: hull[0] ?? 0, y: hull[1] ?? 0, width: 0, height: 0, degrees: 0 };
  let least = Number.POSITIVE_INFINITY;
  for (let at = 0; at < hull.length; at += 2) {
    const next = (at + 2) % hull.length;
    const dx = (hull[next] as number) - (hull[at] as number);
    const dy = (hull[next + 1] as number) - (hull[at + 1] as number);
    if (dx === 0 && dy === 0) continue;
    const rectangle = boundsAlong(hull, quarterTurned((Math.atan2(dy, dx) * 180) / Math.PI));
    if (areaOf(rectangle) >= least) continue;
    least = areaOf(rectangle);
    best = rectangle;
  }
  return best;
}

/** The same direction of sides, above -45 up to 45 degrees. */
export function quarterTurned(degrees: number): number {
  const within = degrees - 90 * Math.round(degrees / 90);
  return within <= -45 ? within + 90 : within;
}

function boundsAlong(points: Float64Array, degrees: number): Rectangle {
  const { across, down } = axesOf({ degrees });
  let [minU, maxU, minV, maxV] = [Infinity, -Infinity, Infinity, -Infinity];
  for (let at = 0; at < points.length; at += 2) {
    const x = points[at] as number;
    const y = points[at + 1] as number;
    const u = x * across[0] + y * across[1];
    const v = x * down[0] + y * down[1];
    minU = Math.min(minU, u);
    maxU = Math.max(maxU, u);
    minV = Math.min(minV, v);
    maxV = Math.max(maxV, v);
  }
  return fromBounds(degrees, { minU, maxU, minV, maxV });
}

/** The rectangle between two lines across and two lines down, each given by its distance from the origin. */
export function fromBounds(
  degrees: number,
  { minU, maxU, minV, maxV }: { minU: number; maxU: number; minV: number; maxV: number },
): Rectangle {
  const { across, down } = axesOf({ degrees });
  const u = (minU + maxU) / 2;
  const v = (minV + maxV) / 2;
  return {
    x: u * across[0] + v * down[0],
    y: u * across[1] + v * down[1],
    width: Math.max(0, maxU - minU),
    height: Math.max(0, maxV - minV),
    degrees,
  };
}

/** The area that both cover: the corners of one, cut along each side of the other. */
export function overlap(one: Rectangle, other: Rectangle): number {
  const { across, down } = axesOf(other);
  let shape: readonly Point[] = cornersOf(one);
  for (const [[nx, ny], half] of [
    [across, other.width / 2],
    [[-across[0], -across[1]], other.width / 2],
    [down, other.height / 2],
    [[-down[0], -down[1]], other.height / 2],
  ] as const) {
    shape = cutAt(shape, ([x, y]) => half - (x - other.x) * nx - (y - other.y) * ny);
  }
  return polygonArea(shape);
}

/** What of a convex shape lies where `inside` is not negative. */
function cutAt(shape: readonly Point[], inside: (point: Point) => number): Point[] {
  return shape.flatMap((point, index) => {
    const next = shape[(index + 1) % shape.length] ?? point;
    const here = inside(point);
    const there = inside(next);
    const kept: Point[] = here >= 0 ? [point] : [];
    if (here >= 0 !== there >= 0) {
      const part = here / (here - there);
      kept.push([point[0] + part * (next[0] - point[0]), point[1] + part * (next[1] - point[1])]);
    }
    return kept;
  });
}

const polygonArea = (shape: readonly Point[]): number => hullArea(Float64Array.from(shape.flat()));

/** Of a shape given as x, y, x, y ... */
export function hullArea(hull: Float64Array): number {
  let twice = 0;
  for (let at = 0; at < hull.length; at += 2) {
    const next = (at + 2) % hull.length;
    twice +=
      (hull[at] as number) * (hull[next + 1] as number) - (hull[next] as number) * (hull[at + 1] as number);
  }
  return Math.abs(twice) / 2;
}
