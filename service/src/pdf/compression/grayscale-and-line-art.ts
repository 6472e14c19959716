// Images without colour: shades of grey, or black lines on white.
import { deflateSync } from 'node:zlib';
import type { Size } from '../../contract/raster.ts';
import type { ColourSpace } from '../content/colour-spaces.ts';
import type { PdfDocument } from '../document.ts';
import { encodeFax } from '../filters/ccitt-g4-encoder.ts';
import { Dict, name, PdfString, type PdfValue } from '../objects.ts';
import type { ImageCoder, Samples } from './image-coder.ts';
import { type ImageFacts, paletteOf } from './image-facts.ts';
import { isNear, pack, type Recoded, WORTH_LOSING } from './image-packing.ts';
import { readSamples } from './image-samples.ts';
import { shrunkSize } from './image-size.ts';
import type { ImageLevel } from './levels.ts';
import { type ReadImage, smallestLossy } from './lossy-recoding.ts';
import { shrink } from './shrinking.ts';

export interface LineArt {
  /** Brightness in percent; what is darker becomes black. */
  threshold: number;
  /** How much edges are stressed, 1 to 3. */
  edge: number;
}

/** JPEG at levels that lose nothing else. */
const FINE_QUALITY = 90;
const DRAWN_SHADES = 16;
const DEVICE_GREY = name('DeviceGray');

/** The image in grey, or as line art; undefined where it has no colour, or none that can be told. */
export async function retone(
  doc: PdfDocument,
  facts: ImageFacts,
  place: Size | undefined,
  level: ImageLevel | undefined,
  coder: ImageCoder,
  lineArt: LineArt | undefined,
): Promise<Recoded | undefined> {
  if (facts.isStencil || facts.isOpacity || facts.bits === 1) return undefined;
  if (!lineArt && facts.space?.family === 'gray') return undefined;
  if (!lineArt && facts.space?.family === 'indexed') return greyPalette(doc, facts);
  if (facts.isExact) return undefined;
  if (!lineArt) return greyImage(doc, facts, place, level, coder);
  const size = place && level && shrunkSize(facts, place, level.dpi);
  const grey = await greySamples(doc, facts, coder, size);
  return grey && asLines(size ? await shrink(grey, size, coder) : grey, lineArt);
}

/** As small as the image would have become in its colours, or smaller. */
async function greyImage(
  doc: PdfDocument,
  facts: ImageFacts,
  place: Size | undefined,
  level: ImageLevel | undefined,
  coder: ImageCoder,
): Promise<Recoded | undefined> {
  const full = await greySamples(doc, facts, coder, undefined);
  if (!full) return undefined;
  const read: ReadImage = async () => ({ samples: full, space: DEVICE_GREY });
  const mayLose = level && !(facts.codec === 'packed' && isDrawing(full));
  const lossy = mayLose ? await smallestLossy(doc, facts, place, level, coder, read) : undefined;
  const exact = await greyExactly(facts, full, coder, lossy, level?.quality ?? FINE_QUALITY);
  const isBetter = lossy && (!exact || lossy.bytes.length < exact.bytes.length * WORTH_LOSING);
  const made = isBetter ? lossy : exact;
  const entries = { BitsPerComponent: 8, ...made?.entries, ColorSpace: DEVICE_GREY, Decode: null };
  return made && { ...made, entries };
}

/** Few shades: JPEG would blur them, and spare nothing. */
const isDrawing = ({ data }: Samples): boolean => {
  const shades = new Set<number>();
  for (let at = 0; at < data.length && shades.size <= DRAWN_SHADES; at += 1) shades.add(data[at] as number);
  return shades.size <= DRAWN_SHADES;
};

/** Every pixel; what was a JPEG or the like becomes one again. */
async function greyExactly(
  facts: ImageFacts,
  samples: Samples,
  coder: ImageCoder,
  rival: Recoded | undefined,
  quality: number,
): Promise<Recoded | undefined> {
  if (facts.codec === 'packed')
    return rival && !(await isNear(samples, coder, rival.bytes.length)) ? undefined : pack(samples, coder);
  if (rival) return undefined;
  const bytes = await coder.encodeJpeg(samples, quality, { fine: false });
  return { bytes, filter: 'DCTDecode', entries: {} };
}

const brightness = (r: number, g: number, b: number): number => 0.299 * r + 0.587 * g + 0.114 * b;

async function greySamples(
  doc: PdfDocument,
  facts: ImageFacts,
  coder: ImageCoder,
  size: Size | undefined,
): Promise<Samples | undefined> {
  const inverted = inversion(doc, facts);
  if (inverted === undefined) return undefined;
  if (facts.codec === 'jpeg2000') {
    const rendered = await coder.decodeOther(facts.ref, facts);
    return rendered && greyOf(rendered, undefined, false);
  }
  const read = await readSamples(doc, facts, coder, size);
  const space = facts.space?.family === 'indexed' ? facts.space.base : facts.space;
  return read && greyOf(read.samples, space, inverted);
}

