// What pages look like, as poppler draws them.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProgram } from './small-shell.ts';

export interface Drawn {
  width: number;
  height: number;
  /** Three bytes a pixel, rows from the top. */
  rgb: Buffer;
}

/** A page as displayed, numbers from 1. */
export function drawnPage(bytes: Uint8Array, page = 1, dpi = 72): Drawn {
  const dir = mkdtempSync(join(tmpdir(), 'bindery-drawn-'));
  try {
    const path = join(dir, 'page.pdf');
    writeFileSync(path, bytes);
    const args = ['-r', String(dpi), '-cropbox', '-f', String(page), '-l', String(page), path];
    const { stdout } = runProgram('pdftoppm', args);
    const head = /^P6\s(\d+) (\d+)\s255\s/.exec(stdout.subarray(0, 60).toString('latin1'));
    if (!head) throw new Error(`pdftoppm drew nothing of page ${page}`);
    return { width: Number(head[1]), height: Number(head[2]), rgb: stdout.subarray(head[0].length) };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** A piece of an image, from its upper-left corner; what lies beyond the edge is white. */
export function piece({ width, height, rgb }: Drawn, x: number, y: number, w: number, h: number): Drawn {
  const cut = Buffer.alloc(w * h * 3, 255);
  for (let row = 0; row < h; row += 1) {
    if (y + row < 0 || y + row >= height) continue;
    const from = ((y + row) * width + x) * 3;
    rgb.copy(cut, row * w * 3, from, from + Math.min(w, width - x) * 3);
  }
  return { width: w, height: h, rgb: cut };
}

/** Clearly different: more than smoothing of edges makes. */
const CLEARLY = 64;

/**
 * The share of pixels that clearly differ, over what both images show, the outermost pixels left out: pages whose
 * size is no whole number of pixels end in half ones.
 */
export function difference(one: Drawn, other: Drawn): number {
  const [width, height] = [Math.min(one.width, other.width), Math.min(one.height, other.height)];
  let differing = 0;
  for (let y = 1; y < height - 1; y += 1) {
    for (let x = 1; x < width - 1; x += 1) {
      const [a, b] = [(y * one.width + x) * 3, (y * other.width + x) * 3];
      const apart = (at: number) => Math.abs((one.rgb[a + at] ?? 0) - (other.rgb[b + at] ?? 0));
      if (Math.max(apart(0), apart(1), apart(2)) > CLEARLY) differing += 1;
    }
  }
  return differing / Math.max(1, (width - 2) * (height - 2));
}

/** Where there is ink: the box around pixels that are not white, in pixels from the upper-left corner. */
export function inkBox({ width, height, rgb }: Drawn): [number, number, number, number] | undefined {
  let [left, top, right, bottom] = [width, height, -1, -1];
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const at = (y * width + x) * 3;
      if (Math.min(rgb[at] ?? 255, rgb[at + 1] ?? 255, rgb[at + 2] ?? 255) > 128) continue;
      [left, top] = [Math.min(left, x), Math.min(top, y)];
      [right, bottom] = [Math.max(right, x), Math.max(bottom, y)];
    }
  }
  return right < 0 ? undefined : [left, top, right, bottom];
}
