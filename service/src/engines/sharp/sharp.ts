// The door to sharp (libvips): pixels become files, files become images of a PDF. Loaded when first used, so that idle workers stay small.
import type SharpPackage from 'sharp';
import type { InputFile } from '../../contract/files.ts';
import type { Raster } from '../../contract/raster.ts';
import type { ImageCoder } from '../../pdf/compression/image-coder.ts';
import type { ImageXObject } from '../../pdf/images/image-xobjects.ts';
import type { LaidPixels } from '../../pdf/images/scan-file.ts';
import { writeBmp } from './bmp-file.ts';
import { type Colours, decodeJpeg, encodeCmyk } from './cmyk.ts';
import { isTooLargeForGif, writeLargeGif } from './large-gif.ts';
import type { EncodeOptions, Pixels, SpooledPixels } from './pixels.ts';
import { flattenImage, framesOf, type ReadOptions, readImage } from './read.ts';
import { decodeSamples, encodeSamples, packSamples, shrinkSamples } from './shrinking.ts';

export type ImageFormat = 'png' | 'jpeg' | 'gif' | 'webp' | 'tiff';
/** What images can be written to files as. */
export type ImageFileFormat = ImageFormat | 'bmp';

export interface Sharp {
  /** A format without opacity shows the image on white. */
  encode(pixels: Pixels | Raster, format: ImageFormat, options?: EncodeOptions): Promise<Buffer>;
  /**
   * As `encode`, into a file: large images are then never in memory twice. Those that do not fit into memory at all
   * come from a TIFF file of ours, and are read row by row.
   */
  encodeTo(
    path: string,
    pixels: Pixels | SpooledPixels,
    format: ImageFileFormat,
    options?: EncodeOptions,
  ): Promise<void>;
  /** Red, green and blue of a JPEG file as it holds them; undefined where it cannot be read. */
  decodeJpeg(file: Uint8Array): Promise<Colours | undefined>;
  /** Four bytes a pixel, 255 for full ink, as a JPEG image. */
  encodeCmyk(pixels: Colours): Promise<ImageXObject>;
  /** An image file of ours without its colours, no larger than so many pixels a side. */
  grey(file: Uint8Array, format: 'png' | 'jpeg', maxSide: number): Promise<Buffer>;
  /** Gauss's blur; a radius too small to be seen changes nothing. */
  blur<P extends Pixels>(pixels: P, radius: number): Promise<P>;
  /**
   * An image file (PNG, JPEG, GIF, BMP, TIFF, WebP, AVIF) as a PDF can hold it; pdf/images/image-xobjects.ts embeds it. Problems name
   * the field: unsupported_file_type where it cannot be read, invalid_parameter above 200 megapixels.
   */
  read(file: InputFile, options: ReadOptions): Promise<ImageXObject>;
  /**
   * The pixels of an image file, as `read` takes them, upright on white in a file of ours (its name ends in .v): they
   * need not be in memory at once. `dpi` where the image states it.
   */
  lay(file: InputFile, path: string, options: ReadOptions): Promise<LaidPixels & { dpi?: number }>;
  /** Frames that make pages of their own: those of a TIFF. */
  frames(file: InputFile, field: string): Promise<number>;
  /** Images of a document made smaller; their samples are not taken for colours. */
  samples: Omit<ImageCoder, 'decodeOther'>;
}

const JPEG_QUALITY = 92;
/** Higher levels cost several times as long for a few percent. */
const PNG_LEVEL = 6;
/** 1 to 10: how hard colours are searched for. */
const GIF_EFFORT = 3;
const WEBP_QUALITY = 90;
/** 0 to 6: more takes several times as long for a few percent. */
const WEBP_EFFORT = 2;
/** One bit a pixel, of a palette of two. */
const TWO_TONE_PNG = { palette: true, colours: 2, dither: 0, effort: 1, compressionLevel: 6 } as const;

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

function loaded(): Promise<Package> {
  loading ??= load();
  return loading;
}

