// What a drawn path looks like: straight lines along an axis, upright rectangles, or something else.

import type { Fill, ItemBox, Rule } from '../../../contract/page-items.ts';
import { type Matrix, product } from '../../../pdf/geometry/matrix.ts';
import type { Library, Pointer } from '../library.ts';
import { PATH, POINT_WORDS, pathPoints, type Words, wordsOf } from './pdfium-memory.ts';

export interface Painted {
  /** The colour, where it can be seen. */
  fill(): string | undefined;
  stroke(): string | undefined;
  strokeWidth(): number;
  /** What its clips leave to be seen, as displayed; undefined where there are none. */
  clip(): ItemBox | undefined;
}

export interface Tracing {
  rule(rule: Rule): void;
  fill(fill: Fill): void;
  curve(box: ItemBox): void;
}

/** What is thinner is a line, however it was drawn. */
const THIN = 2.5;
/** A line is several times as long as it is thick. */
const LONG = 3;
/** How far a line may leave its axis and still run along it. */
const STRAIGHT = 0.3;
const MAX_POINTS = 20_000;

/** Kinds of points: CFX_Path::Point::Type. */
const BEZIER = 1;
const MOVE = 2;

interface Subpath {
  xs: number[];
  ys: number[];
  closed: boolean;
  curved: boolean;
}

export function tracePath(
  library: Library,
  object: Pointer,
  matrix: Matrix,
  painted: Painted,
  tracing: Tracing,
): void {
  const words = wordsOf(library);
  const at = object >> 2;
  const paint = words.u[at + PATH.paint] ?? 0;
  const [stroked, filled] = [(paint & 0xff) !== 0, (paint & 0xff00) !== 0];
  if (!stroked && !filled) return;
  const points = pathPoints(library, words, object);
  if (!points || points.count === 0) return;
  const own = Array.from(words.f.subarray(at + PATH.matrix, at + PATH.matrix + 6)) as unknown as Matrix;
  const toDisplay = product(own, matrix);
  const subpaths = readSubpaths(words, points.at, Math.min(points.count, MAX_POINTS), toDisplay);
  const fill = filled ? painted.fill() : undefined;
  const stroke = stroked ? painted.stroke() : undefined;
  if (fill === undefined && stroke === undefined) return;
  const scale = Math.sqrt(Math.abs(toDisplay[0] * toDisplay[3] - toDisplay[1] * toDisplay[2]));
  const thickness = stroke === undefined ? 0 : painted.strokeWidth() * scale;
  for (const subpath of subpaths) traceSubpath(subpath, { fill, stroke, thickness }, painted, tracing);
}

function readSubpaths(words: Words, at: number, count: number, matrix: Matrix): Subpath[] {
  const [a, b, c, d, e, f] = matrix;
  const subpaths: Subpath[] = [];
  let current: Subpath | undefined;
  for (let i = 0; i < count; i += 1) {
    const point = at + i * POINT_WORDS;
    const [px, py] = [words.f[point] ?? 0, words.f[point + 1] ?? 0];
    const flags = words.u[point + 2] ?? 0;
    const [x, y] = [a * px + c * py + e, b * px + d * py + f];
    const kind = flags & 0xff;
    if (kind === MOVE || !current) {
      current = { xs: [], ys: [], closed: false, curved: false };
      subpaths.push(current);
    }
    current.xs.push(x);
    current.ys.push(y);
    if (kind === BEZIER) current.curved = true;
    if (flags & 0xff00) current.closed = true;
  }
  return subpaths.filter(
    ({ xs, ys }) => xs.length > 1 && xs.every(Number.isFinite) && ys.every(Number.isFinite),
  );
}

interface Look {
  fill: string | undefined;
  stroke: string | undefined;
  thickness: number;
}