/** Whether samples count from full to none; undefined where they are bent in other ways. */
function inversion(doc: PdfDocument, { dict }: ImageFacts): boolean | undefined {
  const decode = doc.array(dict.get('Decode'))?.map((each) => doc.number(each));
  if (!decode || decode.every((value, index) => value === index % 2)) return false;
  return decode.every((value, index) => value === 1 - (index % 2)) ? true : undefined;
}

function greyOf(samples: Samples, space: ColourSpace | undefined, inverted: boolean): Samples {
  const { width, height, channels, data } = samples;
  const grey = new Uint8Array(width * height);
  const at = (index: number): number => (inverted ? 255 - (data[index] as number) : (data[index] as number));
  const shades =
    channels === 1 && space
      ? Uint8Array.from({ length: 256 }, (_, value) => shade(space, [value]))
      : undefined;
  for (let to = 0, from = 0; to < grey.length; to += 1, from += channels) {
    if (channels === 1) grey[to] = shades?.[at(from)] ?? at(from);
    else {
      const light = channels === 4 ? 1 - at(from + 3) / 255 : 1;
      const part = (index: number): number => (channels === 4 ? 255 - at(from + index) : at(from + index));
      grey[to] = Math.round(light * brightness(part(0), part(1), part(2)));
    }
  }
  return { width, height, channels: 1, data: grey };
}

function shade(space: ColourSpace, values: readonly number[]): number {
  const [r, g, b] = space.rgb(values.map((value) => value / 255));
  return Math.round(255 * brightness(r, g, b));
}

/** Indices stay: only what they stand for changes. */
function greyPalette(doc: PdfDocument, { ref, dict, space }: ImageFacts): Recoded | undefined {
  const palette = paletteOf(doc, dict);
  const base = space?.base;
  if (!palette || !base || base.family === 'gray') return undefined;
  const count = Math.min(256, Math.floor(palette.table.length / base.components));
  const table = Uint8Array.from({ length: count }, (_, index) =>
    shade(base, [...palette.table.subarray(index * base.components, (index + 1) * base.components)]),
  );
  const colours: PdfValue = [name('Indexed'), DEVICE_GREY, Math.max(0, count - 1), new PdfString(table)];
  const { bytes, decoded } = doc.streamData(ref);
  if (!(decoded || !dict.has('Filter'))) return undefined;
  return {
    bytes: deflateSync(bytes, { level: 9, memLevel: 9 }),
    filter: 'FlateDecode',
    entries: { ColorSpace: colours },
  };
}

/** Edges are stressed by what sets each pixel apart from those around it; then there is black and white only. */
function asLines(grey: Samples, { threshold, edge }: LineArt): Recoded {
  const { width, height, data } = grey;
  const around = meansAround(grey, edge);
  const limit = (threshold / 100) * 255;
  const rowBytes = Math.ceil(width / 8);
  const bits = new Uint8Array(rowBytes * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const at = y * width + x;
      const value = data[at] as number;
      if (value + edge * (value - (around[at] as number)) >= limit) continue;
      const to = y * rowBytes + (x >> 3);
      bits[to] = (bits[to] as number) | (0x80 >> (x & 7));
    }
  }
  function* rows(): Generator<Uint8Array> {
    for (let y = 0; y < height; y += 1) yield bits.subarray(y * rowBytes, (y + 1) * rowBytes);
  }
  return {
    bytes: encodeFax(rows(), width, { setIsBlack: true }),
    filter: 'CCITTFaxDecode',
    parms: Dict.of({ K: -1, Columns: width, Rows: height }),
    entries: { Width: width, Height: height, BitsPerComponent: 1, ColorSpace: DEVICE_GREY, Decode: null },
  };
}

/** The mean of the square around each pixel, by sums of rows and columns. */
function meansAround({ width, height, data }: Samples, radius: number): Uint8Array {
  const sums = new Float64Array((width + 1) * (height + 1));
  for (let y = 0; y < height; y += 1) {
    let row = 0;
    for (let x = 0; x < width; x += 1) {
      row += data[y * width + x] as number;
      sums[(y + 1) * (width + 1) + x + 1] = (sums[y * (width + 1) + x + 1] as number) + row;
    }
  }
  const means = new Uint8Array(width * height);
  const sum = (x: number, y: number): number => sums[y * (width + 1) + x] as number;
  for (let y = 0; y < height; y += 1) {
    const [top, bottom] = [Math.max(0, y - radius), Math.min(height, y + radius + 1)];
    for (let x = 0; x < width; x += 1) {
      const [left, right] = [Math.max(0, x - radius), Math.min(width, x + radius + 1)];
      const total = sum(right, bottom) - sum(left, bottom) - sum(right, top) + sum(left, top);
      means[y * width + x] = total / ((bottom - top) * (right - left));
    }
  }
  return means;
}
