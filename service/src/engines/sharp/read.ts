// Image files as a PDF can hold them. JPEG and PNG data is kept as it is wherever readers of PDF understand it;
// all else is decoded and packed anew, without loss.
import type SharpPackage from 'sharp';
import type { Metadata } from 'sharp';
import type { InputFile } from '../../contract/files.ts';
import { sniff } from '../../contract/kinds.ts';
import { LIMITS } from '../../contract/limits.ts';
import { invalidParameter, Problem } from '../../contract/problems.ts';
import type { ImageXObject } from '../../pdf/images/image-xobjects.ts';
import type { LaidPixels } from '../../pdf/images/scan-file.ts';
import { bmpSize, readBmp } from './bmp.ts';
import { wholeGrey } from './float-grey.ts';
import { readJpeg } from './jpeg.ts';
import { readPng } from './png.ts';
import {
  asFax,
  ccittImage,
  decodeImage,
  fromPng,
  inTwoColours,
  isGrey,
  type Lossy,
  makeLeaner,
  type Open,
  profileOf,
  turnGrey,
} from './repack.ts';
import { isLabTiff, isWholeFax, readOneBitTiff } from './tiff.ts';

type Package = typeof SharpPackage;
type Opened = ReturnType<Package>;

export interface ReadOptions {
  /** The field that brought the file: problems name it. */
  field: string;
  /** Which frame of a TIFF or an animation, from 0. */
  frame?: number;
  /** Recoloured: shades of grey, or black and white only. */
  colours?: 'grey' | 'two' | undefined;
  /** As JPEG where that is smaller, within so many pixels. */
  lossy?: Lossy | undefined;
}

/** Operations 3, img/pdf: "200 megapixels each". */
const MAX_PIXELS = 200_000_000;

export async function readImage(
  sharp: Package,
  file: InputFile,
  { field, frame = 0, colours, lossy }: ReadOptions,
): Promise<ImageXObject> {
  try {
    const { open, facts } = await opened(sharp, file, frame, field);
    const image = await asAsked(sharp, open, { file, facts, frame, colours });
    return lossy === undefined ? image : await makeLeaner(open, image, lossy);
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw unreadable(file, field, error);
  }
}

/** What libvips writes before the pixels of an image in its own format. */
const LAID_HEADER_BYTES = 64;

/** The image upright on white, eight bits deep, its pixels laid into a file whose name ends in .v. */
export async function flattenImage(
  sharp: Package,
  file: InputFile,
  path: string,
  { field, frame = 0 }: ReadOptions,
): Promise<LaidPixels & { dpi?: number }> {
  try {
    const { open, facts } = await opened(sharp, file, frame, field);
    const upright = open().autoOrient().flatten({ background: '#ffffff' }).toColourspace('srgb');
    const { width, height, channels } = await upright.toFile(path);
    if (channels !== 3) throw new Error('the decoder made no colours');
    const dpi = facts.density ? { dpi: facts.density } : {};
    return { path, width, height, dataAt: LAID_HEADER_BYTES, isGrey: isGrey(facts), ...dpi };
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw unreadable(file, field, error);
  }
}

async function opened(sharp: Package, file: InputFile, frame: number, field: string) {
  if (sniff(file.head()) === 'bmp') return bitmap(sharp, file, field);
  const facts = await factsOf(sharp, file, frame);
  checkSize(facts, file.name, field);
  // Its numbers would be taken for red, green and blue.
  if (facts.space === 'multiband' && isLabTiff(file.bytes())) throw unreadable(file, field);
  const open: Open = (options = {}) =>
    sharp(source(file), { failOn: 'error', limitInputPixels: MAX_PIXELS, page: frame, ...options });
  const whole = await wholeGrey(open, facts);
  if (!whole) return { open, facts };
  const again: Open = (options = {}) => sharp(whole, { limitInputPixels: MAX_PIXELS, ...options });
  const { density, icc } = facts;
  return {
    open: again,
    facts: { ...(await again().metadata()), ...(density && { density }), ...(icc && { icc }) },
  };
}

interface Asked extends Pick<ReadOptions, 'colours'> {
  file: InputFile;
  facts: Metadata;
  frame: number;
}

async function asAsked(
  sharp: Package,
  open: Open,
  { file, facts, frame, colours }: Asked,
): Promise<ImageXObject> {
  const kind = sniff(file.head());
  if (colours === 'two') return inTwoColours(open);
  if (colours === 'grey' && !isGrey(facts)) return turnGrey(sharp, open, facts, kind === 'jpeg');
  const kept =
    kind === 'jpeg'
      ? await keptJpeg(open, file, facts)
      : kind === 'png'
        ? await keptPng(open, file, facts)
        : kind === 'tiff'
          ? await fax(open, file, facts, frame)
          : undefined;
  return kept ?? decodeImage(sharp, open, facts);
}

