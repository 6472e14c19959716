// One picture made smaller: the best of what can be done without loss, and of what cannot be seen.
import { deflateSync } from 'node:zlib';
import type { PdfDocument } from '../document.ts';
import { encodeFax } from '../images/fax-coding.ts';
import { Dict, name, PdfString, type PdfValue, type Ref } from '../objects.ts';
import { codedData, unwrapped } from './coded-data.ts';
import { jpegQuality } from './jpeg-quality.ts';
import type { PictureLevel } from './levels.ts';
import { likeness } from './likeness.ts';
import type { PictureCoder, Samples, Size } from './picture-coder.ts';
import { isPlainlyDecoded, type PictureFacts } from './picture-facts.ts';
import { asGrey, byIndex, packedSamples, readSamples } from './picture-samples.ts';
import { shrink } from './shrinking.ts';

/** What takes the place of a picture's data, and the entries that say how to read it. */
export interface Recoded {
  bytes: Uint8Array;
  filter: string;
  parms?: Dict | undefined;
  entries: Record<string, PdfValue>;
}

/** Smaller pictures are not worth the work. */
const MIN_BYTES = 600;
/** What loses something must spare this much of what loses nothing. */
const WORTH_LOSING = 0.85;
const FAR_BETTER = 0.5;
/** Pictures that are drawn this large show every fault: they stay as they are. */
const MAGNIFIED_DPI = 60;
/** Pictures that have only a few more dots than they need keep them all. */
const SHRINKS_BELOW = 0.7;
const QUALITY_STEP = 9;
const TRIES = 3;
const BEST_QUALITY = 92;
const HARDEST = { level: 9, memLevel: 9 } as const;

export function putRecoded(doc: PdfDocument, ref: Ref, made: Recoded): void {
  doc.replaceStreamData(ref, made.bytes, name(made.filter), made.parms ?? null);
  const dict = doc.edit(ref);
  dict.set('Length', made.bytes.length);
  for (const [key, value] of Object.entries(made.entries)) {
    if (value === null) dict.delete(key);
    else dict.set(key, value);
  }
}

/** Undefined where the picture stays as it is. */
export async function recode(
  doc: PdfDocument,
  facts: PictureFacts,
  place: Size | undefined,
  level: PictureLevel | undefined,
  coder: PictureCoder,
): Promise<Recoded | undefined> {
  if (facts.bytes < MIN_BYTES) return undefined;
  if (facts.bits === 1 && facts.codec === 'packed') return recodeBits(doc, facts);
  const few = byFewColours(doc, facts);
  // A drawing: JPEG would blur it, and spare nothing.
  if (few && (few.entries.BitsPerComponent as number) < 8)
    return few.bytes.length < facts.bytes ? few : undefined;
  const lossy = level && (await recodeLossily(doc, facts, place, level, coder));
  // Nothing that loses nothing would come near it.
  const isFarBetter = lossy !== undefined && lossy.bytes.length < facts.bytes * FAR_BETTER;
  const exact = few ?? (isFarBetter ? undefined : ((await pack(doc, facts, coder)) ?? bare(doc, facts)));
  const least = Math.min(facts.bytes, exact?.bytes.length ?? Number.POSITIVE_INFINITY);
  if (lossy && lossy.bytes.length < least * WORTH_LOSING) return lossy;
  return exact && exact.bytes.length < facts.bytes ? exact : undefined;
}

/** What a codec made, without what it is packed in besides. */
function bare(doc: PdfDocument, { ref }: PictureFacts): Recoded | undefined {
  const found = unwrapped(doc, ref);
  return found && { ...found, entries: {} };
}

/** One bit a pixel stays one bit; a fax is smallest for what has been scanned or drawn. */
function recodeBits(
  doc: PdfDocument,
  { ref, dict, width, height, bytes: before, space, isStencil }: PictureFacts,
): Recoded | undefined {
  if (!isStencil && space?.components !== 1) return undefined;
  const { bytes, decoded } = doc.streamData(ref);
  const rowBytes = Math.ceil(width / 8);
  if (!(decoded || !dict.has('Filter')) || bytes.length < rowBytes * height) return undefined;
  function* rows(): Generator<Uint8Array> {
    for (let y = 0; y < height; y += 1) yield bytes.subarray(y * rowBytes, (y + 1) * rowBytes);
  }
  // The code has short words for long stretches of white: the commoner bit is white.
  const setIsBlack = isMostlyClear(bytes);
  const fax = encodeFax(rows(), width, { setIsBlack });
  if (fax.length >= before) return undefined;
  const parms = Dict.of({ K: -1, Columns: width, Rows: height, BlackIs1: setIsBlack ? true : undefined });
  return { bytes: fax, filter: 'CCITTFaxDecode', parms, entries: {} };
}

function isMostlyClear(bytes: Uint8Array): boolean {
  let set = 0;
  for (let at = 0; at < bytes.length; at += 1) if ((bytes[at] as number) >= 0x80) set += 1;
  return set * 2 < bytes.length;
}

/** Rows with the filters of PNG. */
async function pack(
  doc: PdfDocument,
  facts: PictureFacts,
  coder: PictureCoder,
): Promise<Recoded | undefined> {
  const samples = packedSamples(doc, facts);
  if (!samples || facts.bits !== 8 || samples.channels === 4) return undefined;
  const bytes = await coder.pack(samples);
  return { bytes, filter: 'FlateDecode', parms: predictor(samples), entries: {} };
}

