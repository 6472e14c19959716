// Areas by place: a page may have thousands of boxes and of things under them.
import { append, computeOnce } from '../../contract/maps.ts';
import type { Box } from '../geometry/boxes.ts';
import { boundsOf, boxesTouch, type Quad } from './quads.ts';

interface Entry {
  quad: Quad;
  bounds: Box;
  order: number;
}

/** At most so many rows and columns of cells. */
const MOST_CELLS = 100;

export class QuadIndex {
  private readonly entries: Entry[];
  private readonly whole: Box;
  private readonly side: number;
  private readonly cells = new Map<number, Entry[]>();
  /** Those in so many cells that to look at each of them costs less. */
  private readonly large: Entry[] = [];

  constructor(quads: readonly Quad[]) {
    this.entries = quads.map((quad, order) => ({ quad, bounds: boundsOf(quad), order }));
    this.whole = boundsOf(quads.flat());
    this.side = Math.min(MOST_CELLS, Math.ceil(Math.sqrt(quads.length)));
    for (const entry of this.entries) this.put(entry);
  }

  /** All whose bounds touch the box, in their order. */
  near(box: Box): Quad[] {
    const cells = this.cellsOf(box);
    const found = new Set<Entry>();
    const look = (entries: readonly Entry[]): void => {
      for (const entry of entries) if (boxesTouch(entry.bounds, box)) found.add(entry);
    };
    if (cells.length >= this.entries.length) look(this.entries);
    else {
      look(this.large);
      for (const cell of cells) look(this.cells.get(cell) ?? []);
    }
    return [...found].sort((a, b) => a.order - b.order).map(({ quad }) => quad);
  }

  private put(entry: Entry): void {
    const cells = this.cellsOf(entry.bounds);
    if (cells.length > this.side * 4) {
      this.large.push(entry);
      return;
    }
    for (const cell of cells) {
      append(this.cells, cell, entry);
    }
  }

  private cellsOf({ left, bottom, right, top }: Box): number[] {
    const [fromX, toX] = this.span(left, right, this.whole.left, this.whole.right);
    const [fromY, toY] = this.span(bottom, top, this.whole.bottom, this.whole.top);
    const cells: number[] = [];
    for (let y = fromY; y <= toY; y += 1)
      for (let x = fromX; x <= toX; x += 1) cells.push(y * MOST_CELLS + x);
    return cells;
  }

  /** The first and last row or column that a stretch is in. */
  private span(from: number, to: number, least: number, most: number): [number, number] {
    const cellOf = (at: number): number => {
      const place = Math.floor(((at - least) / (most - least || 1)) * this.side);
      return Math.min(this.side - 1, Math.max(0, Number.isNaN(place) ? 0 : place));
    };
    return [cellOf(from), cellOf(to)];
  }
}

const known = new WeakMap<readonly Quad[], QuadIndex>();

/** The index of a list that does not change, made once. */
export function indexOf(quads: readonly Quad[]): QuadIndex {
  return computeOnce(known, quads, () => new QuadIndex(quads));
}
