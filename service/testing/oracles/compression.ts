// Documents with images of every kind, and what other programs see in them.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { onePage, streamOf } from '../documents/written-pdf.ts';
import { askProgram } from './programs.ts';
import { runProgram } from './small-shell.ts';

export interface GivenImage {
  width: number;
  height: number;
  data: Uint8Array;
  /** Entries beside size and filter, such as `/ColorSpace /DeviceRGB /BitsPerComponent 8`. */
  entries: string;
  /** None: the data is deflated here. */
  filter?: string;
  /** In points. */
  drawn: { width: number; height: number };
}

/** One page that draws these images, one over the other; `more` are objects from 5 on, before the images. */
export function withImages(images: readonly GivenImage[], more: string[] = []): Buffer {
  const first = 5 + more.length;
  const names = images.map((_, index) => `/P${index} ${first + index} 0 R`).join(' ');
  return onePage({
    page: `/Resources << /XObject << ${names} >> >>`,
    content: images
      .map(
        ({ drawn }, index) =>
          `q ${drawn.width} 0 0 ${drawn.height} 20 ${20 + 150 * index} cm /P${index} Do Q`,
      )
      .join('\n'),
    more: [
      ...more,
      ...images.map(({ width, height, data, entries, filter }) =>
        streamOf(
          Buffer.from(filter ? data : deflateSync(data)).toString('latin1'),
          `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} ${entries} /Filter ${filter ?? '/FlateDecode'}`,
        ),
      ),
    ],
  });
}

/** Soft hills and some grain: what a camera sees. */
export function photo(width: number, height: number, channels: number): Buffer {
  const data = Buffer.alloc(width * height * channels);
  let seed = 7;
  for (let y = 0, at = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      for (let channel = 0; channel < channels; channel += 1, at += 1) {
        seed = (seed * 1103515245 + 12345) & 0x7fffffff;
        const hill = Math.sin((x / width) * (3 + channel)) * Math.cos((y / height) * (2 + channel));
        data[at] = Math.max(0, Math.min(255, 120 + 90 * hill + ((seed >> 16) % 9) - 4));
      }
    }
  }
  return data;
}

export interface Listed {
  type: string;
  width: number;
  colour: string;
  bits: number;
  coding: string;
  ppi: number;
}

/** What pdfimages lists, in order. */
export const images = (bytes: Uint8Array): Listed[] =>
  askProgram('pdfimages', ['-list', '{}'], bytes)
    .split('\n')
    .slice(2)
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, , type = '', width, , colour = '', , bits, coding = '', , , , ppi] = line.trim().split(/\s+/);
      return { type, width: Number(width), colour, bits: Number(bits), coding, ppi: Number(ppi) };
    });

/** The first page as poppler draws it, in red-green-blue at 72 dots per inch. */
export function raster(bytes: Uint8Array, page = 1): Buffer {
  const dir = mkdtempSync(join(tmpdir(), 'bindery-raster-'));
  try {
    const path = join(dir, 'given.pdf');
    writeFileSync(path, bytes);
    const args = ['-r', '72', '-f', `${page}`, '-singlefile', path];
    const { stdout } = runProgram('pdftoppm', args);
    if (stdout.length < 1000) throw new Error('nothing was drawn');
    return stdout;
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** How far two rasters are apart, in steps of 255: the mean, and the mean of the worst hundredth. */
export function apart(one: Buffer, other: Buffer): { mean: number; worst: number } {
  if (one.length !== other.length) return { mean: 255, worst: 255 };
  const steps = one.map((value, at) => Math.abs(value - (other[at] as number))).sort();
  const mean = (values: Uint8Array): number =>
    values.reduce((sum, each) => sum + each, 0) / (values.length || 1);
  return { mean: mean(steps), worst: mean(steps.subarray(Math.floor(steps.length * 0.99))) };
}
