// Images whose codec the document's engine cannot undo: the pixels that a renderer decodes take the place of the
// packed data.
import type { PdfDocument } from '../document.ts';
import { filtersOf } from '../filters/stream-filters.ts';
import { name, Stream } from '../objects.ts';
import { BILEVEL_CODECS, bitsOf, isDrawn, type PackedImage, putAlone, rgbOf } from './rendered-image.ts';

export type { PackedImage } from './rendered-image.ts';

/** Larger images stay packed: their pixels would not fit into a renderer's memory. */
const MAX_PIXELS = 40_000_000;

export function packedImages(doc: PdfDocument): PackedImage[] {
  return doc.allRefs().flatMap((ref) => {
    const stream = doc.get(ref);
    if (!(stream instanceof Stream) || doc.name(stream.dict.get('Subtype')) !== 'Image') return [];
    const [codec, ...more] = filtersOf(doc, stream.dict) ?? [];
    const width = doc.number(stream.dict.get('Width')) ?? 0;
    const height = doc.number(stream.dict.get('Height')) ?? 0;
    const sized = width >= 1 && height >= 1 && width * height <= MAX_PIXELS;
    const bilevel = BILEVEL_CODECS.includes(codec?.name ?? '');
    // Transparency inside the codec has no other place to go.
    const opaque = (doc.number(stream.dict.get('SMaskInData')) ?? 0) === 0;
    if (!sized || more.length > 0 || !(bilevel || (codec?.name === 'JPXDecode' && opaque))) return [];
    return [{ ref, width, height, bilevel }];
  });
}

/** For a renderer: what it draws of `sheet`, a new document, are the samples as they are stored. */
export const putOnPage = (sheet: PdfDocument, doc: PdfDocument, image: PackedImage): void =>
  putAlone(sheet, doc, image, ['Decode']);

/** Puts rendered pixels (four bytes each) in the place of the packed data; leaves it where nothing was decoded. */
export function replaceWithPixels(doc: PdfDocument, image: PackedImage, rgba: Uint8Array): void {
  if (!isDrawn(rgba, image)) return;
  doc.replaceStreamData(image.ref, image.bilevel ? bitsOf(rgba, image.width, image.height) : rgbOf(rgba));
  const dict = doc.edit(image.ref);
  if (image.bilevel) {
    dict.set('BitsPerComponent', 1);
    return;
  }
  dict.set('BitsPerComponent', 8);
  dict.set('ColorSpace', name('DeviceRGB'));
  dict.delete('Decode');
  dict.delete('SMaskInData');
}

/** Red, green and blue of rendered pixels (four bytes each); undefined where nothing was decoded. */
export function drawnPixels(
  rgba: Uint8Array,
  width: number,
  height: number,
): { width: number; height: number; channels: 3; data: Uint8Array } | undefined {
  if (!isDrawn(rgba, { width, height })) return undefined;
  return { width, height, channels: 3, data: rgbOf(rgba) };
}
