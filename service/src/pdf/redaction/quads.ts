// Four-cornered areas on a page, turned as the text they cover. Always convex, corners counter-clockwise.

import type { Box } from '../geometry/boxes.ts';
import { type Matrix, type Point, transformed } from '../geometry/matrix.ts';

export type Quad = readonly [Point, Point, Point, Point];

export function quadOf({ left, bottom, right, top }: Box): Quad {
  return [
    { x: left, y: bottom },
    { x: right, y: bottom },
    { x: right, y: top },
    { x: left, y: top },
  ];
}

/** A box as it stands after a transform. */
export function quadThrough(matrix: Matrix, box: Box): Quad {
  const [a, b, c, d] = quadOf(box).map(({ x, y }) => transformed(matrix, x, y)) as unknown as Quad;
  return isClockwise([a, b, c, d]) ? [d, c, b, a] : [a, b, c, d];
}

const isClockwise = (quad: Quad): boolean => signedArea(quad) < 0;

function signedArea(points: readonly Point[]): number {
  let sum = 0;
  points.forEach((p, index) => {
    const q = points[(index + 1) % points.length] as Point;
    sum += p.x * q.y - q.x * p.y;
  });
  return sum / 2;
}

export const areaOf = (points: readonly Point[]): number => Math.abs(signedArea(points));

export function boundsOf(points: readonly Point[]): Box {
  const box = { left: Infinity, bottom: Infinity, right: -Infinity, top: -Infinity };
  for (const { x, y } of points) {
    box.left = Math.min(box.left, x);
    box.bottom = Math.min(box.bottom, y);
    box.right = Math.max(box.right, x);
    box.top = Math.max(box.top, y);
  }
  return box;
}

export const centreOf = (quad: Quad): Point => ({
  x: (quad[0].x + quad[1].x + quad[2].x + quad[3].x) / 4,
  y: (quad[0].y + quad[1].y + quad[2].y + quad[3].y) / 4,
});

/** Above 0 on the inner side of the edge from `a` to `b`. */
const side = (a: Point, b: Point, p: Point): number => (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);

const edges = (quad: Quad): [Point, Point][] =>
  quad.map((corner, index) => [corner, quad[(index + 1) % 4] as Point]);

export const contains = (quad: Quad, point: Point): boolean =>
  edges(quad).every(([a, b]) => side(a, b, point) >= 0);

export const boxesTouch = (a: Box, b: Box): boolean =>
  a.left <= b.right && b.left <= a.right && a.bottom <= b.top && b.bottom <= a.top;

export const quadContains = (quad: Quad, points: readonly Point[]): boolean =>
  points.every((point) => contains(quad, point));

/** The part of a segment inside the quad, as shares of its length; nothing where it stays outside. */
export function insidePart(quad: Quad, p: Point, q: Point): [number, number] | undefined {
  let [from, to] = [0, 1];
  for (const [a, b] of edges(quad)) {
    const [atP, atQ] = [side(a, b, p), side(a, b, q)];
    if (atP < 0 && atQ < 0) return undefined;
    if (atP >= 0 && atQ >= 0) continue;
    const crossing = atP / (atP - atQ);
    if (atP < 0) from = Math.max(from, crossing);
    else to = Math.min(to, crossing);
    if (from > to) return undefined;
  }
  return [from, to];
}

/** The part of a convex polygon that lies inside the quad. */
export function commonPart(polygon: readonly Point[], quad: Quad): Point[] {
  let left = [...polygon];
  for (const [a, b] of edges(quad)) {
    const kept: Point[] = [];
    left.forEach((p, index) => {
      const q = left[(index + 1) % left.length] as Point;
      const [atP, atQ] = [side(a, b, p), side(a, b, q)];
      if (atP >= 0) kept.push(p);
      if (atP < 0 !== atQ < 0) kept.push(between(p, q, atP / (atP - atQ)));
    });
    left = kept;
    if (left.length === 0) return left;
  }
  return left;
}

export const between = (p: Point, q: Point, share: number): Point => ({
  x: p.x + (q.x - p.x) * share,
  y: p.y + (q.y - p.y) * share,
});

/** How much of `inner` the quad covers, 0 to 1. What has no area counts by its centre. */
export function coverage(inner: Quad, quad: Quad): number {
  if (!boxesTouch(boundsOf(inner), boundsOf(quad))) return 0;
  const whole = areaOf(inner);
  if (whole < 1e-9) return contains(quad, centreOf(inner)) ? 1 : 0;
  return areaOf(commonPart(inner, quad)) / whole;
}

/** Wider on every side. */
export function padQuad(quad: Quad, by: number): Quad {
  if (by <= 0) return quad;
  const along = unit(quad[0], quad[1], { x: 1, y: 0 });
  const across = { x: -along.y, y: along.x };
  const move = (p: Point, a: number, c: number): Point => ({
    x: p.x + (along.x * a + across.x * c) * by,
    y: p.y + (along.y * a + across.y * c) * by,
  });
  return [move(quad[0], -1, -1), move(quad[1], 1, -1), move(quad[2], 1, 1), move(quad[3], -1, 1)];
}

function unit(p: Point, q: Point, fallback: Point): Point {
  const length = Math.hypot(q.x - p.x, q.y - p.y);
  return length > 1e-9 ? { x: (q.x - p.x) / length, y: (q.y - p.y) / length } : fallback;
}

/** The smallest quad in the direction `along` around points. */
export function quadAround(points: readonly Point[], along: Point): Quad {
  const turned = points.map(({ x, y }) => ({ x: x * along.x + y * along.y, y: y * along.x - x * along.y }));
  const back = ({ x, y }: Point): Point => ({ x: x * along.x - y * along.y, y: x * along.y + y * along.x });
  return quadOf(boundsOf(turned)).map(back) as unknown as Quad;
}
