// What an image of a document is made of, as far as compression must know.
import { type ColourSpace, readSpace } from '../content/colour-spaces.ts';
import type { PdfDocument } from '../document.ts';
import { filtersOf, isPacking } from '../filters/stream-filters.ts';
import { pixelSize } from '../images/image-cutting.ts';
import { type Dict, isName, type PdfValue, Ref, Stream } from '../objects.ts';
import { codecBehind } from './coded-data.ts';

export type Codec = 'packed' | 'jpeg' | 'jpeg2000';

export interface ImageFacts {
  ref: Ref;
  dict: Dict;
  width: number;
  height: number;
  /** Bits of a component. */
  bits: number;
  codec: Codec;
  /** Undefined where nothing says it, or it makes no sense. */
  space: ColourSpace | undefined;
  /** Samples mean something one by one: colours that are clear, or mixed with the ground already. */
  isExact: boolean;
  /** Stencils paint with the colour of the page. */
  isStencil: boolean;
  isOpacity: boolean;
  bytes: number;
}

/** Larger images stay as they are: their pixels would not fit into memory. */
const MAX_PIXELS = 40_000_000;

/** Images that can be worked on. All others stay as they are: faxes and JBIG2 above all. */
export function readImages(doc: PdfDocument, refs: readonly Ref[]): ImageFacts[] {
  const opacities = new Set<string>();
  const exact = new Set<string>();
  const streams = refs.filter((ref) => isImage(doc, ref));
  for (const ref of streams) {
    const dict = doc.dict(ref) as Dict;
    const mask = dict.get('SMask');
    if (!(mask instanceof Ref)) continue;
    opacities.add(mask.key);
    if (!doc.dict(mask)?.has('Matte')) continue;
    exact.add(ref.key);
    exact.add(mask.key);
  }
  return streams.flatMap((ref) => {
    const facts = readImage(doc, ref);
    if (!facts) return [];
    return [{ ...facts, isExact: facts.isExact || exact.has(ref.key), isOpacity: opacities.has(ref.key) }];
  });
}

const isImage = (doc: PdfDocument, ref: Ref): boolean => {
  const object = doc.get(ref);
  return object instanceof Stream && isName(doc.resolve(object.dict.get('Subtype')), 'Image');
};

function readImage(doc: PdfDocument, ref: Ref): ImageFacts | undefined {
  const dict = doc.dict(ref) as Dict;
  const size = pixelSize(doc, dict);
  const codec = codecOf(doc, dict);
  if (!size || !codec || dict.has('F') || size.width * size.height > MAX_PIXELS) return undefined;
  const isStencil = doc.boolean(dict.get('ImageMask')) === true;
  const bits = isStencil ? 1 : (doc.number(dict.get('BitsPerComponent')) ?? 8);
  return {
    ref,
    dict,
    ...size,
    bits,
    codec,
    space: isStencil ? undefined : readSpace(doc, dict.get('ColorSpace')),
    isExact: Array.isArray(doc.resolve(dict.get('Mask'))) || (doc.number(dict.get('SMaskInData')) ?? 0) !== 0,
    isStencil,
    isOpacity: false,
    bytes: doc.number(dict.get('Length')) ?? doc.rawStreamData(ref).length,
  };
}

function codecOf(doc: PdfDocument, dict: Dict): Codec | undefined {
  const filters = filtersOf(doc, dict);
  if (!filters) return undefined;
  if (filters.every((filter) => isPacking(filter.name))) return 'packed';
  const codec = codecBehind(doc, dict)?.codec;
  if (codec?.name === 'JPXDecode') return 'jpeg2000';
  // Colours that are told apart by the entry, not by the file.
  return codec?.name === 'DCTDecode' && !codec.parms?.has('ColorTransform') ? 'jpeg' : undefined;
}

/** Whether samples are read as they are, from none to full. */
export function isPlainlyDecoded(doc: PdfDocument, { dict, space }: ImageFacts): boolean {
  const decode = doc.array(dict.get('Decode'))?.map((each) => doc.number(each));
  if (!decode) return true;
  if (space?.family === 'indexed') return false;
  return decode.every((value, index) => value === index % 2);
}

/** The parts of `[/Indexed base most table]`. */
export function paletteOf(doc: PdfDocument, dict: Dict): { base: PdfValue; table: Uint8Array } | undefined {
  const held = doc.array(dict.get('ColorSpace'));
  if (!held || held.length < 4) return undefined;
  const table = doc.resolve(held[3]);
  const bytes = table instanceof Stream && held[3] instanceof Ref ? doc.streamData(held[3]).bytes : undefined;
  const found =
    bytes ?? (table !== null && typeof table === 'object' && 'bytes' in table ? table.bytes : undefined);
  return found && held[1] !== undefined && held[1] !== null ? { base: held[1], table: found } : undefined;
}
