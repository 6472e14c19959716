// How alike two pictures look: structural similarity (SSIM, Wang et al. 2004) of their brightness, block by block.
import type { Samples } from './picture-coder.ts';

const BLOCK = 8;
const C1 = (0.01 * 255) ** 2;
const C2 = (0.03 * 255) ** 2;
/** Of large pictures not every block is looked at. */
const MAX_BLOCKS = 20_000;
/** How many of the worst blocks count: a picture is as bad as its worst tenth. */
const WORST = 0.1;

/** 1 for equal pictures; of the same size. The mean of all blocks, lowered by what the worst of them lack. */
export function likeness(one: Samples, other: Samples): number {
  if (one.width !== other.width || one.height !== other.height || one.channels !== other.channels) return 0;
  const columns = Math.max(1, Math.floor(one.width / BLOCK));
  const rows = Math.max(1, Math.floor(one.height / BLOCK));
  const stride = Math.max(1, Math.ceil(Math.sqrt((columns * rows) / MAX_BLOCKS)));
  const values: number[] = [];
  for (let row = 0; row < rows; row += stride)
    for (let column = 0; column < columns; column += stride)
      values.push(blockLikeness(one, other, column * BLOCK, row * BLOCK));
  values.sort((a, b) => a - b);
  const worst = values.slice(0, Math.max(1, Math.ceil(values.length * WORST)));
  return (mean(values) + mean(worst)) / 2;
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

function blockLikeness(one: Samples, other: Samples, left: number, top: number): number {
  const { width, height } = one;
  const right = Math.min(width, left + BLOCK);
  const bottom = Math.min(height, top + BLOCK);
  let [count, sumA, sumB, sumAA, sumBB, sumAB] = [0, 0, 0, 0, 0, 0];
  for (let y = top; y < bottom; y += 1) {
    for (let x = left; x < right; x += 1) {
      const a = brightness(one, y * width + x);
      const b = brightness(other, y * width + x);
      count += 1;
      sumA += a;
      sumB += b;
      sumAA += a * a;
      sumBB += b * b;
      sumAB += a * b;
    }
  }
  const meanA = sumA / count;
  const meanB = sumB / count;
  const varianceA = sumAA / count - meanA * meanA;
  const varianceB = sumBB / count - meanB * meanB;
  const covariance = sumAB / count - meanA * meanB;
  return (
    ((2 * meanA * meanB + C1) * (2 * covariance + C2)) /
    ((meanA * meanA + meanB * meanB + C1) * (varianceA + varianceB + C2))
  );
}

function brightness({ channels, data }: Samples, pixel: number): number {
  const at = pixel * channels;
  if (channels === 1) return data[at] as number;
  const [a, b, c] = [data[at] as number, data[at + 1] as number, data[at + 2] as number];
  if (channels === 3) return 0.299 * a + 0.587 * b + 0.114 * c;
  // Inks: black weighs as much as the other three.
  return (0.299 * a + 0.587 * b + 0.114 * c + (data[at + 3] as number)) / 2;
}