function traceSubpath(
  subpath: Subpath,
  { fill, stroke, thickness }: Look,
  painted: Painted,
  tracing: Tracing,
): void {
  const box = around(subpath);
  if (fill !== undefined) {
    if (isRectangle(subpath, box)) {
      // Some programs fill the whole page in the colour of a cell, clipped to the cell.
      const seen = common(box, painted.clip());
      const rule = seen && asRule(seen, fill);
      if (rule) tracing.rule(rule);
      else if (seen) tracing.fill({ box: seen, color: fill });
    } else if (stroke === undefined) tracing.curve(box);
  }
  if (stroke === undefined) return;
  if (subpath.curved || !strokeLines(subpath, stroke, thickness, tracing)) tracing.curve(box);
}

/** Whether every line runs along an axis; those that do are told. */
function strokeLines(
  { xs, ys, closed }: Subpath,
  color: string,
  thickness: number,
  tracing: Tracing,
): boolean {
  let straight = true;
  const count = xs.length;
  for (let i = 0; i < (closed ? count : count - 1); i += 1) {
    const [x1 = 0, y1 = 0] = [xs[i], ys[i]];
    const [x2 = 0, y2 = 0] = [xs[(i + 1) % count], ys[(i + 1) % count]];
    const [dx, dy] = [Math.abs(x2 - x1), Math.abs(y2 - y1)];
    if (dx < 0.01 && dy < 0.01) continue;
    if (dy <= STRAIGHT && dx > dy) {
      const [from, to] = [Math.min(x1, x2), Math.max(x1, x2)];
      line({ axis: 'horizontal', at: (y1 + y2) / 2, from, to, thickness, color }, tracing);
    } else if (dx <= STRAIGHT && dy > dx) {
      const [from, to] = [Math.min(y1, y2), Math.max(y1, y2)];
      line({ axis: 'vertical', at: (x1 + x2) / 2, from, to, thickness, color }, tracing);
    } else straight = false;
  }
  return straight;
}

function line(rule: Rule, tracing: Tracing): void {
  const { axis, at, from, to, thickness, color } = rule;
  if (thickness <= THIN * 2) {
    tracing.rule(rule);
    return;
  }
  // A thick short line is an area: bars of charts and shaded rows are drawn so.
  const [long, across] = [to - from, thickness];
  const box =
    axis === 'horizontal'
      ? { x: from, y: at - across / 2, width: long, height: across }
      : { x: at - across / 2, y: from, width: across, height: long };
  tracing.fill({ box, color });
}

/** An area so thin that it is seen as a line. */
export function asRule({ x, y, width, height }: ItemBox, color: string): Rule | undefined {
  if (height <= THIN && width >= height * LONG)
    return { axis: 'horizontal', at: y + height / 2, from: x, to: x + width, thickness: height, color };
  if (width <= THIN && height >= width * LONG)
    return { axis: 'vertical', at: x + width / 2, from: y, to: y + height, thickness: width, color };
  return undefined;
}

function common(box: ItemBox, clip: ItemBox | undefined): ItemBox | undefined {
  if (!clip) return box;
  const [x, y] = [Math.max(box.x, clip.x), Math.max(box.y, clip.y)];
  const width = Math.min(box.x + box.width, clip.x + clip.width) - x;
  const height = Math.min(box.y + box.height, clip.y + clip.height) - y;
  return width > 0 && height > 0 ? { x, y, width, height } : undefined;
}

function around({ xs, ys }: Subpath): ItemBox {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const x of xs) {
    if (x < left) left = x;
    if (x > right) right = x;
  }
  for (const y of ys) {
    if (y < top) top = y;
    if (y > bottom) bottom = y;
  }
  return { x: left, y: top, width: right - left, height: bottom - top };
}

/** Four corners, each on two sides of the box. */
function isRectangle({ xs, ys, curved }: Subpath, { x, y, width, height }: ItemBox): boolean {
  if (curved || xs.length < 4 || xs.length > 6) return false;
  return xs.every((px, i) => {
    const py = ys[i] ?? 0;
    const onSide = Math.min(px - x, x + width - px) <= STRAIGHT;
    return onSide && Math.min(py - y, y + height - py) <= STRAIGHT;
  });
}
