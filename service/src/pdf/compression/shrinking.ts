// Fewer pixels: each the mean of those it stands for.
import type { Size } from '../../contract/raster.ts';
import type { ImageCoder, Samples } from './image-coder.ts';

/** What is left to shrink after whole steps is not worth the work above this. */
const NEAR_ENOUGH = 0.87;

/** About this size: whole steps are taken at once, as they lie in memory, and most often are enough. */
export async function shrink(samples: Samples, size: Size, coder: ImageCoder): Promise<Samples> {
  if (samples.width <= size.width && samples.height <= size.height) return samples;
  const step = Math.floor(Math.min(samples.width / size.width, samples.height / size.height) + 0.05);
  const coarse = step >= 2 ? meansOf(samples, step) : samples;
  return size.width / coarse.width > NEAR_ENOUGH ? coarse : coder.shrink(coarse, size);
}

/** The means of squares; those at the right and at the bottom may be cut off by the edge. */
function meansOf({ width, height, channels, data }: Samples, step: number): Samples {
  const columns = Math.ceil(width / step);
  const rows = Math.ceil(height / step);
  const made = new Uint8Array(columns * rows * channels);
  const sums = new Float64Array(columns * channels);
  for (let row = 0; row < rows; row += 1) {
    sums.fill(0);
    const bottom = Math.min(height, (row + 1) * step);
    for (let y = row * step; y < bottom; y += 1)
      addRow(sums, data, y * width * channels, width, channels, step);
    const tall = bottom - row * step;
    for (let column = 0, at = 0; column < columns; column += 1) {
      const count = tall * Math.min(step, width - column * step);
      for (let channel = 0; channel < channels; channel += 1, at += 1)
        made[row * columns * channels + at] = (sums[at] as number) / count + 0.5;
    }
  }
  return { width: columns, height: rows, channels, data: made };
}

function addRow(
  sums: Float64Array,
  data: Uint8Array,
  start: number,
  width: number,
  channels: number,
  step: number,
): void {
  for (let channel = 0; channel < channels; channel += 1) {
    let at = start + channel;
    for (let x = 0, to = channel; x < width; to += channels) {
      let sum = 0;
      for (const end = Math.min(width, x + step); x < end; x += 1, at += channels) sum += data[at] as number;
      sums[to] = (sums[to] as number) + sum;
    }
  }
}