async function encoder(source: Pixels | SpooledPixels, format: ImageFormat, options: EncodeOptions = {}) {
  const { dpi, twoTone = false, opaque = false, fewColours = false } = options;
  const read = opened(await loaded(), source);
  const image = opaque ? read.removeAlpha() : read;
  const stated = dpi === undefined ? image : image.withDensity(dpi);
  switch (format) {
    case 'png':
      if (fewColours)
        return stated.png({
          palette: true,
          colours: 256,
          dither: 0,
          quality: 100,
          effort: 4,
          compressionLevel: 9,
        });
      return twoTone ? stated.png(TWO_TONE_PNG) : stated.png({ compressionLevel: PNG_LEVEL });
    case 'gif':
      return stated.gif(twoTone ? { effort: 1, colours: 2, dither: 0 } : { effort: GIF_EFFORT });
    case 'webp':
      return stated.webp({ quality: WEBP_QUALITY, effort: WEBP_EFFORT });
    case 'tiff':
      return stated.tiff(
        twoTone
          ? { bitdepth: 1, compression: 'ccittfax4' }
          : { compression: 'deflate', predictor: 'horizontal' },
      );
    case 'jpeg':
      return stated.flatten({ background: '#ffffff' }).jpeg({ quality: JPEG_QUALITY });
  }
}

function opened(sharp: Package, source: Pixels | SpooledPixels) {
  const { channels } = source;
  const read =
    'tiff' in source
      ? sharp(source.tiff, { limitInputPixels: false, sequentialRead: true })
      : sharp(source.data, {
          raw: { width: source.width, height: source.height, channels: source.channels },
          limitInputPixels: false,
        });
  // What is grey stays so: red, green and blue of it would say the same three times.
  return channels === 1 ? read.toColourspace('b-w') : read;
}

export function createSharp(): Sharp {
  return {
    async encode(pixels, format, options) {
      const plain: Pixels = 'rgba' in pixels ? { ...pixels, channels: 4, data: pixels.rgba } : pixels;
      return (await encoder(plain, format, options)).toBuffer();
    },
    async encodeTo(path, pixels, format, options) {
      if (format === 'bmp') return writeBmp(path, pixels, options);
      if (format === 'gif' && 'tiff' in pixels && isTooLargeForGif(pixels.tiff)) {
        await writeLargeGif(await loaded(), path, pixels.tiff, options?.twoTone ?? false);
        return;
      }
      await (await encoder(pixels, format, options)).toFile(path);
    },
    decodeJpeg: async (file) => decodeJpeg(await loaded(), file),
    encodeCmyk: async (pixels) => encodeCmyk(await loaded(), pixels),
    async grey(file, format, maxSide) {
      const sharp = await loaded();
      const image = sharp(file, { limitInputPixels: false })
        .resize(maxSide, maxSide, { fit: 'inside', withoutEnlargement: true })
        .toColourspace('b-w');
      return (
        format === 'png' ? image.png({ compressionLevel: PNG_LEVEL }) : image.jpeg({ quality: JPEG_QUALITY })
      ).toBuffer();
    },
    async blur(pixels, radius) {
      if (radius < LEAST_BLUR) return pixels;
      const sharp = await loaded();
      const { width, height, channels, data } = pixels;
      const image = sharp(data, { raw: { width, height, channels }, limitInputPixels: false });
      const grey = channels === 1 ? image.toColourspace('b-w') : image;
      return { ...pixels, data: await grey.blur(radius).raw().toBuffer() };
    },
    read: async (file, options) => readImage(await loaded(), file, options),
    lay: async (file, path, options) => flattenImage(await loaded(), file, path, options),
    frames: async (file, field) => framesOf(await loaded(), file, field),
    samples: {
      decodeJpeg: async (file, size) => decodeSamples(await loaded(), file, size),
      shrink: async (samples, size) => shrinkSamples(await loaded(), samples, size),
      encodeJpeg: async (samples, quality, options) =>
        encodeSamples(await loaded(), samples, quality, options),
      pack: async (samples) => packSamples(await loaded(), samples),
    },
  };
}
