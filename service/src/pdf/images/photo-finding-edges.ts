// The edges of a photo to a part of a pixel: each side is looked at across, in many places, and a line laid through.

import type { Background } from './photo-finding-background.ts';
import { edgeIn, lineThrough, type Place, quantile, STEP } from './photo-finding-lines.ts';
import type { Area, Scan } from './photo-finding-scan.ts';
import { axesOf, fromBounds, holds, type Point, quarterTurned, type Rectangle } from './rectangles.ts';

export interface EdgeRules {
  tolerance: number;
  /** Pixels by which a side may be elsewhere than it is thought to be. */
  slack: number;
  /** What lies beside the photo: its edges are not looked for there. */
  others: readonly Rectangle[];
}

/** A side is looked for so much further in than out: dust at a photo makes its rectangle larger than it is. */
const INWARDS = 4;
/** Pixels looked at inside a photo where it begins. */
const DEPTH = 5;
/** Corners are bent and worn: this part of a side is left out at each end. */
const CORNER = 0.03;
const MOST_PLACES = 400;
const LEAST_PLACES = 8;
/** The sine of half a degree. */
const LEAST_TILT = 0.0087;
/** Places of a side read together. */
const PLACES_AT_ONCE = 32;
/** Of the places of a side this part may be outside the photo: none of the background shall be left at it. */
const LEFT_OUT = 0.25;

/** One side: `out` points away from the photo, `along` runs beside it. */
interface Side {
  out: Point;
  along: Point;
  middle: Point;
  length: number;
}

/** A side as it was found: places on it, and the slope of the line through them against where it was thought to be. */
interface Found {
  points: Point[];
  slope: number;
  weight: number;
}

export interface Settled {
  rectangle: Rectangle;
  /** Which sides are straight lines that were seen: top, right, bottom, left. */
  firm: readonly boolean[];
}

export function settleEdges(
  scan: Scan,
  background: Background,
  rectangle: Rectangle,
  rules: EdgeRules,
): Settled {
  const sides = sidesOf(rectangle);
  const look = new Look(scan, background, rules);
  const found = sides.map((side) => look.along(side));
  const total = found.reduce((sum, side) => sum + (side?.weight ?? 0), 0);
  const firm = found.map((side) => side !== undefined);
  if (total === 0) return { rectangle: within(scan, rectangle), firm };
  const turn = found.reduce((sum, side) => sum + (side ? side.slope * side.weight : 0), 0) / total;
  const degrees = rectangle.degrees + (Math.atan(turn) * 180) / Math.PI;
  const { across, down } = axesOf({ degrees });
  const bound = (index: number, axis: Point, sign: 1 | -1): number => {
    const side = found[index];
    const fallback = (sides[index] as Side).middle;
    const places = (side?.points ?? [fallback]).map(([x, y]) => sign * (x * axis[0] + y * axis[1]));
    return sign * quantile(places, side ? LEFT_OUT : 0);
  };
  const settled = fromBounds(degrees, {
    minU: bound(3, across, -1),
    maxU: bound(1, across, 1),
    minV: bound(0, down, -1),
    maxV: bound(2, down, 1),
  });
  const square = squareOn(settled);
  // Sides have other names where width and height change places: one further round.
  const turns = Math.round((square.degrees - degrees) / 90);
  return {
    rectangle: within(scan, square),
    firm: firm.map((_, side) => firm[(side + turns + 4) % 4] ?? false),
  };
}

/** Beyond 45 degrees width and height change places. */
function squareOn(rectangle: Rectangle): Rectangle {
  const degrees = quarterTurned(rectangle.degrees);
  const isTurned = Math.round((degrees - rectangle.degrees) / 90) % 2 !== 0;
  const { width, height } = rectangle;
  return { ...rectangle, degrees, ...(isTurned ? { width: height, height: width } : {}) };
}

/** An upright photo that lies over the edge of the scan ends there. */
function within(scan: Scan, rectangle: Rectangle): Rectangle {
  const { x, y, width, height, degrees } = rectangle;
  const isUpright = Math.abs(Math.sin((degrees * Math.PI) / 180)) * Math.max(width, height) < 1;
  if (!isUpright) return rectangle;
  const clamp = (value: number, most: number): number => Math.max(0, Math.min(most, value));
  return fromBounds(0, {
    minU: clamp(x - width / 2, scan.width),
    maxU: clamp(x + width / 2, scan.width),
    minV: clamp(y - height / 2, scan.height),
    maxV: clamp(y + height / 2, scan.height),
  });
}

/** Top, right, bottom, left. */
function sidesOf(rectangle: Rectangle): Side[] {
  const { x, y, width, height } = rectangle;
  const { across, down } = axesOf(rectangle);
  const side = (out: Point, along: Point, far: number, length: number): Side => ({
    out,
    along,
    middle: [x + (out[0] * far) / 2, y + (out[1] * far) / 2],
    length,
  });
  const turned = ([a, b]: Point): Point => [-a, -b];
  return [
    side(turned(down), across, height, width),
    side(across, down, width, height),
    side(down, turned(across), height, width),
    side(turned(across), turned(down), width, height),
  ];
}

