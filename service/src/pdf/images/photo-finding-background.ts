// The colour of a scanner's lid, which shades off towards the edges where the lamp reaches less.
import type { Scan } from './photo-finding-scan.ts';

export interface Background {
  /** Part of the scan's rim that has this colour, 0 to 1; 0 where no colour goes around the scan. */
  share: number;
  /** Red, green and blue at a place of the scan, put into `into`. */
  at(x: number, y: number, into: Float64Array): void;
}

/** Places looked at along each side. */
const GRID = 160;
/** Pixels of a place, each way: grain is evened out. */
const PATCH = 4;
/** How many rows of places count as the rim. Scanners leave a dark or bright line at the very edge. */
const RIM = 3;
/** Colours that are tried. */
const SEEDS = 128;
const ROUNDS = 5;
/** Terms of the surface: 1, x, y, xx, xy, yy. */
const TERMS = 6;
/** Holds the surface flat where little of the lid is seen. */
const STIFFNESS = 0.002;
/** The lid strays no further than this from its colour. */
const MOST_SHADING = 48;
/** A colour that less of the rim has is none of a lid. */
const LEAST_SHARE = 0.05;

interface Places {
  count: number;
  /** From -1 to 1 across the scan. */
  x: Float64Array;
  y: Float64Array;
  /** Three for each place. */
  colours: Float64Array;
  rim: number[];
}

export function backgroundOf(scan: Scan, tolerance: number): Background {
  const places = lookAt(scan);
  const spread = Math.min(Math.max(tolerance, 8), 30);
  const colour = commonColour(places, spread);
  const surfaces = fitSurfaces(places, colour, spread);
  const value = (channel: number, x: number, y: number): number => {
    const middle = colour[channel] as number;
    const shade = surfaceAt(surfaces[channel] as Float64Array, x, y) - middle;
    return middle + Math.max(-MOST_SHADING, Math.min(MOST_SHADING, shade));
  };
  const near = places.rim.filter((place) => {
    const x = places.x[place] as number;
    const y = places.y[place] as number;
    return isNear(places, place, [value(0, x, y), value(1, x, y), value(2, x, y)], spread);
  });
  const share = near.length / Math.max(1, places.rim.length);
  return {
    share: share < LEAST_SHARE ? 0 : share,
    at(px, py, into) {
      const x = (2 * px) / scan.width - 1;
      const y = (2 * py) / scan.height - 1;
      for (let channel = 0; channel < 3; channel += 1) into[channel] = value(channel, x, y);
    },
  };
}

function lookAt(scan: Scan): Places {
  const columns = Math.max(1, Math.min(GRID, Math.floor(scan.width / PATCH)));
  const rows = Math.max(1, Math.min(GRID, Math.floor(scan.height / PATCH)));
  const count = columns * rows;
  const places: Places = {
    count,
    x: new Float64Array(count),
    y: new Float64Array(count),
    colours: new Float64Array(3 * count),
    rim: [],
  };
  const across = Math.min(PATCH, scan.width);
  const down = Math.min(PATCH, scan.height);
  for (let row = 0, place = 0; row < rows; row += 1) {
    const top = Math.round(((scan.height - down) * row) / Math.max(1, rows - 1));
    const band = scan.read({ left: 0, top, width: scan.width, height: down });
    for (let column = 0; column < columns; column += 1, place += 1) {
      const left = Math.round(((scan.width - across) * column) / Math.max(1, columns - 1));
      places.x[place] = (2 * (left + across / 2)) / scan.width - 1;
      places.y[place] = (2 * (top + down / 2)) / scan.height - 1;
      patchInto(places.colours, 3 * place, band, { left, across, down, width: scan.width });
      if (Math.min(row, column, rows - 1 - row, columns - 1 - column) < RIM) places.rim.push(place);
    }
  }
  return places;
}

function patchInto(
  colours: Float64Array,
  to: number,
  band: Uint8Array,
  { left, across, down, width }: { left: number; across: number; down: number; width: number },
): void {
  for (let y = 0; y < down; y += 1) {
    for (let x = 0; x < across; x += 1) {
      const from = (y * width + left + x) * 3;
      for (let channel = 0; channel < 3; channel += 1)
        colours[to + channel] = (colours[to + channel] as number) + (band[from + channel] as number);
    }
  }
  for (let channel = 0; channel < 3; channel += 1)
    colours[to + channel] = (colours[to + channel] as number) / (across * down);
}

