// Images of pages in shades of grey, as they are read.
import type { Matrix } from '../geometry/matrix.ts';
import type { Turn } from './recognised.ts';

export interface GrayImage {
  width: number;
  height: number;
  /** A byte for each pixel, rows from the top. */
  data: Uint8Array;
}

/** A portable grey map: the pixels with a line before them. */
export const greyFile = ({ width, height, data }: GrayImage): Buffer =>
  Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`, 'latin1'), data]);

/** Turned clockwise. */
export function turnImage({ width, height, data }: GrayImage, turn: Turn): GrayImage {
  if (turn === 0) return { width, height, data };
  const made = new Uint8Array(data.length);
  if (turn === 180) {
    for (let at = 0; at < data.length; at += 1) made[data.length - 1 - at] = data[at] as number;
    return { width, height, data: made };
  }
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const to = turn === 90 ? x * height + (height - 1 - y) : (width - 1 - x) * height + y;
      made[to] = data[y * width + x] as number;
    }
  }
  return { width: height, height: width, data: made };
}

/** From a turned image back to the one it was, units of pixels, lower-left corners at the origin. */
export function backMatrix(turn: Turn, { width, height }: { width: number; height: number }): Matrix {
  if (turn === 90) return [0, 1, -1, 0, height, 0];
  if (turn === 180) return [-1, 0, 0, -1, width, height];
  if (turn === 270) return [0, -1, 1, 0, 0, width];
  return [1, 0, 0, 1, 0, 0];
}

/** Levels of grey that a sheet of paper may have without anything on it. */
const PAPER_RANGE = 24;
/** One pixel in so many may be dust. */
const DUST = 100_000;

/** Whether nothing is to be read: hardly a pixel is darker than the paper. */
export function isBlank({ data }: GrayImage): boolean {
  const counts = tones(data);
  const dust = data.length / DUST;
  return toneAt(counts, data.length - dust) - toneAt(counts, dust) <= PAPER_RANGE;
}

/** How many pixels have each tone. */
export function tones(data: Uint8Array): Uint32Array {
  const counts = new Uint32Array(256);
  for (let at = 0; at < data.length; at += 1) {
    const tone = data[at] as number;
    counts[tone] = (counts[tone] as number) + 1;
  }
  return counts;
}

/** The tone of the pixel at a place, were they sorted from the darkest on. */
function toneAt(counts: Uint32Array, place: number): number {
  let seen = 0;
  for (const [tone, count] of counts.entries()) {
    seen += count;
    if (seen > place) return tone;
  }
  return 255;
}

/** Of the paper: the tone that most of the lighter half have. */
export function paperTone(counts: Uint32Array): number {
  let paper = 255;
  let most = 0;
  for (let tone = 128; tone < 256; tone += 1) {
    const count = counts[tone] ?? 0;
    if (count > most) [paper, most] = [tone, count];
  }
  return paper;
}
