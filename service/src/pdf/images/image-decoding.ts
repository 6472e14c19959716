// Images whose codec the document's engine cannot undo. Each is put on a page of its own, pixel for point, so
// that a renderer decodes it; its pixels then take the place of the packed data.
import type { PdfDocument } from '../document.ts';
import { Dict, name, type Ref, Stream } from '../objects.ts';
import { filtersOf } from '../stream-filters.ts';

export interface PackedImage {
  ref: Ref;
  width: number;
  height: number;
  /** One bit a pixel; else colour. */
  bilevel: boolean;
}

/** Larger images stay packed: their pixels would not fit into a renderer's memory. */
const MAX_PIXELS = 40_000_000;
const BILEVEL = ['CCITTFaxDecode', 'JBIG2Decode'];

export function packedImages(doc: PdfDocument): PackedImage[] {
  return doc.allRefs().flatMap((ref) => {
    const stream = doc.get(ref);
    if (!(stream instanceof Stream) || doc.name(stream.dict.get('Subtype')) !== 'Image') return [];
    const [codec, ...more] = filtersOf(doc, stream.dict) ?? [];
    const width = doc.number(stream.dict.get('Width')) ?? 0;
    const height = doc.number(stream.dict.get('Height')) ?? 0;
    const sized = width >= 1 && height >= 1 && width * height <= MAX_PIXELS;
    const bilevel = BILEVEL.includes(codec?.name ?? '');
    // Transparency inside the codec has no other place to go.
    const opaque = (doc.number(stream.dict.get('SMaskInData')) ?? 0) === 0;
    if (!sized || more.length > 0 || !(bilevel || (codec?.name === 'JPXDecode' && opaque))) return [];
    return [{ ref, width, height, bilevel }];
  });
}

/** What shows through where nothing was drawn: the renderer could not decode the image. */
const BACKGROUND = [255, 0, 255] as const;

/** Makes the image the only thing on the only page of `sheet`, a new document. */
export function putOnPage(sheet: PdfDocument, doc: PdfDocument, image: PackedImage): void {
  const copy = sheet.copyFrom(doc, image.ref);
  const dict = sheet.edit(copy);
  for (const key of ['ImageMask', 'Mask', 'SMask', 'Decode', 'Intent', 'Metadata', 'OC']) dict.delete(key);
  if (image.bilevel) {
    dict.set('ColorSpace', name('DeviceGray'));
    dict.set('BitsPerComponent', 1);
  }
  const { width, height } = image;
  const drawing = `1 0 1 rg 0 0 ${width} ${height} re f q ${width} 0 0 ${height} 0 0 cm /I Do Q`;
  const page = Dict.of({
    Type: name('Page'),
    MediaBox: [0, 0, width, height],
    Resources: Dict.of({ XObject: Dict.of({ I: copy }) }),
    Contents: sheet.addStream(new Dict(), Buffer.from(drawing)),
  });
  sheet.setPages([sheet.add(page)]);
}

/** Puts rendered pixels (four bytes each) in the place of the packed data; leaves it where nothing was decoded. */
export function replaceWithPixels(doc: PdfDocument, image: PackedImage, rgba: Uint8Array): void {
  const pixels = image.width * image.height;
  if (rgba.length !== pixels * 4 || !isDrawn(rgba)) return;
  doc.replaceStreamData(
    image.ref,
    image.bilevel ? bitsOf(rgba, image.width, image.height) : rgbOf(rgba, pixels),
  );
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
  const pixels = width * height;
  if (rgba.length !== pixels * 4 || !isDrawn(rgba)) return undefined;
  return { width, height, channels: 3, data: rgbOf(rgba, pixels) };
}

function isDrawn(rgba: Uint8Array): boolean {
  for (let at = 0; at < rgba.length; at += 4) {
    if (BACKGROUND.some((value, channel) => rgba[at + channel] !== value)) return true;
  }
  return false;
}

function bitsOf(rgba: Uint8Array, width: number, height: number): Uint8Array {
  const rowBytes = Math.ceil(width / 8);
  const bits = new Uint8Array(rowBytes * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      if ((rgba[(y * width + x) * 4 + 1] ?? 0) >= 128) {
        const at = y * rowBytes + (x >> 3);
        bits[at] = (bits[at] ?? 0) | (0x80 >> (x & 7));
      }
    }
  }
  return bits;
}

function rgbOf(rgba: Uint8Array, pixels: number): Uint8Array {
  const rgb = new Uint8Array(pixels * 3);
  for (let from = 0, to = 0; to < rgb.length; from += 4, to += 3) {
    rgb[to] = rgba[from] ?? 0;
    rgb[to + 1] = rgba[from + 1] ?? 0;
    rgb[to + 2] = rgba[from + 2] ?? 0;
  }
  return rgb;
}
