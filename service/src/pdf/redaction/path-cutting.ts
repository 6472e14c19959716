// Vector content under a box. Of a filled outline, what runs inside the box is drawn along the box's edge instead: a
// curve that is moved within a convex area winds about every point outside as before, so nothing changes there, and
// what was inside is gone. Of a stroked line the part inside is cut out.
import type { Segment, Subpath } from '../content/current-path.ts';
import { inverse, type Matrix, type Point, transformed } from '../geometry/matrix.ts';
import { formatNumber } from '../syntax/object-syntax.ts';
import { indexOf } from './quad-index.ts';
import { between, boundsOf, boxesTouch, contains, insidePart, type Quad } from './quads.ts';

const CURVE_STEPS = 24;

/** The paths that are left to fill and to stroke; undefined where no outline enters a box. */
export function withoutInside(
  subpaths: readonly Subpath[],
  quads: readonly Quad[],
): { filled: Subpath[]; stroked: Subpath[] } | undefined {
  const boxes = indexOf(quads);
  let changed = false;
  const without = (subpath: Subpath, cut: (part: Subpath, quad: Quad) => Subpath[]): Subpath[] => {
    let parts = [subpath];
    for (const quad of boxes.near(boundsOf(pointsOf(subpath)))) {
      const bounds = boundsOf(quad);
      parts = parts.flatMap((part) =>
        boxesTouch(boundsOf(pointsOf(part)), bounds) ? cut(part, quad) : [part],
      );
    }
    if (parts[0] !== subpath) changed = true;
    return parts;
  };
  const filled = subpaths.flatMap((subpath) => without(subpath, leadAround));
  const stroked = subpaths.flatMap((subpath) => without(subpath, cutOut));
  return changed ? { filled, stroked } : undefined;
}

const pointsOf = ({ start, segments }: Subpath): Point[] => [start, ...segments.flat()];

/** Straight pieces where a curve comes near the box, else the segment as it is. */
function flatten(from: Point, segment: Segment, quad: Quad): Segment[] {
  const [a, b, c] = segment;
  if (!a || !b || !c || !boxesTouch(boundsOf([from, ...segment]), boundsOf(quad))) return [segment];
  return Array.from({ length: CURVE_STEPS }, (_, step) => {
    const t = (step + 1) / CURVE_STEPS;
    const s = 1 - t;
    const at = (p: number, q: number, r: number, u: number) =>
      s * s * s * p + 3 * s * s * t * q + 3 * s * t * t * r + t * t * t * u;
    return [{ x: at(from.x, a.x, b.x, c.x), y: at(from.y, a.y, b.y, c.y) }];
  });
}

interface Piece {
  from: Point;
  segment: Segment;
}

function piecesOf({ start, segments }: Subpath, quad: Quad, close: boolean): Piece[] {
  const pieces: Piece[] = [];
  let at = start;
  for (const segment of close ? [...segments, [start]] : segments) {
    for (const part of flatten(at, segment, quad)) {
      pieces.push({ from: at, segment: part });
      at = part.at(-1) ?? at;
    }
  }
  return pieces;
}

/** Curves that are left whole stay outside: their hull does not touch the box. */
const insideOf = (quad: Quad, { from, segment }: Piece): [number, number] | undefined =>
  segment.length === 1 ? insidePart(quad, from, segment[0] as Point) : undefined;

function leadAround(subpath: Subpath, quad: Quad): Subpath[] {
  const pieces = piecesOf(subpath, quad, true);
  if (!pieces.some((piece) => insideOf(quad, piece))) return [subpath];
  const first = pieces.findIndex(({ from }) => !contains(quad, from));
  if (first === -1) return [];
  const segments: Segment[] = [];
  let entered: Point | undefined;
  for (const piece of [...pieces.slice(first), ...pieces.slice(0, first)]) {
    const inside = insideOf(quad, piece);
    if (!inside) {
      segments.push(piece.segment);
      continue;
    }
    const to = piece.segment[0] as Point;
    if (!entered) {
      entered = between(piece.from, to, inside[0]);
      segments.push([entered]);
    }
    if (inside[1] >= 1) continue;
    const left = between(piece.from, to, inside[1]);
    for (const corner of alongEdge(quad, entered, left)) segments.push([corner]);
    segments.push([left], [to]);
    entered = undefined;
  }
  return [{ start: (pieces[first] as Piece).from, segments, closed: true }];
}

/** The corners between two points on the edge, counter-clockwise. */
function alongEdge(quad: Quad, from: Point, to: Point): Point[] {
  const [first, last] = [edgeOf(quad, from), edgeOf(quad, to)];
  const corners: Point[] = [];
  for (let edge = first; edge !== last; edge = (edge + 1) % 4) corners.push(quad[(edge + 1) % 4] as Point);
  return corners;
}

function edgeOf(quad: Quad, point: Point): number {
  let [nearest, least] = [0, Infinity];
  quad.forEach((a, index) => {
    const b = quad[(index + 1) % 4] as Point;
    const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
    const distance = Math.abs((b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x)) / length;
    if (distance < least) [nearest, least] = [index, distance];
  });
  return nearest;
}

function cutOut(subpath: Subpath, quad: Quad): Subpath[] {
  const pieces = piecesOf(subpath, quad, subpath.closed);
  if (!pieces.some((piece) => insideOf(quad, piece))) {
    // A dot is a line without length.
    return subpath.segments.length === 0 && contains(quad, subpath.start) ? [] : [subpath];
  }
  const left: Subpath[] = [];
  let open: Subpath | undefined;
  const draw = (from: Point, segment: Segment): void => {
    if (!open) {
      open = { start: from, segments: [], closed: false };
      left.push(open);
    }
    open.segments.push(segment);
  };
  for (const piece of pieces) {
    const inside = insideOf(quad, piece);
    if (!inside) {
      draw(piece.from, piece.segment);
      continue;
    }
    const to = piece.segment[0] as Point;
    if (inside[0] > 0) draw(piece.from, [between(piece.from, to, inside[0])]);
    open = undefined;
    if (inside[1] < 1) draw(between(piece.from, to, inside[1]), [to]);
  }
  return left;
}

/** Operators that build the paths in the coordinates of the content; nothing where these are flat. */
export function pathText(subpaths: readonly Subpath[], ctm: Matrix): string | undefined {
  const back = inverse(ctm);
  if (!back) return undefined;
  const text = (points: readonly Point[]): string =>
    points
      .map(({ x, y }) => transformed(back, x, y))
      .map(({ x, y }) => `${formatNumber(x)} ${formatNumber(y)}`)
      .join(' ');
  return subpaths
    .map(({ start, segments, closed }) => {
      const drawn = segments.map((segment) => `${text(segment)} ${segment.length === 1 ? 'l' : 'c'}`);
      return [`${text([start])} m`, ...drawn, ...(closed ? ['h'] : [])].join(' ');
    })
    .join('\n');
}
