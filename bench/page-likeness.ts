// How alike the pages of two documents look: SSIM (Wang et al. 2004) of their grey rasters, windows of 8 by 8 pixels
// every 4 pixels.
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

interface Raster {
  width: number;
  height: number;
  data: Uint8Array;
}

const DPI = '100';
const WINDOW = 8;
const STEP = 4;
const C1 = (0.01 * 255) ** 2;
const C2 = (0.03 * 255) ** 2;

export function meanLikeness(one: string, other: string, pages: number, folder: string): number {
  const count = pageCount(one);
  const step = Math.max(1, Math.floor(count / pages));
  const values: number[] = [];
  for (let page = 1; page <= count && values.length < pages; page += step)
    values.push(likeness(rasterOf(one, page, folder), rasterOf(other, page, folder)));
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function pageCount(path: string): number {
  const info = execFileSync('pdfinfo', [path], { encoding: 'latin1', stdio: ['ignore', 'pipe', 'ignore'] });
  return Number(/^Pages:\s+(\d+)/m.exec(info)?.[1] ?? 1);
}

function rasterOf(path: string, page: number, folder: string): Raster {
  const root = join(folder, 'page');
  execFileSync(
    'pdftoppm',
    ['-gray', '-r', DPI, '-f', `${page}`, '-l', `${page}`, '-singlefile', path, root],
    { stdio: 'ignore' },
  );
  const file = readFileSync(`${root}.pgm`);
  rmSync(`${root}.pgm`);
  const head = /^P5\s+(\d+)\s+(\d+)\s+255\s/.exec(file.toString('latin1', 0, 40));
  if (!head) throw new Error(`${path}: page ${page} was not rendered`);
  return { width: Number(head[1]), height: Number(head[2]), data: file.subarray(head[0].length) };
}

function likeness(one: Raster, other: Raster): number {
  if (one.width !== other.width || one.height !== other.height) return 0;
  let sum = 0;
  let count = 0;
  for (let top = 0; top + WINDOW <= one.height; top += STEP) {
    for (let left = 0; left + WINDOW <= one.width; left += STEP) {
      sum += windowLikeness(one, other, left, top);
      count += 1;
    }
  }
  return count === 0 ? 1 : sum / count;
}

function windowLikeness(one: Raster, other: Raster, left: number, top: number): number {
  let [a, b, aa, bb, ab] = [0, 0, 0, 0, 0];
  for (let y = top; y < top + WINDOW; y += 1) {
    for (let x = left; x < left + WINDOW; x += 1) {
      const p = one.data[y * one.width + x] as number;
      const q = other.data[y * one.width + x] as number;
      a += p;
      b += q;
      aa += p * p;
      bb += q * q;
      ab += p * q;
    }
  }
  const n = WINDOW * WINDOW;
  const [ma, mb] = [a / n, b / n];
  return (
    ((2 * ma * mb + C1) * (2 * (ab / n - ma * mb) + C2)) /
    ((ma * ma + mb * mb + C1) * (aa / n - ma * ma + bb / n - mb * mb + C2))
  );
}