class Look {
  private readonly scan: Scan;
  private readonly background: Background;
  private readonly rules: EdgeRules;
  private readonly colour = new Float64Array(3);

  constructor(scan: Scan, background: Background, rules: EdgeRules) {
    this.scan = scan;
    this.background = background;
    this.rules = rules;
  }

  along(side: Side): Found | undefined {
    const usable = side.length * (1 - 2 * CORNER);
    const count = Math.max(LEAST_PLACES, Math.min(MOST_PLACES, Math.floor(usable / 2)));
    const places = Array.from({ length: count }, (_, index) => usable * ((index + 0.5) / count - 0.5));
    const seen: Place[] = [];
    for (let first = 0; first < count; first += PLACES_AT_ONCE) {
      const some = places.slice(first, first + PLACES_AT_ONCE);
      const piece = this.piece(side, some);
      if (!piece) continue;
      for (const t of some) {
        const d = this.edgeAt(piece, side, t);
        if (d !== undefined && !this.isCutOff(side, pointAt(side, t, d))) seen.push({ t, d });
      }
    }
    const line = lineThrough(seen, count);
    if (!line) return undefined;
    return {
      points: line.near.map(({ t, d }) => pointAt(side, t, d)),
      // `along` runs clockwise around the photo, so a side that leans outwards turns it against the clock.
      slope: -line.slope,
      weight: line.near.length * side.length,
    };
  }

  /** A tilted photo that ends where the scan does goes on beyond it: its side is not there. */
  private isCutOff({ along }: Side, [x, y]: Point): boolean {
    if (Math.min(Math.abs(along[0]), Math.abs(along[1])) < LEAST_TILT) return false;
    return Math.min(x, y, this.scan.width - x, this.scan.height - y) < 1;
  }

  /** The pixels around some places of a side. */
  private piece(side: Side, places: readonly number[]): Window | undefined {
    const { slack } = this.rules;
    const ends = [places[0] ?? 0, places.at(-1) ?? 0];
    const corners = ends.flatMap((t) => [
      pointAt(side, t, -INWARDS * slack - DEPTH),
      pointAt(side, t, slack),
    ]);
    const xs = corners.map(([x]) => x);
    const ys = corners.map(([, y]) => y);
    const left = Math.max(0, Math.floor(Math.min(...xs)) - 2);
    const top = Math.max(0, Math.floor(Math.min(...ys)) - 2);
    const width = Math.min(this.scan.width, Math.ceil(Math.max(...xs)) + 2) - left;
    const height = Math.min(this.scan.height, Math.ceil(Math.max(...ys)) + 2) - top;
    if (width <= 0 || height <= 0) return undefined;
    const area = { left, top, width, height };
    return { ...area, pixels: this.scan.read(area) };
  }

  /** How far outside the side the photo ends, at a place of it. */
  private edgeAt(piece: Window, side: Side, t: number): number | undefined {
    const { tolerance, slack, others } = this.rules;
    const profile: number[] = [];
    let outermost = 0;
    for (let d = -INWARDS * slack - DEPTH; d <= slack; d += STEP) {
      const [x, y] = pointAt(side, t, d);
      // The neighbour's rectangle is known to a few pixels only: what is near the side is looked at all the same.
      if (d > 2 && others.some((other) => holds(other, x, y))) break;
      profile.push(this.offBackground(piece, x, y));
      outermost = d;
    }
    return edgeIn(profile.reverse(), outermost, tolerance + 0.5);
  }

  /** By how much a place differs from the background, between four pixels; beyond the scan it does not. */
  private offBackground(piece: Window, x: number, y: number): number {
    this.background.at(x, y, this.colour);
    const left = Math.floor(x - 0.5);
    const top = Math.floor(y - 0.5);
    const dx = x - 0.5 - left;
    const dy = y - 0.5 - top;
    let most = 0;
    for (let channel = 0; channel < 3; channel += 1) {
      const at = (column: number, row: number): number => {
        const u = column - piece.left;
        const v = row - piece.top;
        if (u < 0 || v < 0 || u >= piece.width || v >= piece.height) return this.colour[channel] as number;
        return piece.pixels[(v * piece.width + u) * 3 + channel] as number;
      };
      const upper = at(left, top) * (1 - dx) + at(left + 1, top) * dx;
      const lower = at(left, top + 1) * (1 - dx) + at(left + 1, top + 1) * dx;
      const off = Math.abs(upper * (1 - dy) + lower * dy - (this.colour[channel] as number));
      if (off > most) most = off;
    }
    return most;
  }
}

interface Window extends Area {
  pixels: Uint8Array;
}

const pointAt = ({ middle, along, out }: Side, t: number, d: number): Point => [
  middle[0] + along[0] * t + out[0] * d,
  middle[1] + along[1] * t + out[1] * d,
];
