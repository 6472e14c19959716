// A photo cut out of a scan, a band of rows at a time: as it lies where it lies straight, else turned upright.

import type { Background } from './photo-finding-background.ts';
import type { Area, Scan } from './photo-finding-scan.ts';
import { axesOf, cornersOf, type Rectangle } from './rectangles.ts';

export interface CutPhoto {
  width: number;
  height: number;
  /** Whole rows from the top, three bytes a pixel. */
  bands(): Generator<Uint8Array>;
}

const BAND_PIXELS = 2_000_000;
/** Pixels of a piece that is turned at once, each way. */
const TILE = 512;

/** `leastTilt`: a photo that is turned by fewer degrees is cut out as it lies, all of it. */
export function cutPhoto(scan: Scan, background: Background, photo: Rectangle, leastTilt: number): CutPhoto {
  if (photo.degrees === 0 || Math.abs(photo.degrees) < leastTilt) return straightCut(scan, photo);
  return turnedCut(scan, background, photo);
}

function straightCut(scan: Scan, photo: Rectangle): CutPhoto {
  const corners = cornersOf(photo);
  const span = (values: number[], most: number) => {
    const first = Math.max(0, Math.min(most - 1, Math.round(Math.min(...values))));
    return { first, count: Math.max(1, Math.min(most, Math.round(Math.max(...values))) - first) };
  };
  const across = span(
    corners.map(([x]) => x),
    scan.width,
  );
  const down = span(
    corners.map(([, y]) => y),
    scan.height,
  );
  const { first: left, count: width } = across;
  const { first: top, count: height } = down;
  const rows = Math.max(1, Math.floor(BAND_PIXELS / width));
  return {
    width,
    height,
    *bands() {
      for (let from = 0; from < height; from += rows)
        yield scan.read({ left, top: top + from, width, height: Math.min(rows, height - from) });
    },
  };
}

function turnedCut(scan: Scan, background: Background, photo: Rectangle): CutPhoto {
  const width = Math.max(1, Math.round(photo.width));
  const height = Math.max(1, Math.round(photo.height));
  return {
    width,
    height,
    *bands() {
      for (let top = 0; top < height; top += TILE) {
        const rows = Math.min(TILE, height - top);
        const band = new Uint8Array(width * rows * 3);
        for (let left = 0; left < width; left += TILE) {
          const tile = { left, top, width: Math.min(TILE, width - left), height: rows };
          turnInto(band, width, tile, { scan, background, photo, size: { width, height } });
        }
        yield band;
      }
    },
  };
}

interface Source {
  scan: Scan;
  background: Background;
  photo: Rectangle;
  /** Of the photo as it comes out. */
  size: { width: number; height: number };
}

/** Draws a tile of the upright photo into a band that begins at the tile's top. */
function turnInto(band: Uint8Array, bandWidth: number, tile: Area, source: Source): void {
  const { scan, background, photo, size } = source;
  const { across, down } = axesOf(photo);
  const place = (column: number, row: number): [number, number] => {
    const u = column + 0.5 - size.width / 2;
    const v = row + 0.5 - size.height / 2;
    // Of pixels of the scan, whose middles are at a half.
    return [photo.x + u * across[0] + v * down[0] - 0.5, photo.y + u * across[1] + v * down[1] - 0.5];
  };
  const right = tile.left + tile.width - 1;
  const bottom = tile.top + tile.height - 1;
  const ends = [
    place(tile.left, tile.top),
    place(right, tile.top),
    place(tile.left, bottom),
    place(right, bottom),
  ];
  const window = windowAround(scan, background, ends);
  const weightsX = new Float64Array(4);
  const weightsY = new Float64Array(4);
  for (let row = 0; row < tile.height; row += 1) {
    let [x, y] = place(tile.left, tile.top + row);
    let to = (row * bandWidth + tile.left) * 3;
    for (let column = 0; column < tile.width; column += 1, x += across[0], y += across[1], to += 3) {
      const floorX = Math.floor(x);
      const floorY = Math.floor(y);
      cubicWeights(x - floorX, weightsX);
      cubicWeights(y - floorY, weightsY);
      const from = ((floorY - 1 - window.top) * window.width + floorX - 1 - window.left) * 3;
      for (let channel = 0; channel < 3; channel += 1) {
        let sum = 0;
        for (let v = 0, at = from + channel; v < 4; v += 1, at += window.width * 3) {
          const line =
            (window.pixels[at] as number) * (weightsX[0] as number) +
            (window.pixels[at + 3] as number) * (weightsX[1] as number) +
            (window.pixels[at + 6] as number) * (weightsX[2] as number) +
            (window.pixels[at + 9] as number) * (weightsX[3] as number);
          sum += line * (weightsY[v] as number);
        }
        band[to + channel] = sum < 0 ? 0 : sum > 255 ? 255 : sum + 0.5;
      }
    }
  }
}

/** Catmull and Rom's curve through four neighbours: sharper than a straight line between two. */
function cubicWeights(t: number, into: Float64Array): void {
  const tt = t * t;
  const ttt = tt * t;
  into[0] = (-ttt + 2 * tt - t) / 2;
  into[1] = (3 * ttt - 5 * tt + 2) / 2;
  into[2] = (-3 * ttt + 4 * tt + t) / 2;
  into[3] = (ttt - tt) / 2;
}

interface Window extends Area {
  pixels: Uint8Array;
}

/** Pixels around places, with what their neighbours need; the background goes on beyond the scan. */
function windowAround(
  scan: Scan,
  background: Background,
  places: readonly (readonly [number, number])[],
): Window {
  const xs = places.map(([x]) => x);
  const ys = places.map(([, y]) => y);
  const left = Math.floor(Math.min(...xs)) - 2;
  const top = Math.floor(Math.min(...ys)) - 2;
  const width = Math.ceil(Math.max(...xs)) + 4 - left;
  const height = Math.ceil(Math.max(...ys)) + 4 - top;
  const inside = {
    left: Math.max(0, left),
    top: Math.max(0, top),
    width: Math.min(scan.width, left + width) - Math.max(0, left),
    height: Math.min(scan.height, top + height) - Math.max(0, top),
  };
  const isInside = inside.width > 0 && inside.height > 0;
  if (isInside && inside.width === width && inside.height === height)
    return { ...inside, pixels: scan.read(inside) };
  const pixels = new Uint8Array(width * height * 3);
  const colour = new Float64Array(3);
  background.at(left + width / 2, top + height / 2, colour);
  for (let at = 0; at < pixels.length; at += 1) pixels[at] = (colour[at % 3] as number) + 0.5;
  if (isInside) {
    const seen = scan.read(inside);
    const rowBytes = inside.width * 3;
    for (let row = 0; row < inside.height; row += 1) {
      const to = ((row + inside.top - top) * width + inside.left - left) * 3;
      pixels.set(seen.subarray(row * rowBytes, (row + 1) * rowBytes), to);
    }
  }
  return { left, top, width, height, pixels };
}
