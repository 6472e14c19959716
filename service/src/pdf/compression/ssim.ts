// How alike two images look: structural similarity (SSIM, Wang et al. 2004) of their brightness, block by block.
import type { Samples } from './image-coder.ts';

const BLOCK = 8;
const C1 = (0.01 * 255) ** 2;
const C2 = (0.03 * 255) ** 2;
/** Of large images not every block is looked at. */
const MAX_BLOCKS = 4000;
/** How many of the worst blocks count: an image is as bad as its worst tenth. */
const WORST = 0.1;

/** 1 for equal images; of the same size. The mean of all blocks, lowered by what the worst of them lack. */
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

/** Brightness of the blocks that are compared, side by side. */
const first = new Float64Array(BLOCK * BLOCK);
const second = new Float64Array(BLOCK * BLOCK);

function blockLikeness(one: Samples, other: Samples, left: number, top: number): number {
  const count = readBlock(one, left, top, first);
  readBlock(other, left, top, second);
  let [sumA, sumB, sumAA, sumBB, sumAB] = [0, 0, 0, 0, 0];
  for (let at = 0; at < count; at += 1) {
    const a = first[at] as number;
    const b = second[at] as number;
    sumA += a;
    sumB += b;
    sumAA += a * a;
    sumBB += b * b;
    sumAB += a * b;
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

/** How many pixels the block has. */
function readBlock(
  { width, height, channels, data }: Samples,
  left: number,
  top: number,
  into: Float64Array,
): number {
  const right = Math.min(width, left + BLOCK);
  const bottom = Math.min(height, top + BLOCK);
  let count = 0;
  for (let y = top; y < bottom; y += 1) {
    for (let at = (y * width + left) * channels; at < (y * width + right) * channels; at += channels) {
      const value = data[at] as number;
      if (channels === 1) into[count] = value;
      else {
        const light = 0.299 * value + 0.587 * (data[at + 1] as number) + 0.114 * (data[at + 2] as number);
        // Inks: black weighs as much as the other three.
        into[count] = channels === 3 ? light : (light + (data[at + 3] as number)) / 2;
      }
      count += 1;
    }
  }
  return count;
}
