// The door to sharp (libvips): pixels become files, files become pictures of a PDF. Loaded when first used, so that idle workers stay small.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type SharpPackage from 'sharp';
import type { InputFile } from '../../contract/files.ts';
import type { Picture } from '../../pdf/images/pictures.ts';
import type { EngineState } from '../engines.ts';
import { type Colours, decodeJpeg, encodeCmyk } from './cmyk.ts';
import { type ReadOptions, readPicture } from './read.ts';

/** Rows from the top, nothing between them; the fourth channel is opacity, not multiplied into the others. */
export interface Pixels {
  width: number;
  height: number;
  /** Grey, red-green-blue, or with opacity. */
  channels: 1 | 3 | 4;
  data: Uint8Array;
}

export type PictureFormat = 'png' | 'jpeg' | 'gif';

export interface Sharp {
  /** A format without opacity shows the picture on white. */
  encode(pixels: Pixels, format: PictureFormat): Promise<Buffer>;
  /** As `encode`, into a file: large pictures are then never in memory twice. */
  encodeTo(path: string, pixels: Pixels, format: PictureFormat): Promise<void>;
  /** Red, green and blue of a JPEG file as it holds them; undefined where it cannot be read. */
  decodeJpeg(file: Uint8Array): Promise<Colours | undefined>;
  /** Four bytes a pixel, 255 for full ink, as a JPEG picture. */
  encodeCmyk(pixels: Colours): Promise<Picture>;
  /** Gauss's blur; a radius too small to be seen changes nothing. */
  blur<P extends Pixels>(pixels: P, radius: number): Promise<P>;
  /**
   * A picture file (PNG, JPEG, GIF, BMP, TIFF, WebP) as a PDF can hold it; pdf/images/pictures.ts embeds it. Problems name
   * the field: unsupported_file_type where it cannot be read, invalid_parameter above 200 megapixels.
   */
  read(file: InputFile, options: ReadOptions): Promise<Picture>;
}

const JPEG_QUALITY = 92;
/** Higher levels cost several times as long for a few percent. */
const PNG_LEVEL = 6;
/** 1 to 10: how hard colours are searched for. */
const GIF_EFFORT = 3;

/** What libvips takes for a blur. */
const LEAST_BLUR = 0.3;

type Package = typeof SharpPackage;
let loading: Promise<Package> | undefined;

async function load(): Promise<Package> {
  const { default: sharp } = await import('sharp');
  // A worker does one job at a time and is bounded in memory: nothing is kept, no threads of its own.
  sharp.cache(false);
  sharp.concurrency(1);
  return sharp;
}

async function encoder({ width, height, channels, data }: Pixels, format: PictureFormat) {
  loading ??= load();
  const sharp = await loading;
  const read = sharp(data, { raw: { width, height, channels }, limitInputPixels: false });
  // What is grey stays so: red, green and blue of it would say the same three times.
  const picture = channels === 1 ? read.toColourspace('b-w') : read;
  if (format === 'png') return picture.png({ compressionLevel: PNG_LEVEL });
  if (format === 'gif') return picture.gif({ effort: GIF_EFFORT });
  return picture.flatten({ background: '#ffffff' }).jpeg({ quality: JPEG_QUALITY });
}

export function createSharp(): Sharp {
  return {
    async encode(pixels, format) {
      return (await encoder(pixels, format)).toBuffer();
    },
    async encodeTo(path, pixels, format) {
      await (await encoder(pixels, format)).toFile(path);
    },
    async decodeJpeg(file) {
      loading ??= load();
      return decodeJpeg(await loading, file);
    },
    async encodeCmyk(pixels) {
      loading ??= load();
      return encodeCmyk(await loading, pixels);
    },
    async blur(pixels, radius) {
      if (radius < LEAST_BLUR) return pixels;
      loading ??= load();
      const sharp = await loading;
      const { width, height, channels, data } = pixels;
      const picture = sharp(data, { raw: { width, height, channels }, limitInputPixels: false });
      const grey = channels === 1 ? picture.toColourspace('b-w') : picture;
      return { ...pixels, data: await grey.blur(radius).raw().toBuffer() };
    },
    async read(file, options) {
      loading ??= load();
      return readPicture(await loading, file, options);
    },
  };
}

/** Whether this machine has the engine. Nothing is loaded: libvips takes tens of megabytes. */
export async function probe(): Promise<EngineState> {
  try {
    const home = new URL('../package.json', import.meta.resolve('sharp'));
    const { version, optionalDependencies } = JSON.parse(await readFile(home, 'utf8')) as {
      version: string;
      optionalDependencies: Record<string, string>;
    };
    const { resolve } = createRequire(home);
    const binaries = Object.keys(optionalDependencies).filter((name) => !name.includes('libvips'));
    if (binaries.some((name) => isThere(() => resolve(`${name}/package`))))
      return { available: true, version };
  } catch {
    // Told below.
  }
  return { available: false, missing: 'The npm package sharp is missing or damaged; run npm ci.' };
}

function isThere(resolve: () => string): boolean {
  try {
    return resolve() !== '';
  } catch {
    return false;
  }
}
