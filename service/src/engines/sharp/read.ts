// Picture files as a PDF can hold them. JPEG and PNG data is kept as it is wherever readers of PDF understand it;
// all else is decoded and packed anew, without loss.
import type SharpPackage from 'sharp';
import type { Metadata } from 'sharp';
import type { InputFile } from '../../contract/files.ts';
import { sniff } from '../../contract/kinds.ts';
import { MIB } from '../../contract/limits.ts';
import { Problem } from '../../contract/problems.ts';
import type { Picture } from '../../pdf/images/pictures.ts';
import { bmpSize, readBmp } from './bmp.ts';
import { readJpeg } from './jpeg.ts';
import { readPng } from './png.ts';

type Package = typeof SharpPackage;
type Opened = ReturnType<Package>;

export interface ReadOptions {
  /** The field that brought the file: problems name it. */
  field: string;
  /** Which frame of a TIFF or an animation, from 0. */
  frame?: number;
}

/** Operations 3, img/pdf: "200 megapixels each". */
export const MAX_PIXELS = 200_000_000;
const MAX_PROFILE_BYTES = 4 * MIB;
const PROFILE_SPACES: Record<string, number> = { GRAY: 1, 'RGB ': 3, CMYK: 4 };

export async function readPicture(
  sharp: Package,
  file: InputFile,
  { field, frame = 0 }: ReadOptions,
): Promise<Picture> {
  try {
    const kind = sniff(file.head());
    if (kind === 'bmp') return await bitmap(sharp, file, field);
    const open = (): Opened =>
      sharp('path' in file.content ? file.content.path : file.content.bytes, {
        failOn: 'error',
        limitInputPixels: MAX_PIXELS,
        page: frame,
      });
    const facts = await sharp('path' in file.content ? file.content.path : file.content.bytes, {
      failOn: 'error',
      limitInputPixels: false,
      page: frame,
    }).metadata();
    checkSize(facts, file.name, field);
    if (kind === 'jpeg') return (await keptJpeg(open, file, facts)) ?? (await decoded(sharp, open, facts));
    if (kind === 'png') return (await keptPng(open, file, facts)) ?? (await decoded(sharp, open, facts));
    return await decoded(sharp, open, facts);
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw unreadable(file.name, field, error);
  }
}

const unreadable = (name: string, field: string, cause?: unknown): Problem =>
  new Problem(
    'unsupported_file_type',
    `${field}: ${name} is not a readable picture; PNG, JPEG, GIF, BMP, TIFF and WebP are taken.`,
    { cause },
  );

function checkSize({ width, height }: { width: number; height: number }, name: string, field: string): void {
  if (width * height <= MAX_PIXELS) return;
  throw new Problem(
    'invalid_parameter',
    `${field}: ${name} has ${width} by ${height} pixels; at most 200 megapixels are taken.`,
  );
}

/** Reads all of the file, so that nothing broken is embedded. */
async function verify(picture: Opened): Promise<void> {
  await picture.resize(16, 16, { fit: 'fill', kernel: 'nearest', fastShrinkOnLoad: true }).raw().toBuffer();
}

async function keptJpeg(open: () => Opened, file: InputFile, facts: Metadata): Promise<Picture | undefined> {
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
    inverted: components === 4 && jpeg.isAdobe,
    plainRgb: jpeg.isPlainRgb,
    ...profileOf(facts, components),
  };
}

async function keptPng(open: () => Opened, file: InputFile, facts: Metadata): Promise<Picture | undefined> {
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

function fromPng({
  width,
  height,
  bits,
  colourType,
  palette,
  rows,
}: NonNullable<ReturnType<typeof readPng>>): Picture {
  const indexed = colourType === 3 && palette;
  return {
    width,
    height,
    orientation: 1,
    components: colourType === 0 ? 1 : 3,
    bits,
    coding: 'png',
    data: rows,
    ...(indexed ? { palette: palette.subarray(0, 3 * Math.min(256, Math.floor(palette.length / 3))) } : {}),
  };
}

function profileOf({ icc }: Metadata, components: number): { profile?: Uint8Array } {
  if (!icc || icc.length < 132 || icc.length > MAX_PROFILE_BYTES) return {};
  const fits =
    icc.toString('latin1', 36, 40) === 'acsp' &&
    PROFILE_SPACES[icc.toString('latin1', 16, 20)] === components;
  return fits ? { profile: icc } : {};
}

async function bitmap(sharp: Package, file: InputFile, field: string): Promise<Picture> {
  const bytes = file.bytes();
  const size = bmpSize(bytes);
  if (size) checkSize(size, file.name, field);
  const pixels = size && readBmp(bytes);
  if (!pixels) throw unreadable(file.name, field);
  const { width, height, channels, data } = pixels;
  const open = () => sharp(data, { raw: { width, height, channels }, limitInputPixels: false });
  return decoded(sharp, open, { hasAlpha: channels === 4, space: 'srgb' });
}

/** Decoded to 8 bits, grey or sRGB, upright. The file is read once for colour and once for opacity: never all in memory. */
async function decoded(
  sharp: Package,
  open: () => Opened,
  { space, hasAlpha }: Pick<Metadata, 'space' | 'hasAlpha'>,
): Promise<Picture> {
  const isGrey = space === 'b-w' || space === 'grey16';
  const colour = await packed(
    open()
      .autoOrient()
      .removeAlpha()
      .toColourspace(isGrey ? 'b-w' : 'srgb'),
  );
  if (!hasAlpha) return colour;
  const opacity = open()
    .autoOrient()
    .toColourspace('srgb')
    .ensureAlpha()
    .extractChannel(3)
    .toColourspace('b-w');
  const file = await opacity.png(PACKING).toBuffer();
  const { channels } = await sharp(file).stats();
  const alpha = channels[0]?.min === 255 ? undefined : readPng(file);
  return alpha ? { ...colour, alpha: fromPng(alpha) } : colour;
}

/** Rows filtered before they are deflated: photographs come out a third smaller. */
const PACKING = { compressionLevel: 6, adaptiveFiltering: true, palette: false } as const;

async function packed(picture: Opened): Promise<Picture> {
  const png = readPng(await picture.png(PACKING).toBuffer());
  if (!png) throw new Error('the encoder made no PNG');
  return fromPng(png);
}
