// Pixels under boxes are overwritten: samples as the file stores them where they can be undone without loss, else those
// that a renderer decodes.

import { copyStream } from '../content/stream-copies.ts';
import type { PdfDocument } from '../document.ts';
import { filtersOf, isPacking } from '../filters/stream-filters.ts';
import { bitsPerPixel, pixelSize } from '../images/image-cutting.ts';
import { BILEVEL_CODECS, bitsOf, isDrawn, putAlone, rgbOf } from '../images/rendered-image.ts';
import { Dict, isName, name, type PdfValue, Ref, Stream } from '../objects.ts';
import type { ImageWork } from './content-work.ts';
import { boundsOf, commonPart, type Quad, quadOf } from './quads.ts';

export interface PixelTools {
  /** Four bytes a pixel, of the only image on the only page of a new document; nothing where it cannot be read. */
  render(prepare: (sheet: PdfDocument) => void, width: number, height: number): Uint8Array | undefined;
  jpeg(rgb: Uint8Array, width: number, height: number): Promise<Uint8Array>;
}

const MAX_BYTES = 512 * 1024 * 1024;
/** Larger ones do not fit into a renderer's memory. */
const MAX_PIXELS = 60_000_000;

/** False where the pixels cannot be got at: the image must not stay. */
export async function overwriteImage(
  doc: PdfDocument,
  { image, areas }: Pick<ImageWork, 'image' | 'areas'>,
  tools: PixelTools,
): Promise<boolean> {
  const dict = doc.edit(image);
  for (const key of ['SMask', 'Mask']) {
    const mask = dict.get(key);
    if (!(mask instanceof Ref) || !(doc.get(mask) instanceof Stream)) continue;
    const copy = copyStream(doc, mask);
    dict.set(key, copy);
    if (!(await overwriteImage(doc, { image: copy, areas }, tools))) return false;
  }
  const codec = (filtersOf(doc, dict) ?? []).find((filter) => !isPacking(filter.name))?.name;
  if (codec === undefined) return overwriteSamples(doc, image, areas);
  return overwriteDecoded(doc, image, codec, areas, tools);
}

function overwriteSamples(doc: PdfDocument, image: Ref, areas: readonly Quad[]): boolean {
  const dict = doc.dict(image) ?? new Dict();
  const size = pixelSize(doc, dict);
  const bits = bitsPerPixel(doc, dict);
  if (!size || !bits) return false;
  const { width, height } = size;
  const rowBytes = Math.ceil((width * bits) / 8);
  const { bytes, decoded } = doc.streamData(image);
  if (!decoded || rowBytes * height > MAX_BYTES) return false;
  const samples = new Uint8Array(rowBytes * height);
  samples.set(bytes.subarray(0, samples.length));
  const isSet = doc.boolean(dict.get('ImageMask')) === true && !isInverted(doc, dict.get('Decode'));
  for (const { row, from, to } of pixelRuns(areas, width, height))
    setBits(samples, row * rowBytes * 8 + from * bits, row * rowBytes * 8 + to * bits, isSet);
  doc.replaceStreamData(image, samples);
  return true;
}

/** A mask's sample paints where it is 0, or 1 where the order is turned round. */
const isInverted = (doc: PdfDocument, decode: PdfValue | undefined): boolean =>
  doc.number(doc.array(decode)?.[0]) === 1;

/** The pixels that areas of the unit square touch, row by row from the top. */
function* pixelRuns(
  areas: readonly Quad[],
  width: number,
  height: number,
): Generator<{ row: number; from: number; to: number }> {
  for (const area of areas) {
    const { bottom, top } = boundsOf(area);
    const first = Math.max(0, Math.floor((1 - top) * height));
    const last = Math.min(height, Math.ceil((1 - bottom) * height));
    for (let row = first; row < last; row += 1) {
      const band = quadOf({ left: -10, right: 10, bottom: 1 - (row + 1) / height, top: 1 - row / height });
      const part = commonPart(area, band);
      if (part.length === 0) continue;
      const { left, right } = boundsOf(part);
      const from = Math.max(0, Math.floor(left * width));
      const to = Math.min(width, Math.ceil(right * width));
      if (to > from) yield { row, from, to };
    }
  }
}

function setBits(samples: Uint8Array, from: number, to: number, isSet: boolean): void {
  let at = from;
  for (; at < to && at % 8 !== 0; at += 1) setBit(samples, at, isSet);
  const whole = to - (to % 8);
  if (whole > at) {
    samples.fill(isSet ? 0xff : 0, at / 8, whole / 8);
    at = whole;
  }
  for (; at < to; at += 1) setBit(samples, at, isSet);
}

function setBit(samples: Uint8Array, at: number, isSet: boolean): void {
  const mask = 0x80 >> (at % 8);
  const byte = samples[at >> 3] ?? 0;
  samples[at >> 3] = isSet ? byte | mask : byte & ~mask;
}

async function overwriteDecoded(
  doc: PdfDocument,
  image: Ref,
  codec: string,
  areas: readonly Quad[],
  tools: PixelTools,
): Promise<boolean> {
  const dict = doc.dict(image) ?? new Dict();
  const size = pixelSize(doc, dict);
  // Opacity inside the codec has no other place to go.
  const isOpaque = (doc.number(dict.get('SMaskInData')) ?? 0) === 0;
  if (!size || size.width * size.height > MAX_PIXELS || !isOpaque) return false;
  const { width, height } = size;
  const bilevel = BILEVEL_CODECS.includes(codec);
  const packed = { ref: image, width, height, bilevel };
  const rgba = tools.render((sheet) => putAlone(sheet, doc, packed), width, height);
  if (!rgba || !isDrawn(rgba, size)) return false;
  if (bilevel) {
    doc.replaceStreamData(image, bitsOf(rgba, width, height));
    doc.edit(image).set('BitsPerComponent', 1);
    return overwriteSamples(doc, image, areas);
  }
  const rgb = rgbOf(rgba);
  for (const { row, from, to } of pixelRuns(areas, width, height))
    rgb.fill(0, (row * width + from) * 3, (row * width + to) * 3);
  doc.replaceStreamData(image, await tools.jpeg(rgb, width, height), name('DCTDecode'));
  const made = doc.edit(image);
  // Ranges of colours that count as transparent were told in the old colours.
  if (
    Array.isArray(doc.resolve(made.get('Mask'))) &&
    !isName(doc.resolve(made.get('ColorSpace')), 'DeviceRGB')
  )
    made.delete('Mask');
  made.set('ColorSpace', name('DeviceRGB'));
  made.set('BitsPerComponent', 8);
  for (const key of ['Decode', 'SMaskInData']) made.delete(key);
  return true;
}
