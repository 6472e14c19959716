// The pixels of a drawn page as an image file wants them: in colour, grey, or black and white.
import type { Raster } from '../../contract/raster.ts';

export type Tones = 'color' | 'greyscale' | 'blackwhite';

export interface TonedPixels {
  width: number;
  height: number;
  /** Four where the page is in colour; the last says nothing then. */
  channels: 1 | 4;
  data: Uint8Array;
}

/** A pixel darker than this is black. */
const MIDDLE = 128;

/** A page in colour that shows none is given as grey: the same to the eye, and a third of the work. */
export function applyTones({ width, height, rgba }: Raster, tones: Tones): TonedPixels {
  if (tones === 'color' && !isGrey(rgba)) return { width, height, channels: 4, data: rgba };
  const data = new Uint8Array(width * height);
  toneInto(data, rgba, tones);
  return { width, height, channels: 1, data };
}

/** Whole pixels at a time: pages have millions of them. */
const pixelsOf = (rgba: Uint8Array): Uint32Array =>
  rgba.byteOffset % 4 === 0
    ? new Uint32Array(rgba.buffer, rgba.byteOffset, rgba.length >> 2)
    : new Uint32Array(rgba.slice().buffer);

function isGrey(rgba: Uint8Array): boolean {
  const pixels = pixelsOf(rgba);
  for (let i = 0; i < pixels.length; i += 1) {
    const pixel = pixels[i] as number;
    // Red against green in the low byte, green against blue in the next.
    if (((pixel ^ (pixel >>> 8)) & 0xffff) !== 0) return false;
  }
  return true;
}

/** One byte a pixel: its brightness (ITU-R BT.601), or 0 and 255. */
export function toneInto(target: Uint8Array, rgba: Uint8Array, tones: Tones): void {
  const pixels = pixelsOf(rgba);
  for (let i = 0; i < pixels.length; i += 1) {
    const pixel = pixels[i] as number;
    const light = ((pixel & 255) * 77 + ((pixel >>> 8) & 255) * 150 + ((pixel >>> 16) & 255) * 29 + 128) >> 8;
    target[i] = tones === 'blackwhite' ? (light < MIDDLE ? 0 : 255) : light;
  }
}
