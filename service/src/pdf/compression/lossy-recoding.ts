// An image with fewer pixels, or as JPEG: as small as it can be without looking different.
import type { Size } from '../../contract/raster.ts';
import type { PdfDocument } from '../document.ts';
import { name, type PdfValue } from '../objects.ts';
import { codedData } from './coded-data.ts';
import type { ImageCoder, Samples } from './image-coder.ts';
import { type ImageFacts, isPlainlyDecoded } from './image-facts.ts';
import { isNear, predictor, type Recoded, WORTH_LOSING } from './image-packing.ts';
import { asGrey, readSamples } from './image-samples.ts';
import { shrunkSize } from './image-size.ts';
import { jpegQuality } from './jpeg-quality.ts';
import type { ImageLevel } from './levels.ts';
import { shrink } from './shrinking.ts';
import { likeness } from './ssim.ts';

/** Pixels that are packed in no time: fewer of them need not be smaller, where few colours are mixed to many. */
const QUICKLY_TRIED = 250_000;
/** Images that are drawn this large show every fault: they stay as they are. */
const MAGNIFIED_DPI = 60;
const QUALITY_STEP = 9;
const TRIES = 3;
const BEST_QUALITY = 92;

/** What came of a level. */
interface Attempt {
  made: Recoded | undefined;
  /** A gentler level may do better. */
  isHard: boolean;
}

const NOTHING: Attempt = { made: undefined, isHard: false };

export interface Found {
  samples: Samples;
  /** What the samples mean, where that is not what the image says. */
  space: PdfValue | undefined;
}

/** The samples to be worked on, in this size where one is given and that is quicker. */
export type ReadImage = (size: Size | undefined) => Promise<Found | undefined>;

/** An image that would look too different as small as the level asks is made as small as gentler levels make it. */
export async function smallestLossy(
  doc: PdfDocument,
  facts: ImageFacts,
  place: Size | undefined,
  level: ImageLevel,
  coder: ImageCoder,
  read: ReadImage = reader(doc, facts, coder),
): Promise<Recoded | undefined> {
  let best: Recoded | undefined;
  for (let tried: ImageLevel | undefined = level; tried; tried = tried.gentler) {
    const smaller = { ...facts, bytes: best?.bytes.length ?? facts.bytes };
    const { made, isHard } = await recodeLossily(doc, smaller, place, tried, coder, read);
    if (made && made.bytes.length < (best?.bytes.length ?? Number.POSITIVE_INFINITY)) best = made;
    if (!isHard) break;
  }
  return best;
}

function reader(doc: PdfDocument, facts: ImageFacts, coder: ImageCoder): ReadImage {
  // To render an image takes longer than all the rest: it is done once.
  let rendered: Promise<Found | undefined> | undefined;
  return (size) => {
    if (facts.codec !== 'jpeg2000') return readSamples(doc, facts, coder, size);
    rendered ??= readJpeg2000(facts, coder);
    return rendered;
  };
}

async function recodeLossily(
  doc: PdfDocument,
  facts: ImageFacts,
  place: Size | undefined,
  level: ImageLevel,
  coder: ImageCoder,
  readImage: ReadImage,
): Promise<Attempt> {
  if (facts.isExact || facts.isStencil) return NOTHING;
  if (facts.space?.family === 'indexed' && !isPlainlyDecoded(doc, facts)) return NOTHING;
  if (place && dpiOf(facts, place) < MAGNIFIED_DPI) return NOTHING;
  const size = place && shrunkSize(facts, place, level.dpi);
  const coded = facts.codec === 'jpeg' && !size ? codedData(doc, facts.ref) : undefined;
  if (coded && jpegQuality(coded) <= level.quality - 10) return NOTHING;
  const read = await readImage(size);
  if (!read) return NOTHING;
  const samples = size ? await shrink(read.samples, size, coder) : read.samples;
  return smallest(facts, { ...read, samples }, level, coder, { isShrunk: size !== undefined });
}

async function readJpeg2000(facts: ImageFacts, coder: ImageCoder): Promise<Found | undefined> {
  const family = facts.space?.family;
  if (family !== undefined && family !== 'rgb' && family !== 'gray') return undefined;
  const samples = await coder.decodeOther(facts.ref, facts);
  if (!samples) return undefined;
  const grey = asGrey(samples);
  return grey ? { samples: grey, space: name('DeviceGray') } : { samples, space: name('DeviceRGB') };
}

const dpiOf = ({ width, height }: Size, place: Size): number =>
  72 * Math.min(width / place.width, height / place.height);

async function smallest(
  facts: ImageFacts,
  { samples, space }: Found,
  level: ImageLevel,
  coder: ImageCoder,
  { isShrunk }: { isShrunk: boolean },
): Promise<Attempt> {
  const { width, height } = samples;
  const entries: Record<string, PdfValue> = { Width: width, Height: height, BitsPerComponent: 8 };
  if (space !== undefined) entries.ColorSpace = space;
  const jpeg = await likeJpeg(facts, samples, level, coder);
  const asJpeg = jpeg.file && { bytes: jpeg.file, filter: 'DCTDecode', entries };
  const canPack = isShrunk && facts.codec === 'packed' && samples.channels !== 4;
  if (!canPack || (asJpeg && !(await isNear(samples, coder, asJpeg.bytes.length))))
    return { made: asJpeg, isHard: jpeg.isUnlike };
  const packed = await coder.pack(samples);
  if (asJpeg && asJpeg.bytes.length < packed.length * WORTH_LOSING) return { made: asJpeg, isHard: false };
  const made = { bytes: packed, filter: 'FlateDecode', parms: predictor(samples), entries };
  return { made, isHard: jpeg.isUnlike || width * height < QUICKLY_TRIED };
}

/** JPEG of the lowest quality that still looks the same; none where that spares too little. */
async function likeJpeg(
  facts: ImageFacts,
  samples: Samples,
  level: ImageLevel,
  coder: ImageCoder,
): Promise<{ file: Uint8Array | undefined; isUnlike: boolean }> {
  const fine = facts.codec === 'packed';
  for (let tries = 0, quality = level.quality; tries < TRIES; tries += 1, quality += QUALITY_STEP) {
    const file = await coder.encodeJpeg(samples, Math.min(BEST_QUALITY, quality), { fine });
    if (file.length >= facts.bytes * WORTH_LOSING) return { file: undefined, isUnlike: false };
    const seen = await coder.decodeJpeg(file);
    if (seen && likeness(samples, seen) >= level.likeness) return { file, isUnlike: false };
  }
  return { file: undefined, isUnlike: true };
}
