// Images of a document made smaller: fewer pixels, packed anew. Colours are not managed: samples stay what they are.
import type SharpPackage from 'sharp';
import type { Size } from '../../contract/raster.ts';
import type { Samples } from '../../pdf/compression/image-coder.ts';
import { cmykTiff } from './cmyk.ts';
import { readJpeg } from './jpeg.ts';
import { readPng } from './png.ts';

type Package = typeof SharpPackage;
type Opened = ReturnType<Package>;
const MAX_PIXELS = 200_000_000;
/** Filtered rows gain nothing from more. */
const PNG_LEVEL = 6;
const SPACES = { 1: 'b-w', 3: 'srgb', 4: 'cmyk' } as const;

/** A JPEG as a reader of PDF sees it; a smaller size is had while it is decoded. */
export async function decodeSamples(
  sharp: Package,
  file: Uint8Array,
  size?: Size,
): Promise<Samples | undefined> {
  const facts = readJpeg(file);
  const channels = facts?.components;
  if (!facts || !(channels === 1 || channels === 3 || channels === 4) || facts.bits !== 8) return undefined;
  try {
    // What is damaged stays as it is: a reader may see more in it than we do.
    const opened = sharp(file, { failOn: 'truncated', ignoreIcc: true, limitInputPixels: MAX_PIXELS });
    const inks = channels === 4 ? opened.pipelineColourspace('cmyk') : opened;
    const sized = size && channels !== 4 ? inks.resize({ ...size, fit: 'fill' }) : inks;
    const read = await rawOf(sized.toColourspace(SPACES[channels]), channels);
    if (!read) return undefined;
    // The decoder takes every file for one of Adobe's, which hold inks the other way round, and turns them.
    if (channels === 4) invert(read.data);
    return size && channels === 4 ? shrinkSamples(sharp, read, size) : read;
  } catch {
    return undefined;
  }
}

export async function shrinkSamples(sharp: Package, samples: Samples, size: Size): Promise<Samples> {
  const { channels } = samples;
  if (channels === 4) return shrinkInks(sharp, samples, size);
  const made = await rawOf(
    open(sharp, samples)
      .resize({ ...size, fit: 'fill' })
      .toColourspace(SPACES[channels]),
    channels,
  );
  if (!made) throw new Error('the picture changed its channels');
  return made;
}

/** Four channels would be taken for colour and opacity: each ink goes by itself. */
async function shrinkInks(sharp: Package, { width, height, data }: Samples, size: Size): Promise<Samples> {
  const made = new Uint8Array(size.width * size.height * 4);
  for (let ink = 0; ink < 4; ink += 1) {
    const plane = new Uint8Array(width * height);
    for (let at = 0, from = ink; at < plane.length; at += 1, from += 4) plane[at] = data[from] as number;
    const small = await shrinkSamples(sharp, { width, height, channels: 1, data: plane }, size);
    for (let at = 0, to = ink; to < made.length; at += 1, to += 4) made[to] = small.data[at] as number;
  }
  return { ...size, channels: 4, data: made };
}

/** `fine` keeps colour as sharp as brightness. */
export async function encodeSamples(
  sharp: Package,
  samples: Samples,
  quality: number,
  { fine }: { fine: boolean },
): Promise<Buffer> {
  const options = {
    quality,
    chromaSubsampling: fine ? '4:4:4' : '4:2:0',
    progressive: true,
    trellisQuantisation: true,
    overshootDeringing: true,
    optimiseScans: false,
    quantisationTable: 3,
  } as const;
  if (samples.channels !== 4) {
    const file = await open(sharp, samples).toColourspace(SPACES[samples.channels]).jpeg(options).toBuffer();
    if (readJpeg(file)?.components !== samples.channels) throw new Error('the encoder changed the channels');
    return file;
  }
  const inks = Uint8Array.from(samples.data);
  const turned = { width: samples.width, height: samples.height, data: inks };
  invert(inks);
  const file = await sharp(cmykTiff(turned), { limitInputPixels: false })
    .pipelineColourspace('cmyk')
    .toColourspace('cmyk')
    .jpeg(options)
    .toBuffer();
  const facts = readJpeg(file);
  if (facts?.components !== 4 || !facts.isAdobe) throw new Error('the encoder made no CMYK as Adobe has it');
  return file;
}

/** Deflated rows with the filters of PNG. */
export async function packSamples(sharp: Package, samples: Samples): Promise<Uint8Array> {
  if (samples.channels === 4) throw new Error('PNG knows no inks');
  const file = await open(sharp, samples)
    .toColourspace(SPACES[samples.channels])
    .png({ compressionLevel: PNG_LEVEL, adaptiveFiltering: true, palette: false })
    .toBuffer();
  const png = readPng(file);
  if (png?.bits !== 8 || png.colourType !== (samples.channels === 1 ? 0 : 2))
    throw new Error('the encoder made another kind of PNG');
  return png.rows;
}

function open(sharp: Package, { width, height, channels, data }: Samples): Opened {
  const read = sharp(data, { raw: { width, height, channels }, limitInputPixels: false });
  return channels === 1 ? read.toColourspace('b-w') : read;
}

async function rawOf(image: Opened, channels: 1 | 3 | 4): Promise<Samples | undefined> {
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true });
  if (info.channels !== channels) return undefined;
  return { width: info.width, height: info.height, channels, data };
}

function invert(data: Uint8Array): void {
  for (let at = 0; at < data.length; at += 1) data[at] = 255 - (data[at] as number);
}