/** By indices, where 256 colours are enough. */
function byFewColours(doc: PdfDocument, facts: PictureFacts): Recoded | undefined {
  const base = facts.dict.get('ColorSpace');
  if (facts.codec !== 'packed' || facts.bits !== 8 || facts.isExact || base === undefined) return undefined;
  if (facts.space?.family !== 'rgb' || !isPlainlyDecoded(doc, facts)) return undefined;
  const samples = packedSamples(doc, facts);
  const made = samples && byIndex(samples);
  if (!made) return undefined;
  return {
    bytes: deflateSync(made.rows, HARDEST),
    filter: 'FlateDecode',
    entries: {
      ColorSpace: [name('Indexed'), base, made.table.length / 3 - 1, new PdfString(made.table)],
      BitsPerComponent: made.bits,
      Decode: null,
    },
  };
}

const predictor = ({ width, channels }: Samples): Dict =>
  Dict.of({ Predictor: 15, Colors: channels, BitsPerComponent: 8, Columns: width });

async function recodeLossily(
  doc: PdfDocument,
  facts: PictureFacts,
  place: Size | undefined,
  level: PictureLevel,
  coder: PictureCoder,
): Promise<Recoded | undefined> {
  if (facts.isExact || facts.isStencil) return undefined;
  if (facts.space?.family === 'indexed' && !isPlainlyDecoded(doc, facts)) return undefined;
  if (place && dpiOf(facts, place) < MAGNIFIED_DPI) return undefined;
  const size = place && shrunkSize(facts, place, level.dpi);
  const coded = facts.codec === 'jpeg' && !size ? codedData(doc, facts.ref) : undefined;
  if (coded && jpegQuality(coded) <= level.quality - 10) return undefined;
  const read =
    facts.codec === 'jpeg2000'
      ? await readJpeg2000(facts, coder)
      : await readSamples(doc, facts, coder, size);
  if (!read) return undefined;
  const samples = size ? await shrink(read.samples, size, coder) : read.samples;
  return smallest(facts, { ...read, samples }, level, coder, { isShrunk: size !== undefined });
}

async function readJpeg2000(
  facts: PictureFacts,
  coder: PictureCoder,
): Promise<{ samples: Samples; space: PdfValue } | undefined> {
  const family = facts.space?.family;
  if (family !== undefined && family !== 'rgb' && family !== 'gray') return undefined;
  const samples = await coder.decodeOther(facts.ref, facts);
  if (!samples) return undefined;
  const grey = asGrey(samples);
  return grey ? { samples: grey, space: name('DeviceGray') } : { samples, space: name('DeviceRGB') };
}

const dpiOf = ({ width, height }: Size, place: Size): number =>
  72 * Math.min(width / place.width, height / place.height);

/** Undefined where the picture has about as many pixels as it needs. */
export function shrunkSize({ width, height }: Size, place: Size, dpi: number): Size | undefined {
  const needed = { width: (place.width / 72) * dpi, height: (place.height / 72) * dpi };
  const scale = Math.max(needed.width / width, needed.height / height);
  if (!(scale < SHRINKS_BELOW)) return undefined;
  const side = (pixels: number): number => Math.max(1, Math.round(pixels * scale));
  return { width: side(width), height: side(height) };
}

async function smallest(
  facts: PictureFacts,
  { samples, space }: { samples: Samples; space: PdfValue | undefined },
  level: PictureLevel,
  coder: PictureCoder,
  { isShrunk }: { isShrunk: boolean },
): Promise<Recoded | undefined> {
  const { width, height } = samples;
  const entries: Record<string, PdfValue> = { Width: width, Height: height, BitsPerComponent: 8 };
  if (space !== undefined) entries.ColorSpace = space;
  const jpeg = await likeJpeg(facts, samples, level, coder);
  const canPack = isShrunk && facts.codec === 'packed' && samples.channels !== 4;
  if (!canPack || (jpeg && jpeg.length < facts.bytes * FAR_BETTER))
    return jpeg && { bytes: jpeg, filter: 'DCTDecode', entries };
  const packed = await coder.pack(samples);
  if (jpeg && jpeg.length < packed.length * WORTH_LOSING)
    return { bytes: jpeg, filter: 'DCTDecode', entries };
  return { bytes: packed, filter: 'FlateDecode', parms: predictor(samples), entries };
}

/** JPEG of the lowest quality that still looks the same; undefined where that spares too little. */
async function likeJpeg(
  facts: PictureFacts,
  samples: Samples,
  level: PictureLevel,
  coder: PictureCoder,
): Promise<Uint8Array | undefined> {
  const fine = facts.codec === 'packed';
  for (let tries = 0, quality = level.quality; tries < TRIES; tries += 1, quality += QUALITY_STEP) {
    const made = await coder.encodeJpeg(samples, Math.min(BEST_QUALITY, quality), { fine });
    if (made.length >= facts.bytes * WORTH_LOSING) return undefined;
    const seen = await coder.decodeJpeg(made);
    if (seen && likeness(samples, seen) >= level.likeness) return made;
  }
  return undefined;
}
