// Pages as poppler and cairo draw them, and images as sharp reads them, held against each other.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { runProgram } from './small-shell.ts';

export interface Raster {
  width: number;
  height: number;
  /** Red, green and blue. */
  data: Buffer;
}

/** One page, drawn by pdftocairo on white: pdftoppm spreads images over a pixel more than they have. */
export function drawnPage(pdf: Uint8Array, { page = 1, dpi = 72 } = {}): Promise<Raster> {
  const dir = mkdtempSync(join(tmpdir(), 'bindery-raster-'));
  try {
    const path = join(dir, 'result.pdf');
    writeFileSync(path, pdf);
    const args = [
      '-r',
      String(dpi),
      '-f',
      String(page),
      '-l',
      String(page),
      '-png',
      '-singlefile',
      path,
      '-',
    ];
    const ran = runProgram('pdftocairo', args);
    if (ran.status !== 0) throw new Error(`pdftocairo ended with ${ran.status}: ${ran.stderr}`);
    return rasterOf(ran.stdout);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** An image upright on white. */
export async function rasterOf(file: Uint8Array | string, page = 0): Promise<Raster> {
  const { data, info } = await sharp(file, { page })
    .autoOrient()
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  if (info.channels !== 3) throw new Error(`${info.channels} channels`);
  return { width: info.width, height: info.height, data };
}

export const resized = async ({ width, height, data }: Raster, to: { width: number; height: number }) => ({
  ...to,
  data: await sharp(data, { raw: { width, height, channels: 3 } })
    .resize(to.width, to.height, { fit: 'fill', kernel: 'linear' })
    .raw()
    .toBuffer(),
});

/** Mean difference of the channels, 0 to 255; rasters of other sizes differ entirely. */
export function meanDifference(one: Raster, other: Raster): number {
  if (one.width !== other.width || one.height !== other.height) return 255;
  let sum = 0;
  for (let at = 0; at < one.data.length; at += 1)
    sum += Math.abs((one.data[at] ?? 0) - (other.data[at] ?? 0));
  return sum / one.data.length;
}