function isNear({ colours }: Places, place: number, colour: ArrayLike<number>, spread: number): boolean {
  for (let channel = 0; channel < 3; channel += 1) {
    if (Math.abs((colours[3 * place + channel] as number) - (colour[channel] as number)) > spread)
      return false;
  }
  return true;
}

/** The colour that most of the rim has; what the rest of the scan has counts half. */
function commonColour(places: Places, spread: number): Float64Array {
  const { rim, count, colours } = places;
  const step = Math.max(1, rim.length / SEEDS);
  let best = colours.slice(0, 3);
  let most = -1;
  for (let seed = 0; seed < rim.length; seed += step) {
    const place = rim[Math.floor(seed)] as number;
    const colour = colours.slice(3 * place, 3 * place + 3);
    const onRim = rim.reduce((sum, each) => sum + (isNear(places, each, colour, spread) ? 1 : 0), 0);
    let anywhere = 0;
    for (let each = 0; each < count; each += 1) if (isNear(places, each, colour, spread)) anywhere += 1;
    const score = onRim / rim.length + (0.5 * anywhere) / count;
    if (score <= most) continue;
    most = score;
    best = colour;
  }
  return best;
}

/** A surface of the second degree for each channel, through ever more of what is near it. */
function fitSurfaces(places: Places, colour: Float64Array, spread: number): Float64Array[] {
  let surfaces: Float64Array[] = Array.from(colour, (value) => Float64Array.of(value, 0, 0, 0, 0, 0));
  const expected = new Float64Array(3);
  for (let round = 0; round < ROUNDS; round += 1) {
    const lid: number[] = [];
    for (let place = 0; place < places.count; place += 1) {
      for (let channel = 0; channel < 3; channel += 1)
        expected[channel] = surfaceAt(
          surfaces[channel] as Float64Array,
          places.x[place] as number,
          places.y[place] as number,
        );
      if (isNear(places, place, expected, spread)) lid.push(place);
    }
    if (lid.length < TERMS) break;
    surfaces = surfaces.map((_, channel) => fitSurface(places, lid, channel));
  }
  return surfaces;
}

const surfaceAt = (c: Float64Array, x: number, y: number): number =>
  (c[0] as number) +
  (c[1] as number) * x +
  (c[2] as number) * y +
  (c[3] as number) * x * x +
  (c[4] as number) * x * y +
  (c[5] as number) * y * y;

/** Least squares: the normal equations, solved by elimination. */
function fitSurface({ x, y, colours }: Places, lid: readonly number[], channel: number): Float64Array {
  const columns = TERMS + 1;
  const matrix = new Float64Array(TERMS * columns);
  const term = new Float64Array(columns);
  for (const place of lid) {
    const px = x[place] as number;
    const py = y[place] as number;
    term.set([1, px, py, px * px, px * py, py * py, colours[3 * place + channel] as number]);
    for (let row = 0; row < TERMS; row += 1) {
      for (let column = 0; column < columns; column += 1) {
        const at = row * columns + column;
        matrix[at] = (matrix[at] as number) + (term[row] as number) * (term[column] as number);
      }
    }
  }
  for (let row = 1; row < TERMS; row += 1) {
    const at = row * columns + row;
    matrix[at] = (matrix[at] as number) + STIFFNESS * lid.length;
  }
  return solve(matrix);
}

/** Positive definite, so that no rows need be changed. */
function solve(matrix: Float64Array): Float64Array {
  const columns = TERMS + 1;
  for (let pivot = 0; pivot < TERMS; pivot += 1) {
    const divisor = matrix[pivot * columns + pivot] as number;
    for (let row = 0; row < TERMS; row += 1) {
      if (row === pivot) continue;
      const factor = (matrix[row * columns + pivot] as number) / divisor;
      for (let column = pivot; column < columns; column += 1) {
        const at = row * columns + column;
        matrix[at] = (matrix[at] as number) - factor * (matrix[pivot * columns + column] as number);
      }
    }
  }
  return Float64Array.from({ length: TERMS }, (_, row) => {
    const at = row * columns;
    return (matrix[at + TERMS] as number) / (matrix[at + row] as number);
  });
}
