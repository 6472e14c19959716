// What a scanner adds to a page and nobody wants: grain and grey of the paper, specks of dust, the dark edge of the lid.
import type { Raster } from '../../contract/raster.ts';
import { paperTone, tones } from './gray-image.ts';

/** Of the tone of the paper: what is lighter is paper, what is darker is ink. */
const PAPER = 0.88;
const INK = 0.65;
/** Pixels of a speck at 300 dpi; a full stop of small print has twice as many. */
const SPECK = 8;
/** An edge of the lid lies along so much of a side, and reaches into the page so far. */
const LID_LENGTH = 0.25;
const LID_DEPTH = 0.08;

/** In place. */
export function clean(image: Raster, dpi: number): void {
  const darkest = darkestChannel(image.rgba);
  const paper = paperTone(tones(darkest));
  const { rgba } = image;
  const whiten = (pixel: number): void => {
    rgba.fill(255, 4 * pixel, 4 * pixel + 3);
  };
  for (let pixel = 0; pixel < darkest.length; pixel += 1)
    if ((darkest[pixel] as number) >= paper * PAPER) whiten(pixel);
  const speck = Math.max(1, Math.round(SPECK * (dpi / 300) ** 2));
  for (const blot of blots(image, darkest, paper * INK))
    if (blot.pixels.length <= speck || isLid(blot, image)) blot.pixels.forEach(whiten);
}

function darkestChannel(rgba: Uint8Array): Uint8Array {
  const made = new Uint8Array(rgba.length >> 2);
  for (let pixel = 0, at = 0; pixel < made.length; pixel += 1, at += 4)
    made[pixel] = Math.min(rgba[at] as number, rgba[at + 1] as number, rgba[at + 2] as number);
  return made;
}

interface Blot {
  pixels: number[];
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** Pixels of ink that touch each other. */
function* blots({ width, height }: Raster, darkest: Uint8Array, ink: number): Generator<Blot> {
  const seen = new Uint8Array(darkest.length);
  for (let first = 0; first < darkest.length; first += 1) {
    if (seen[first] === 1 || (darkest[first] as number) >= ink) continue;
    seen[first] = 1;
    const blot: Blot = { pixels: [first], left: width, right: 0, top: height, bottom: 0 };
    for (let at = 0; at < blot.pixels.length; at += 1) {
      const pixel = blot.pixels[at] as number;
      const x = pixel % width;
      const y = (pixel - x) / width;
      blot.left = Math.min(blot.left, x);
      blot.right = Math.max(blot.right, x);
      blot.top = Math.min(blot.top, y);
      blot.bottom = Math.max(blot.bottom, y);
      for (let row = Math.max(0, y - 1); row <= Math.min(height - 1, y + 1); row += 1) {
        for (let column = Math.max(0, x - 1); column <= Math.min(width - 1, x + 1); column += 1) {
          const beside = row * width + column;
          if (seen[beside] === 1 || (darkest[beside] as number) >= ink) continue;
          seen[beside] = 1;
          blot.pixels.push(beside);
        }
      }
    }
    yield blot;
  }
}

function isLid({ left, right, top, bottom }: Blot, { width, height }: Raster): boolean {
  const upright = bottom - top >= height * LID_LENGTH && right - left <= width * LID_DEPTH;
  if (upright && (left === 0 || right === width - 1)) return true;
  const lying = right - left >= width * LID_LENGTH && bottom - top <= height * LID_DEPTH;
  return lying && (top === 0 || bottom === height - 1);
}
