// Images decoded and packed anew, as a PDF can hold them: nothing is lost, unless other colours were asked for.

import { deflateSync } from 'node:zlib';
import type SharpPackage from 'sharp';
import type { Metadata, ResizeOptions, SharpOptions } from 'sharp';
import { MIB } from '../../contract/limits.ts';
import { lookup } from '../../contract/lookup.ts';
import { encodeFax } from '../../pdf/filters/ccitt-g4-encoder.ts';
import type { ImageXObject } from '../../pdf/images/image-xobjects.ts';
import { readJpeg } from './jpeg.ts';
import { type PngParts, readPng } from './png.ts';
import { readOneBitTiff } from './tiff.ts';

type Package = typeof SharpPackage;
type Opened = ReturnType<Package>;
/** The image once more from its file: never all of it is in memory. */
export type Open = (options?: SharpOptions) => Opened;
type Facts = Pick<Metadata, 'space' | 'depth' | 'hasAlpha' | 'icc' | 'width' | 'height'>;

const MAX_PROFILE_BYTES = 4 * MIB;
const PROFILE_SPACES: Record<string, number> = lookup({ GRAY: 1, 'RGB ': 3, CMYK: 4 });
/** Rows filtered before they are deflated: photographs come out a third smaller. */
const PACKING = { compressionLevel: 6, adaptiveFiltering: true, palette: false } as const;
const JPEG_QUALITY = 92;
const MIDDLE_GREY = 128;
/** Inks of an image are in memory at once; larger ones become red, green and blue. */
const MAX_INK_PIXELS = 60_000_000;

export const isGrey = ({ space }: Pick<Facts, 'space'>): boolean => space === 'b-w' || space === 'grey16';

/** Grey, red-green-blue or inks; upright; as deep as it was, with the profile it came with. */
export async function decodeImage(sharp: Package, open: Open, facts: Partial<Facts>): Promise<ImageXObject> {
  const { space, depth, hasAlpha, width = 0, height = 0 } = facts;
  if (space === 'cmyk' && width * height <= MAX_INK_PIXELS) return inks(open, facts);
  const grey = space !== undefined && isGrey({ space });
  const kept = profileOf(facts, grey ? 1 : 3);
  // Colours stay as they are where the profile says what they mean.
  const ignoreIcc = kept.profile !== undefined;
  const deep = depth === 'ushort';
  const colour = await packed(
    open({ ignoreIcc })
      .autoOrient()
      .removeAlpha()
      .toColourspace(grey ? (deep ? 'grey16' : 'b-w') : deep ? 'rgb16' : 'srgb'),
  );
  return { ...colour, ...kept, ...(hasAlpha ? await opacity(sharp, open) : {}) };
}

/** Shades of grey; what came as JPEG goes as JPEG. */
export async function turnGrey(
  sharp: Package,
  open: Open,
  { hasAlpha, width = 0, height = 0 }: Partial<Facts>,
  isPhoto: boolean,
): Promise<ImageXObject> {
  const grey = open().autoOrient().removeAlpha().greyscale().toColourspace('b-w');
  if (!isPhoto) return { ...(await packed(grey)), ...(hasAlpha ? await opacity(sharp, open) : {}) };
  // The best codes are found with all of the image in memory.
  const optimiseCoding = width * height <= MAX_INK_PIXELS;
  return photo(await grey.jpeg({ quality: JPEG_QUALITY, optimiseCoding }).toBuffer());
}

export interface Lossy {
  /** 1 to 100 */
  quality: number;
  width?: number;
  height?: number;
}

/** The image on white as JPEG, where that is smaller. */
export async function makeLeaner(open: Open, image: ImageXObject, lossy: Lossy): Promise<ImageXObject> {
  const { quality, width, height } = lossy;
  if (image.coding === 'fax') return image;
  const grey = image.components === 1;
  const upright = open().autoOrient().flatten({ background: '#ffffff' });
  const bound = { width, height, fit: 'inside', withoutEnlargement: true } as const;
  const sized =
    width === undefined && height === undefined ? upright : upright.resize(bound as ResizeOptions);
  const data = await sized
    .toColourspace(grey ? 'b-w' : 'srgb')
    .jpeg({ quality })
    .toBuffer();
  return data.length < image.data.length + (image.alpha?.data.length ?? 0) ? photo(data) : image;
}

