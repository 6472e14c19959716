// The current path, from its first operator to the one that paints it (ISO 32000-1, 8.5), in the page's coordinates.

import type { Box } from '../geometry/boxes.ts';
import { type Matrix, type Point, transformed } from '../geometry/matrix.ts';

/** A line (one point) or a curve (three), after the point before it. */
export type Segment = readonly Point[];

export interface Subpath {
  start: Point;
  segments: Segment[];
  closed: boolean;
}

export class CurrentPath {
  /** Where its first operation stands in the bytes; -1 while there is none. */
  start = -1;
  /** No other operation stands among its own. */
  isWhole = true;
  /** W or W* where it becomes a clip. */
  clipping = '';
  /** Around all its points. */
  bounds: Box | undefined;
  readonly subpaths: Subpath[] = [];

  /** Operands are those the operator takes. */
  extend(operator: string, numbers: readonly number[], ctm: Matrix): void {
    if (operator === 're') {
      const [x = 0, y = 0, width = 0, height = 0] = numbers;
      this.reachTo(ctm, x, y);
      this.reachTo(ctm, x + width, y);
      this.reachTo(ctm, x, y + height);
      this.reachTo(ctm, x + width, y + height);
    } else
      for (let at = 0; at + 1 < numbers.length; at += 2)
        this.reachTo(ctm, numbers[at] as number, numbers[at + 1] as number);
  }

  /** Keeps its points as well. */
  addSegment(operator: string, numbers: readonly number[], ctm: Matrix): void {
    const last = this.subpaths.at(-1);
    if (operator === 're') {
      this.addRectangle(numbers, ctm);
      return;
    }
    if (operator === 'h') {
      if (last) last.closed = true;
      return;
    }
    const points: Point[] = [];
    for (let at = 0; at + 1 < numbers.length; at += 2)
      points.push(transformed(ctm, numbers[at] as number, numbers[at + 1] as number));
    const [a, b] = points;
    if (!a) return;
    if (operator === 'm') {
      this.subpaths.push({ start: a, segments: [], closed: false });
      return;
    }
    const open = this.openSubpath(a);
    const from = open.segments.at(-1)?.at(-1) ?? open.start;
    if (operator === 'v' && b) open.segments.push([from, a, b]);
    else if (operator === 'y' && b) open.segments.push([a, b, b]);
    else open.segments.push(points);
  }

  /** A line that no `m` has begun begins where it ends, as readers take it. */
  private openSubpath(point: Point): Subpath {
    const last = this.subpaths.at(-1);
    if (last && !last.closed) return last;
    const made = { start: last?.start ?? point, segments: [], closed: false };
    this.subpaths.push(made);
    return made;
  }

  private addRectangle([x = 0, y = 0, width = 0, height = 0]: readonly number[], ctm: Matrix): void {
    const corner = (px: number, py: number) => transformed(ctm, px, py);
    this.subpaths.push({
      start: corner(x, y),
      segments: [[corner(x + width, y)], [corner(x + width, y + height)], [corner(x, y + height)]],
      closed: true,
    });
  }

  private reachTo([a, b, c, d, e, f]: Matrix, px: number, py: number): void {
    const x = a * px + c * py + e;
    const y = b * px + d * py + f;
    const { bounds } = this;
    if (!bounds) {
      this.bounds = { left: x, bottom: y, right: x, top: y };
      return;
    }
    bounds.left = Math.min(bounds.left, x);
    bounds.bottom = Math.min(bounds.bottom, y);
    bounds.right = Math.max(bounds.right, x);
    bounds.top = Math.max(bounds.top, y);
  }
}
