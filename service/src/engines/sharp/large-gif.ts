// A GIF of pixels in a TIFF file of ours: its palette from a sample of them, then row by row.
import type SharpPackage from 'sharp';
import { readSpooledRows, type SpoolFacts, spoolFacts } from '../../pdf/images/tiff-spool.ts';
import { Dithering } from './dithering.ts';
import { GifFile } from './gif.ts';
import { readPng } from './png.ts';

/** What libvips may hold of an image that becomes a GIF. */
const PIXELS_IN_MEMORY = 48_000_000;
const SAMPLE_PIXELS = 2_000_000;
const BAND_BYTES = 4_000_000;
const GREYS = Uint8Array.from({ length: 256 * 3 }, (_, at) => Math.floor(at / 3));
const BLACK_AND_WHITE = Uint8Array.of(0, 0, 0, 255, 255, 255);

export function isTooLargeForGif(tiff: string): boolean {
  const { width, height } = spoolFacts(tiff);
  return width * height > PIXELS_IN_MEMORY;
}

export async function writeLargeGif(
  sharp: typeof SharpPackage,
  path: string,
  tiff: string,
  twoTone: boolean,
): Promise<void> {
  const facts = spoolFacts(tiff);
  const palette = await paletteOf(sharp, tiff, facts, twoTone);
  const indices = indexer(facts, palette, twoTone);
  const gif = new GifFile(path, { width: facts.width, height: facts.height, palette });
  try {
    for (const rows of readSpooledRows(tiff, BAND_BYTES)) gif.add(indices(rows));
  } finally {
    gif.close();
  }
}

function indexer(
  { width, channels }: SpoolFacts,
  palette: Uint8Array,
  twoTone: boolean,
): (rows: Uint8Array) => Uint8Array {
  if (twoTone) return (rows) => rows.map((value) => value >> 7);
  if (channels === 1) return (rows) => rows;
  const dithering = new Dithering(width, palette);
  return (rows) => dithering.indices(rows);
}

async function paletteOf(
  sharp: typeof SharpPackage,
  tiff: string,
  { width, height, channels }: SpoolFacts,
  twoTone: boolean,
): Promise<Uint8Array> {
  if (twoTone) return BLACK_AND_WHITE;
  if (channels === 1) return GREYS;
  const shrink = Math.min(1, Math.sqrt(SAMPLE_PIXELS / (width * height)));
  const sample = await sharp(tiff, { limitInputPixels: false, sequentialRead: true })
    .resize(Math.max(1, Math.round(width * shrink)), Math.max(1, Math.round(height * shrink)), {
      fit: 'fill',
      // Colours that are there, none between them.
      kernel: 'nearest',
    })
    .png({ palette: true, compressionLevel: 1 })
    .toBuffer();
  return readPng(sample)?.palette ?? GREYS;
}