/** A JPEG file that we have written. */
function photo(data: Buffer): ImageXObject {
  const facts = readJpeg(data);
  const components = facts?.components;
  if (!facts || (components !== 1 && components !== 3)) throw new Error('the encoder made no JPEG');
  const { width, height } = facts;
  return { width, height, orientation: 1, components, bits: 8, coding: 'jpeg', data };
}

/** Black where it is darker than the middle; clear parts are white. */
export const inTwoColours = (open: Open): Promise<ImageXObject> =>
  asFax(
    open()
      .autoOrient()
      .flatten({ background: '#ffffff' })
      .greyscale()
      .threshold(MIDDLE_GREY)
      .toColourspace('b-w'),
  );

/** An image of black and white only. Its rows come as bits, an eighth of its pixels. */
export async function asFax(image: Opened): Promise<ImageXObject> {
  const file = await image.tiff({ compression: 'none', bitdepth: 1, predictor: 'none' }).toBuffer();
  const tiff = readOneBitTiff(file, 0);
  if (tiff?.compression !== 1) throw new Error('the encoder made no bits');
  const { width, height, strips, whiteIsZero } = tiff;
  const rowBytes = Math.ceil(width / 8);
  function* rows(): Generator<Uint8Array> {
    for (const strip of strips)
      for (let at = 0; at + rowBytes <= strip.length; at += rowBytes) yield strip.subarray(at, at + rowBytes);
  }
  return ccittImage(width, height, encodeFax(rows(), width, { setIsBlack: whiteIsZero }));
}

export const ccittImage = (width: number, height: number, data: Uint8Array): ImageXObject => ({
  width,
  height,
  orientation: 1,
  components: 1,
  bits: 1,
  coding: 'fax',
  data,
});

export function fromPng({ width, height, bits, colourType, palette, rows }: PngParts): ImageXObject {
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

export function profileOf({ icc }: Partial<Facts>, components: number): { profile?: Uint8Array } {
  if (!icc || icc.length < 132 || icc.length > MAX_PROFILE_BYTES) return {};
  const fits =
    icc.toString('latin1', 36, 40) === 'acsp' &&
    PROFILE_SPACES[icc.toString('latin1', 16, 20)] === components;
  return fits ? { profile: icc } : {};
}

async function packed(image: Opened): Promise<ImageXObject> {
  const png = readPng(await image.png(PACKING).toBuffer());
  if (!png) throw new Error('the encoder made no PNG');
  return fromPng(png);
}

/** Nothing where all of it is opaque. */
async function opacity(sharp: Package, open: Open): Promise<{ alpha?: ImageXObject }> {
  const channel = open()
    .autoOrient()
    .toColourspace('srgb')
    .ensureAlpha()
    .extractChannel(3)
    .toColourspace('b-w');
  const file = await channel.png(PACKING).toBuffer();
  const { channels } = await sharp(file, { limitInputPixels: false }).stats();
  const alpha = channels[0]?.min === 255 ? undefined : readPng(file);
  return alpha ? { alpha: fromPng(alpha) } : {};
}

/** Four inks a pixel, which PNG knows not: rows with its filter "up". */
async function inks(open: Open, facts: Partial<Facts>): Promise<ImageXObject> {
  const { data, info } = await open({ ignoreIcc: true })
    .pipelineColourspace('cmyk')
    .autoOrient()
    .removeAlpha()
    .toColourspace('cmyk')
    .raw()
    .toBuffer({ resolveWithObject: true });
  if (info.channels !== 4) throw new Error('the decoder made no inks');
  const { width, height } = info;
  const rowBytes = width * 4;
  const rows = Buffer.alloc((rowBytes + 1) * height);
  for (let y = 0; y < height; y += 1) {
    const to = y * (rowBytes + 1);
    const from = y * rowBytes;
    rows[to] = UP;
    for (let x = 0; x < rowBytes; x += 1)
      rows[to + 1 + x] = (data[from + x] ?? 0) - (y === 0 ? 0 : (data[from + x - rowBytes] ?? 0));
  }
  const image = { width, height, orientation: 1, components: 4, bits: 8, coding: 'png' } as const;
  return { ...image, data: deflateSync(rows), ...profileOf(facts, 4) };
}

/** PNG's filter type "up". */
const UP = 2;