/** How many pages of a document the file makes: "each frame of a TIFF is a page, of an animation only the first". */
export async function framesOf(sharp: Package, file: InputFile, field: string): Promise<number> {
  if (sniff(file.head()) !== 'tiff') return 1;
  try {
    return Math.min((await factsOf(sharp, file, 0)).pages ?? 1, LIMITS.resultingPages);
  } catch (error) {
    throw unreadable(file, field, error);
  }
}

const source = ({ content }: InputFile): string | Uint8Array =>
  'path' in content ? content.path : content.bytes;

/** Reads headers only: an image too large is known before any pixel is. */
const factsOf = (sharp: Package, file: InputFile, page: number): Promise<Metadata> =>
  sharp(source(file), { failOn: 'error', limitInputPixels: false, page }).metadata();

function unreadable(file: InputFile, field: string, cause?: unknown): Problem {
  const why =
    sniff(file.head()) === 'tiff' && isLabTiff(file.bytes())
      ? 'is a TIFF in Lab colours that cannot be read; TIFF in grey, RGB or CMYK is taken, Lab with 16 bits only.'
      : 'is not a readable picture; PNG, JPEG, GIF, BMP, TIFF, WebP and AVIF are taken.';
  return new Problem('unsupported_file_type', `${field}: ${file.name} ${why}`, { cause });
}

function checkSize({ width, height }: { width: number; height: number }, name: string, field: string): void {
  if (width * height <= MAX_PIXELS) return;
  throw invalidParameter(
    `${field}: ${name} has ${width} by ${height} pixels; at most 200 megapixels are taken.`,
  );
}

/** Reads all of the file, so that nothing broken is embedded. */
async function verify(image: Opened): Promise<void> {
  await image.resize(16, 16, { fit: 'fill', kernel: 'nearest', fastShrinkOnLoad: true }).raw().toBuffer();
}

async function keptJpeg(open: Open, file: InputFile, facts: Metadata): Promise<ImageXObject | undefined> {
  const data = file.bytes();
  const jpeg = readJpeg(data);
  const components = jpeg?.components;
  if (!jpeg?.isCommon || jpeg.bits !== 8 || (components !== 1 && components !== 3 && components !== 4))
    return undefined;
  await verify(open());
  return {
    width: jpeg.width,
    height: jpeg.height,
    orientation: facts.orientation ?? 1,
    components,
    bits: 8,
    coding: 'jpeg',
    data,
    // Files with inks hold them as Adobe's do, whether or not they say so: every viewer takes them so.
    inverted: components === 4,
    plainRgb: jpeg.isPlainRgb,
    ...profileOf(facts, components),
  };
}

async function keptPng(open: Open, file: InputFile, facts: Metadata): Promise<ImageXObject | undefined> {
  const png = readPng(file.bytes());
  if (!png || png.interlaced || png.hasClearColours || ![0, 2, 3].includes(png.colourType)) return undefined;
  if (png.colourType === 3 && (!png.palette || png.palette.length < 3 || png.bits > 8)) return undefined;
  await verify(open());
  return {
    ...fromPng(png),
    orientation: facts.orientation ?? 1,
    ...profileOf(facts, png.colourType === 0 ? 1 : 3),
  };
}

function bitmap(sharp: Package, file: InputFile, field: string): { open: Open; facts: Metadata } {
  const bytes = file.bytes();
  const size = bmpSize(bytes);
  if (size) checkSize(size, file.name, field);
  const pixels = size && readBmp(bytes);
  if (!pixels) throw unreadable(file, field);
  const { width, height, channels, data } = pixels;
  const open = () => sharp(data, { raw: { width, height, channels }, limitInputPixels: false });
  const facts = { width, height, hasAlpha: channels === 4, space: 'srgb', depth: 'uchar' } as Metadata;
  return { open, facts };
}

/** A scan in black and white stays one bit a pixel, and a fax stays the fax it is. */
async function fax(
  open: Open,
  file: InputFile,
  facts: Metadata,
  frame: number,
): Promise<ImageXObject | undefined> {
  if (facts.space !== 'b-w' || facts.bitsPerSample !== 1 || facts.channels !== 1) return undefined;
  const orientation = facts.orientation ?? 1;
  const tiff = readOneBitTiff(file.bytes(), frame);
  const whole = tiff && isWholeFax(tiff) ? tiff.strips[0] : undefined;
  if (!tiff || !whole) return { ...(await asFax(open().toColourspace('b-w'))), orientation };
  await verify(open());
  const { width, height, whiteIsZero } = tiff;
  return { ...ccittImage(width, height, whole), orientation, inverted: !whiteIsZero };
}
