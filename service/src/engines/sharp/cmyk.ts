// JPEG files and plain pixels, where colours must not be managed on the way.
import type SharpPackage from 'sharp';
import type { ImageXObject } from '../../pdf/images/image-xobjects.ts';
import { readJpeg } from './jpeg.ts';

type Package = typeof SharpPackage;

const JPEG_QUALITY = 92;
const MAX_PIXELS = 200_000_000;

export interface Colours {
  width: number;
  height: number;
  data: Uint8Array;
}

/** Red, green and blue as the file holds them, whatever profile or orientation it names. */
export async function decodeJpeg(sharp: Package, file: Uint8Array): Promise<Colours | undefined> {
  try {
    const opened = sharp(file, { failOn: 'none', ignoreIcc: true, limitInputPixels: MAX_PIXELS });
    const { data, info } = await opened
      .toColourspace('srgb')
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    return info.channels === 3 ? { width: info.width, height: info.height, data } : undefined;
  } catch {
    return undefined;
  }
}

/** Four inks a pixel as JPEG. */
export async function encodeCmyk(sharp: Package, pixels: Colours): Promise<ImageXObject> {
  const data = await sharp(cmykTiff(pixels), { limitInputPixels: false })
    .pipelineColourspace('cmyk')
    .toColourspace('cmyk')
    .jpeg({ quality: JPEG_QUALITY })
    .toBuffer();
  const facts = readJpeg(data);
  if (facts?.components !== 4) throw new Error('the encoder made no CMYK');
  const { width, height } = pixels;
  return {
    width,
    height,
    orientation: 1,
    components: 4,
    bits: 8,
    coding: 'jpeg',
    data,
    inverted: facts.isAdobe,
  };
}

/** Plain pixels can be told to be CMYK only by a file: the plainest is TIFF without compression. */
export function cmykTiff({ width, height, data }: Colours): Buffer {
  const SHORT = 3;
  const LONG = 4;
  const fields: [number, number, number, number][] = [
    [256, LONG, 1, width],
    [257, LONG, 1, height],
    [258, SHORT, 4, 0],
    [259, SHORT, 1, 1],
    [262, SHORT, 1, 5],
    [273, LONG, 1, 0],
    [277, SHORT, 1, 4],
    [278, LONG, 1, height],
    [279, LONG, 1, data.length],
    [284, SHORT, 1, 1],
    [332, SHORT, 1, 1],
  ];
  const depthsAt = 10 + 12 * fields.length + 4;
  const head = Buffer.alloc(depthsAt + 8);
  head.write('II*\0', 'latin1');
  head.writeUInt32LE(8, 4);
  head.writeUInt16LE(fields.length, 8);
  for (const [index, [tag, type, count, value]] of fields.entries()) {
    const at = 10 + 12 * index;
    head.writeUInt16LE(tag, at);
    head.writeUInt16LE(type, at + 2);
    head.writeUInt32LE(count, at + 4);
    head.writeUInt32LE(tag === 258 ? depthsAt : tag === 273 ? head.length : value, at + 8);
  }
  for (let ink = 0; ink < 4; ink += 1) head.writeUInt16LE(8, depthsAt + 2 * ink);
  return Buffer.concat([head, data]);
}
