// A drawn part of a page as the smallest file that shows it: drawings keep their colours exactly, photographs become
// JPEG.
import type { Raster } from '../contract/raster.ts';
import type { Sharp } from '../engines/sharp/sharp.ts';

const MOST_COLOURS = 256;
/** Smaller files are not worth a second one. */
const LARGE = 100_000;
/** A JPEG so much smaller shows a photograph, whose grain nobody misses. */
const MUCH_SMALLER = 3;

/** PNG, or JPEG where that is much smaller; whoever writes it looks at its first bytes. */
export async function encodeFigure(
  sharp: Pick<Sharp, 'encode'>,
  { width, height, rgba }: Raster,
): Promise<Uint8Array> {
  const pixels = { width, height, channels: 4, data: rgba } as const;
  if (hasFewColours(rgba)) return sharp.encode(pixels, 'png', { opaque: true, fewColours: true });
  const png = await sharp.encode(pixels, 'png', { opaque: true });
  if (png.length < LARGE) return png;
  const jpeg = await sharp.encode(pixels, 'jpeg');
  return jpeg.length * MUCH_SMALLER < png.length ? jpeg : png;
}

function hasFewColours(rgba: Uint8Array): boolean {
  const bytes = rgba.byteOffset % 4 === 0 ? rgba : rgba.slice();
  const pixels = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2);
  const colours = new Set<number>();
  let last = -1;
  for (const pixel of pixels) {
    if (pixel === last) continue;
    last = pixel;
    colours.add(pixel);
    if (colours.size > MOST_COLOURS) return false;
  }
  return true;
}
