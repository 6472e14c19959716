// A scan on disk: pages and images of a hundred megapixels and more are looked at piece by piece.
import { closeSync, openSync } from 'node:fs';
import { readInto, withFile, writeAll } from '../../contract/file-bytes.ts';
import type { Area, Scan } from './photo-finding-scan.ts';

const CHANNELS = 3;

/** Where pixels lie in a file: three bytes each (red, green, blue), rows from the top, nothing between them. */
export interface LaidPixels {
  path: string;
  width: number;
  height: number;
  /** The byte at which they begin. */
  dataAt: number;
  /** The three are the same everywhere. */
  isGrey: boolean;
}

export class ScanFile implements Scan {
  readonly width: number;
  readonly height: number;
  private readonly dataAt: number;
  private readonly file: number;

  constructor({ path, width, height, dataAt }: LaidPixels) {
    this.width = width;
    this.height = height;
    this.dataAt = dataAt;
    this.file = openSync(path, 'r');
  }

  /** The area must lie inside the scan. */
  read({ left, top, width, height }: Area): Uint8Array {
    const rowBytes = width * CHANNELS;
    const pixels = new Uint8Array(rowBytes * height);
    // Rows as wide as the scan lie next to each other.
    const piece = width === this.width ? pixels.length : rowBytes;
    for (let at = 0, y = top; at < pixels.length; at += piece, y += 1)
      this.fill(pixels.subarray(at, at + piece), this.dataAt + (y * this.width + left) * CHANNELS);
    return pixels;
  }

  private fill(target: Uint8Array, position: number): void {
    if (readInto(this.file, target, position) < target.length)
      throw new Error('the scan on disk is shorter than its size');
  }

  close(): void {
    closeSync(this.file);
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

/** Lays strips of a page as it is drawn (four bytes a pixel) into a file. */
export function layStrips(
  path: string,
  { width, height }: { width: number; height: number },
  strips: Iterable<{ rgba: Uint8Array }>,
): LaidPixels {
  let isGrey = true;
  withFile(path, 'wx', (file) => {
    for (const { rgba } of strips) {
      const rows = withoutOpacity(rgba);
      isGrey &&= isAllGrey(rows);
      writeAll(file, rows);
    }
  });
  return { path, width, height, dataAt: 0, isGrey };
}

function withoutOpacity(rgba: Uint8Array): Uint8Array {
  const rgb = new Uint8Array((rgba.length / 4) * CHANNELS);
  for (let from = 0, to = 0; from < rgba.length; from += 4, to += CHANNELS) {
    rgb[to] = rgba[from] as number;
    rgb[to + 1] = rgba[from + 1] as number;
    rgb[to + 2] = rgba[from + 2] as number;
  }
  return rgb;
}

function isAllGrey(rgb: Uint8Array): boolean {
  for (let at = 0; at < rgb.length; at += CHANNELS)
    if (rgb[at] !== rgb[at + 1] || rgb[at] !== rgb[at + 2]) return false;
  return true;
}

/** One byte of the three. */
export function onlyGrey(rgb: Uint8Array): Uint8Array {
  const grey = new Uint8Array(rgb.length / CHANNELS);
  for (let from = 0, to = 0; to < grey.length; from += CHANNELS, to += 1) grey[to] = rgb[from] as number;
  return grey;
}
