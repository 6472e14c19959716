// What a rendered page shows: the box around everything that is not white.
import type { Raster } from '../../contract/raster.ts';
import type { Box } from '../geometry/boxes.ts';

/** Paler is white: smoothing and lossy images leave dust. */
const WHITE = 250;

/** In fractions of the page, from its lower-left corner; nothing for a blank page. */
export function shownBox({ width, height, rgba }: Raster): Box | undefined {
  let [left, right, top, bottom] = [width, -1, height, -1];
  for (let y = 0; y < height; y += 1) {
    for (let x = 0, at = y * width * 4; x < width; x += 1, at += 4) {
      if (Math.min(rgba[at] ?? 255, rgba[at + 1] ?? 255, rgba[at + 2] ?? 255) >= WHITE) continue;
      if (x < left) left = x;
      if (x > right) right = x;
      if (y < top) top = y;
      bottom = y;
    }
  }
  if (right < 0) return undefined;
  // One pixel more on every side: thin lines may have left only a pale trace.
  return {
    left: Math.max(0, left - 1) / width,
    right: Math.min(width, right + 2) / width,
    bottom: 1 - Math.min(height, bottom + 2) / height,
    top: 1 - Math.max(0, top - 1) / height,
  };
}
