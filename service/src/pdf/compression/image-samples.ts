// Samples of an image, and what can be made of them without loss.
import type { Size } from '../../contract/raster.ts';
import type { PdfDocument } from '../document.ts';
import type { PdfValue } from '../objects.ts';
import { codedData } from './coded-data.ts';
import type { ImageCoder, Samples } from './image-coder.ts';
import { type ImageFacts, paletteOf } from './image-facts.ts';

export interface ReadSamples {
  samples: Samples;
  /** What the samples mean, where that is not what the image says. */
  space: PdfValue | undefined;
}

const CHANNELS = { gray: 1, rgb: 3, cmyk: 4, ink: 1 } as const;

/** Undefined where the samples are damaged, or not of a kind that can be mixed with their neighbours. */
export async function readSamples(
  doc: PdfDocument,
  facts: ImageFacts,
  coder: ImageCoder,
  size: Size | undefined,
): Promise<ReadSamples | undefined> {
  const { codec, ref, space } = facts;
  if (codec === 'jpeg2000') return undefined;
  if (codec === 'jpeg') {
    const data = codedData(doc, ref);
    const samples = data && (await coder.decodeJpeg(data, size));
    const fits = samples && channelsOf(facts) === samples.channels;
    return fits ? { samples, space: undefined } : undefined;
  }
  if (space?.family === 'indexed') return indexedSamples(doc, facts);
  const samples = packedSamples(doc, facts);
  return samples && { samples, space: undefined };
}

/** Of an image that is packed without loss, and has no palette. */
export function packedSamples(doc: PdfDocument, facts: ImageFacts): Samples | undefined {
  const { codec, dict, ref, width, height } = facts;
  const channels = channelsOf(facts);
  if (codec !== 'packed' || !channels) return undefined;
  const { bytes, decoded } = doc.streamData(ref);
  const data = decoded || !dict.has('Filter') ? eightBits(bytes, facts, channels) : undefined;
  return data && { width, height, channels, data };
}

function channelsOf({ space }: ImageFacts): 1 | 3 | 4 | undefined {
  if (!space || !Object.hasOwn(CHANNELS, space.family)) return undefined;
  const channels = CHANNELS[space.family as keyof typeof CHANNELS];
  return space.components === channels ? channels : undefined;
}

/** Of sixteen bits the upper eight are seen. */
function eightBits(
  bytes: Uint8Array,
  { width, height, bits }: ImageFacts,
  channels: number,
): Uint8Array | undefined {
  const count = width * height * channels;
  if (bits === 8) return bytes.length >= count ? bytes.subarray(0, count) : undefined;
  if (bits !== 16 || bytes.length < count * 2) return undefined;
  const upper = new Uint8Array(count);
  for (let at = 0; at < count; at += 1) upper[at] = bytes[2 * at] as number;
  return upper;
}

/** Indices cannot be mixed: the colours they stand for can. */
function indexedSamples(doc: PdfDocument, facts: ImageFacts): ReadSamples | undefined {
  const { dict, space, width, height, bits } = facts;
  const palette = paletteOf(doc, dict);
  const channels = space?.base && channelsOf({ ...facts, space: space.base });
  const { bytes, decoded } = doc.streamData(facts.ref);
  if (!palette || !channels || !(decoded || !dict.has('Filter')) || ![1, 2, 4, 8].includes(bits))
    return undefined;
  const rowBytes = Math.ceil((width * bits) / 8);
  if (bytes.length < rowBytes * height) return undefined;
  const data = new Uint8Array(width * height * channels);
  const mask = (1 << bits) - 1;
  for (let y = 0, to = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const at = x * bits;
      const index = ((bytes[y * rowBytes + (at >> 3)] as number) >> (8 - bits - (at & 7))) & mask;
      for (let channel = 0; channel < channels; channel += 1, to += 1)
        data[to] = palette.table[index * channels + channel] ?? 0;
    }
  }
  return { samples: { width, height, channels, data }, space: palette.base };
}

export interface Indexed {
  table: Uint8Array;
  /** Bits of an index. */
  bits: 1 | 2 | 4 | 8;
  rows: Uint8Array;
}

/** The image by indices, where 256 colours are enough; red-green-blue only. */
export function byIndex({ width, height, channels, data }: Samples): Indexed | undefined {
  if (channels !== 3) return undefined;
  const indices = new Map<number, number>();
  const found = new Uint8Array(width * height);
  for (let at = 0, from = 0; at < found.length; at += 1, from += 3) {
    const colour =
      ((data[from] as number) << 16) | ((data[from + 1] as number) << 8) | (data[from + 2] as number);
    let index = indices.get(colour);
    if (index === undefined) {
      index = indices.size;
      if (index === 256) return undefined;
      indices.set(colour, index);
    }
    found[at] = index;
  }
  const table = new Uint8Array(indices.size * 3);
  for (const [colour, index] of indices)
    table.set([colour >> 16, (colour >> 8) & 255, colour & 255], index * 3);
  const bits = indices.size <= 2 ? 1 : indices.size <= 4 ? 2 : indices.size <= 16 ? 4 : 8;
  return { table, bits, rows: bits === 8 ? found : narrowed(found, width, height, bits) };
}

function narrowed(indices: Uint8Array, width: number, height: number, bits: number): Uint8Array {
  const rowBytes = Math.ceil((width * bits) / 8);
  const rows = new Uint8Array(rowBytes * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const at = x * bits;
      const to = y * rowBytes + (at >> 3);
      rows[to] = (rows[to] as number) | ((indices[y * width + x] as number) << (8 - bits - (at & 7)));
    }
  }
  return rows;
}

/** Three equal channels say what one would. */
export function asGrey({ width, height, channels, data }: Samples): Samples | undefined {
  if (channels !== 3) return undefined;
  const grey = new Uint8Array(width * height);
  for (let at = 0, from = 0; at < grey.length; at += 1, from += 3) {
    const value = data[from] as number;
    if (value !== data[from + 1] || value !== data[from + 2]) return undefined;
    grey[at] = value;
  }
  return { width, height, channels: 1, data: grey };
}
