// One image made smaller: the best of what can be done without loss, and of what cannot be seen.
import { deflateSync } from 'node:zlib';
import type { Size } from '../../contract/raster.ts';
import type { PdfDocument } from '../document.ts';
import { encodeFax } from '../filters/ccitt-g4-encoder.ts';
import { Dict, name, PdfString, type Ref } from '../objects.ts';
import { unwrapData } from './coded-data.ts';
import type { ImageCoder } from './image-coder.ts';
import { type ImageFacts, isPlainlyDecoded } from './image-facts.ts';
import { isNear, pack, type Recoded, WORTH_LOSING } from './image-packing.ts';
import { byIndex, packedSamples } from './image-samples.ts';
import type { ImageLevel } from './levels.ts';
import { smallestLossy } from './lossy-recoding.ts';

/** Smaller images are not worth the work. */
const MIN_BYTES = 600;
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

/** Undefined where the image stays as it is. */
export async function recode(
  doc: PdfDocument,
  facts: ImageFacts,
  place: Size | undefined,
  level: ImageLevel | undefined,
  coder: ImageCoder,
): Promise<Recoded | undefined> {
  if (facts.bytes < MIN_BYTES) return undefined;
  if (facts.bits === 1 && facts.codec === 'packed') return recodeBits(doc, facts);
  const few = byFewColours(doc, facts);
  // A drawing: JPEG would blur it, and spare nothing.
  if (few && (few.entries.BitsPerComponent as number) < 8)
    return few.bytes.length < facts.bytes ? few : undefined;
  const lossy = level && (await smallestLossy(doc, facts, place, level, coder));
  const exact = await recodeExactly(doc, facts, coder, few, lossy?.bytes.length);
  const least = Math.min(facts.bytes, exact?.bytes.length ?? Number.POSITIVE_INFINITY);
  if (lossy && lossy.bytes.length < least * WORTH_LOSING) return lossy;
  return exact && exact.bytes.length < facts.bytes ? exact : undefined;
}

/** The best of what loses nothing. `rival` is what loses something: where all else comes nowhere near it, it is not tried. */
async function recodeExactly(
  doc: PdfDocument,
  facts: ImageFacts,
  coder: ImageCoder,
  few: Recoded | undefined,
  rival: number | undefined,
): Promise<Recoded | undefined> {
  const samples = facts.bits === 8 ? packedSamples(doc, facts) : undefined;
  if (!samples || samples.channels === 4) return few ?? bare(doc, facts);
  if (rival !== undefined && !few && !(await isNear(samples, coder, rival))) return undefined;
  const packed = await pack(samples, coder);
  return few && few.bytes.length <= packed.bytes.length ? few : packed;
}

/** What a codec made, without what it is packed in besides. */
function bare(doc: PdfDocument, { ref }: ImageFacts): Recoded | undefined {
  const found = unwrapData(doc, ref);
  return found && { ...found, entries: {} };
}

/** One bit a pixel stays one bit; a fax is smallest for what has been scanned or drawn. */
function recodeBits(
  doc: PdfDocument,
  { ref, dict, width, height, bytes: before, space, isStencil }: ImageFacts,
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

/** By indices, where 256 colours are enough. */
function byFewColours(doc: PdfDocument, facts: ImageFacts): Recoded | undefined {
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
