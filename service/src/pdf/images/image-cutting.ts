// Images that cross the edge of a crop lose the pixels outside, where their data can be undone without loss.

import { lookup } from '../../contract/lookup.ts';
import type { PdfDocument } from '../document.ts';
import { type Box, intersection, type PixelBox } from '../geometry/boxes.ts';
import { boxThrough, inverse, type Matrix } from '../geometry/matrix.ts';
import { cloneValue, Dict, type PdfValue, Ref, Stream } from '../objects.ts';

export interface CutImage {
  image: Ref;
  /** Where it stands within the unit square of the whole image. */
  matrix: Matrix;
}

const MAX_BYTES = 256 * 1024 * 1024;

/** Nothing where the image is turned, or its data is in a codec that cannot be cut without loss. */
export function cutImage(doc: PdfDocument, ref: Ref, ctm: Matrix, keep: Box): CutImage | undefined {
  const [, b, c] = ctm;
  const back = b === 0 && c === 0 ? inverse(ctm) : undefined;
  const seen = back && intersection(boxThrough(back, keep), { left: 0, bottom: 0, right: 1, top: 1 });
  const stream = doc.get(ref);
  if (!seen || !(stream instanceof Stream)) return undefined;
  const size = pixelSize(doc, stream.dict);
  if (!size) return undefined;
  const pixels = pixelsOf(seen, size);
  const masks = ['SMask', 'Mask'].filter((key) => doc.resolve(stream.dict.get(key)) instanceof Stream);
  const cutMasks = new Map<string, Ref>();
  for (const key of masks) {
    const held = stream.dict.get(key);
    const mask = held instanceof Ref ? doc.get(held) : undefined;
    const own = mask instanceof Stream ? pixelSize(doc, mask.dict) : undefined;
    const cut =
      held instanceof Ref && own?.width === size.width && own.height === size.height
        ? cutPixels(doc, held, pixels)
        : undefined;
    if (!cut) return undefined;
    cutMasks.set(key, cut);
  }
  const image = cutPixels(doc, ref, pixels);
  if (!image) return undefined;
  for (const [key, mask] of cutMasks) doc.edit(image).set(key, mask);
  return {
    image,
    matrix: [
      (pixels.right - pixels.left) / size.width,
      0,
      0,
      (pixels.bottom - pixels.top) / size.height,
      pixels.left / size.width,
      1 - pixels.bottom / size.height,
    ],
  };
}

export function pixelSize(doc: PdfDocument, dict: Dict): { width: number; height: number } | undefined {
  const [width, height] = [doc.number(dict.get('Width')), doc.number(dict.get('Height'))];
  const isSize = (value: number | undefined): value is number =>
    value !== undefined && Number.isInteger(value) && value > 0 && value < 1_000_000;
  return isSize(width) && isSize(height) ? { width, height } : undefined;
}

function pixelsOf(
  { left, bottom, right, top }: Box,
  { width, height }: { width: number; height: number },
): PixelBox {
  return {
    left: Math.max(0, Math.floor(left * width)),
    right: Math.min(width, Math.max(1, Math.ceil(right * width))),
    top: Math.max(0, Math.floor((1 - top) * height)),
    bottom: Math.min(height, Math.max(1, Math.ceil((1 - bottom) * height))),
  };
}

function cutPixels(doc: PdfDocument, ref: Ref, pixels: PixelBox): Ref | undefined {
  const dict = doc.dict(ref) ?? new Dict();
  const size = pixelSize(doc, dict);
  const bits = bitsPerPixel(doc, dict);
  // A matte colour is mixed into the pixels by the place they stand at.
  if (!size || !bits || dict.has('Matte') || pixels.right <= pixels.left || pixels.bottom <= pixels.top)
    return undefined;
  const rowBytes = Math.ceil((size.width * bits) / 8);
  if (rowBytes * size.height > MAX_BYTES) return undefined;
  const { bytes, decoded } = doc.streamData(ref);
  if (!decoded || bytes.length < rowBytes * size.height) return undefined;
  const copy = cloneValue(dict);
  for (const key of ['Filter', 'DecodeParms', 'Length', 'Metadata', 'Alternates', 'OPI', 'StructParent'])
    copy.delete(key);
  copy.set('Width', pixels.right - pixels.left);
  copy.set('Height', pixels.bottom - pixels.top);
  return doc.addStream(copy, cutRows(bytes, rowBytes, bits, pixels));
}

export function bitsPerPixel(doc: PdfDocument, dict: Dict): number | undefined {
  if (doc.boolean(dict.get('ImageMask')) === true) return 1;
  const bits = doc.number(dict.get('BitsPerComponent'));
  const components = componentsOf(doc, dict.get('ColorSpace'));
  return bits !== undefined && [1, 2, 4, 8, 16].includes(bits) && components ? bits * components : undefined;
}

const COMPONENTS: Readonly<Record<string, number>> = lookup({
  DeviceGray: 1,
  G: 1,
  CalGray: 1,
  Indexed: 1,
  I: 1,
  Separation: 1,
  DeviceRGB: 3,
  RGB: 3,
  CalRGB: 3,
  Lab: 3,
  DeviceCMYK: 4,
  CMYK: 4,
});

function componentsOf(doc: PdfDocument, space: PdfValue | undefined): number | undefined {
  const array = doc.array(space);
  const family = doc.name(array ? array[0] : space) ?? '';
  if (family === 'ICCBased') return doc.number(doc.dict(array?.[1])?.get('N'));
  if (family === 'DeviceN') return doc.array(array?.[1])?.length;
  return Object.hasOwn(COMPONENTS, family) ? COMPONENTS[family] : undefined;
}

function cutRows(bytes: Uint8Array, rowBytes: number, bits: number, pixels: PixelBox): Uint8Array {
  const firstBit = pixels.left * bits;
  const shift = firstBit % 8;
  const from = (firstBit - shift) / 8;
  const outBytes = Math.ceil(((pixels.right - pixels.left) * bits) / 8);
  const out = new Uint8Array(outBytes * (pixels.bottom - pixels.top));
  for (let row = pixels.top; row < pixels.bottom; row += 1) {
    const source = row * rowBytes + from;
    const target = (row - pixels.top) * outBytes;
    if (shift === 0) out.set(bytes.subarray(source, source + outBytes), target);
    else
      for (let at = 0; at < outBytes; at += 1)
        out[target + at] =
          ((bytes[source + at] ?? 0) << shift) | ((bytes[source + at + 1] ?? 0) >> (8 - shift));
  }
  return out;
}
