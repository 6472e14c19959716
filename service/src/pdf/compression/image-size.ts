// The size of an image after compression: as many dots per inch (dpi) as its place on the page needs at a level.
import type { Size } from '../../contract/raster.ts';

/** Images that have only a few more dots than they need keep them all. */
const SHRINKS_BELOW = 0.7;

/** Undefined where the image has about as many pixels as it needs. */
export function shrunkSize({ width, height }: Size, place: Size, dpi: number): Size | undefined {
  const needed = { width: (place.width / 72) * dpi, height: (place.height / 72) * dpi };
  const scale = Math.max(needed.width / width, needed.height / height);
  if (!(scale < SHRINKS_BELOW)) return undefined;
  const side = (pixels: number): number => Math.max(1, Math.round(pixels * scale));
  return { width: side(width), height: side(height) };
}
