// What lies on the background of a scan, in pieces that hang together. Looked at in cells of some pixels a side.

import type { Background } from './photo-finding-background.ts';
import type { PhotoRules, Scan } from './photo-finding-scan.ts';

export interface Piece {
  /** Corners of its outermost cells as x, y, x, y ... in pixels of the scan. */
  points: Float64Array;
  /** In pixels. */
  area: number;
}

export interface Pieces {
  pieces: Piece[];
  /** Pixels that each piece was thinned by on every side. */
  reach: number;
  /** Pixels that a side of a piece may be off by. */
  slack: number;
}

/** Cells along the longer side, at most. */
const MOST_CELLS = 1400;
/** Cells that pieces are thinned by: hairs and dust that lie across the gap between two photos go away. */
const THINNING = 2;
/** The smallest photo is so many cells wide, or it is thinned less. */
const CELLS_PER_THINNING = 5;
/** Pixels read at a time. */
const BAND_PIXELS = 2_000_000;

interface Cells {
  columns: number;
  rows: number;
  /** Pixels of a cell, each way. */
  size: number;
  /** Cells of background added on each side. */
  border: number;
  /** Not 0 where something lies. */
  marks: Uint8Array;
}

export function piecesOf(scan: Scan, background: Background, rules: PhotoRules): Pieces {
  const cells = marked(scan, background, rules);
  fillHoles(cells);
  const smallest = Math.sqrt(rules.minArea) / cells.size;
  const thinning = Math.min(THINNING, Math.floor(smallest / CELLS_PER_THINNING));
  const least = Math.min(rules.minArea, rules.minContourArea) / 4;
  thin(cells, thinning);
  return { pieces: gathered(cells, least), reach: thinning * cells.size, slack: 4 + 3 * cells.size };
}

/** A cell is marked where most of its pixels are off the background: grain is outvoted, gaps of few pixels stay open. */
function marked(scan: Scan, background: Background, { tolerance, borderSize }: PhotoRules): Cells {
  const size = Math.max(1, Math.ceil(Math.max(scan.width, scan.height) / MOST_CELLS));
  // One cell at least lies around everything, so that none need ask where the scan ends.
  const border = Math.max(1, Math.ceil(borderSize / size));
  const across = Math.ceil(scan.width / size);
  const down = Math.ceil(scan.height / size);
  const columns = across + 2 * border;
  const rows = down + 2 * border;
  const marks = new Uint8Array(columns * rows);
  const bandCells = Math.max(1, Math.floor(BAND_PIXELS / (scan.width * size)));
  const colour = new Float64Array(3);
  for (let first = 0; first < down; first += bandCells) {
    const top = first * size;
    const height = Math.min(bandCells * size, scan.height - top);
    const band = scan.read({ left: 0, top, width: scan.width, height });
    for (let row = first; row * size < top + height; row += 1) {
      for (let column = 0; column < across; column += 1) {
        background.at((column + 0.5) * size, (row + 0.5) * size, colour);
        const cell = {
          left: column * size,
          top: row * size - top,
          right: Math.min((column + 1) * size, scan.width),
          bottom: Math.min((row + 1) * size - top, height),
        };
        if (isMostlyOff(band, scan.width, cell, colour, tolerance))
          marks[(row + border) * columns + column + border] = 1;
      }
    }
  }
  return { columns, rows, size, border, marks };
}

function isMostlyOff(
  band: Uint8Array,
  width: number,
  { left, top, right, bottom }: { left: number; top: number; right: number; bottom: number },
  colour: Float64Array,
  tolerance: number,
): boolean {
  // Colours of the lid are no whole numbers.
  const most = tolerance + 0.5;
  const red = colour[0] as number;
  const green = colour[1] as number;
  const blue = colour[2] as number;
  let off = 0;
  for (let y = top; y < bottom; y += 1) {
    for (let at = (y * width + left) * 3, end = at + (right - left) * 3; at < end; at += 3) {
      if (
        Math.abs((band[at] as number) - red) > most ||
        Math.abs((band[at + 1] as number) - green) > most ||
        Math.abs((band[at + 2] as number) - blue) > most
      )
        off += 1;
    }
  }
  return 2 * off > (right - left) * (bottom - top);
}

