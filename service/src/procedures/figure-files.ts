// A drawn part of a page as the smallest file that shows it: drawings have a palette, photographs become JPEG.
import type { Raster } from '../contract/raster.ts';
import type { Sharp } from '../engines/sharp/sharp.ts';

const MOST_COLOURS = 256;
/** Drawings with more shades than this are photographs. */
const MOST_SHADES = 4096;
/** Where so few colours are so much of a drawing, its other shades are edges of lines and letters. */
const MAIN_COLOURS = 64;
const MAIN_PART = 0.85;
/** Smaller files are not worth a second one. */
const LARGE = 50_000;
/** A JPEG so much smaller shows a photograph, whose grain nobody misses. */
const MUCH_SMALLER = 3;

/** PNG, or JPEG where that is much smaller; whoever writes it looks at its first bytes. */
export async function encodeFigure(
  sharp: Pick<Sharp, 'encode'>,
  { width, height, rgba }: Raster,
): Promise<Uint8Array> {
  const pixels = { width, height, channels: 4, data: rgba } as const;
  if (isFlat(rgba)) return sharp.encode(pixels, 'png', { opaque: true, fewColours: true });
  const png = await sharp.encode(pixels, 'png', { opaque: true });
  if (png.length < LARGE) return png;
  const jpeg = await sharp.encode(pixels, 'jpeg');
  return jpeg.length * MUCH_SMALLER < png.length ? jpeg : png;
}

/** Few colours, or many shades of which hardly any is seen: 256 of them show it as well. */
function isFlat(rgba: Uint8Array): boolean {
  const bytes = rgba.byteOffset % 4 === 0 ? rgba : rgba.slice();
  const pixels = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2);
  const colours = new Map<number, number>();
  let [last, run] = [-1, 0];
  for (const pixel of pixels) {
    run += 1;
    if (pixel === last) continue;
    colours.set(last, (colours.get(last) ?? 0) + run - 1);
    if (colours.size > MOST_SHADES) return false;
    [last, run] = [pixel, 1];
  }
  colours.set(last, (colours.get(last) ?? 0) + run);
  colours.delete(-1);
  if (colours.size <= MOST_COLOURS) return true;
  const counts = [...colours.values()].toSorted((a, b) => b - a).slice(0, MAIN_COLOURS);
  return counts.reduce((sum, count) => sum + count, 0) >= pixels.length * MAIN_PART;
}