const OUTSIDE = 2;

/** Parts of a photo that have the background's colour belong to it where it goes all around them. */
function fillHoles({ columns, rows, marks }: Cells): void {
  const waiting = new Int32Array(columns * rows);
  let count = 1;
  marks[0] = OUTSIDE;
  const visit = (cell: number): void => {
    if (marks[cell] !== 0) return;
    marks[cell] = OUTSIDE;
    waiting[count] = cell;
    count += 1;
  };
  for (let next = 0; next < count; next += 1) {
    const cell = waiting[next] as number;
    const column = cell % columns;
    if (column > 0) visit(cell - 1);
    if (column + 1 < columns) visit(cell + 1);
    if (cell >= columns) visit(cell - columns);
    if (cell + columns < marks.length) visit(cell + columns);
  }
  for (let cell = 0; cell < marks.length; cell += 1) marks[cell] = marks[cell] === OUTSIDE ? 0 : 1;
}

/** Only cells stay that have marked cells all around them, so many each way. */
function thin({ columns, rows, marks }: Cells, by: number): void {
  if (by === 0) return;
  for (let row = 0; row < rows; row += 1) thinLine(marks, row * columns, 1, columns, by);
  for (let column = 0; column < columns; column += 1) thinLine(marks, column, columns, rows, by);
}

function thinLine(marks: Uint8Array, from: number, step: number, length: number, by: number): void {
  // Runs lose their ends.
  let start = -1;
  for (let index = 0; index <= length; index += 1) {
    const isMarked = index < length && marks[from + index * step] === 1;
    if (isMarked && start < 0) start = index;
    if (isMarked || start < 0) continue;
    for (let end = 0; end < by; end += 1) {
      marks[from + Math.min(start + end, index - 1) * step] = 0;
      marks[from + Math.max(index - 1 - end, start) * step] = 0;
    }
    start = -1;
  }
}

/** Cells that touch make a piece. */
function gathered(cells: Cells, least: number): Piece[] {
  const { columns, marks, size } = cells;
  const waiting = new Int32Array(marks.length);
  const pieces: Piece[] = [];
  for (let seed = 0; seed < marks.length; seed += 1) {
    if (marks[seed] !== 1) continue;
    let count = 1;
    waiting[0] = seed;
    marks[seed] = OUTSIDE;
    const visit = (cell: number): void => {
      if (marks[cell] !== 1) return;
      marks[cell] = OUTSIDE;
      waiting[count] = cell;
      count += 1;
    };
    for (let next = 0; next < count; next += 1) {
      const cell = waiting[next] as number;
      visit(cell - 1);
      visit(cell + 1);
      visit(cell - columns);
      visit(cell + columns);
    }
    const area = count * size * size;
    if (area >= least) pieces.push({ points: outermost(cells, waiting.subarray(0, count)), area });
  }
  return pieces;
}

/** The ends of each row of a piece. */
function outermost({ columns, size, border }: Cells, piece: Int32Array): Float64Array {
  const ends = new Map<number, [number, number]>();
  for (const cell of piece) {
    const row = Math.floor(cell / columns);
    const column = cell % columns;
    const known = ends.get(row);
    if (!known) ends.set(row, [column, column]);
    else if (column < known[0]) known[0] = column;
    else if (column > known[1]) known[1] = column;
  }
  const pixel = (cell: number): number => (cell - border) * size;
  const points: number[] = [];
  for (const [row, [first, last]] of ends) {
    for (const y of [row, row + 1]) points.push(pixel(first), pixel(y), pixel(last + 1), pixel(y));
  }
  return Float64Array.from(points);
}
