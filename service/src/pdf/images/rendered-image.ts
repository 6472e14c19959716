// An image whose codec nobody here can undo (JBIG2, JPEG 2000) is put on a page of its own, pixel for point, so that a renderer decodes
// it; what the renderer gives is read back.
import type { PdfDocument } from '../document.ts';
import { Dict, name, type Ref } from '../objects.ts';

export interface PackedImage {
  ref: Ref;
  width: number;
  height: number;
  /** One bit a pixel; else colour. */
  bilevel: boolean;
}

/** Codecs of images with one bit a pixel. */
export const BILEVEL_CODECS: readonly string[] = ['CCITTFaxDecode', 'JBIG2Decode'];

/** What shows through where nothing was drawn: the renderer could not decode the image. */
const BACKGROUND = [255, 0, 255] as const;

/** Makes the image the only thing on the only page of `sheet`, a new document; `ignored` entries do not count. */
export function putAlone(
  sheet: PdfDocument,
  doc: PdfDocument,
  { ref, width, height, bilevel }: PackedImage,
  ignored: readonly string[] = [],
): void {
  const copy = sheet.copyFrom(doc, ref);
  const dict = sheet.edit(copy);
  for (const key of ['ImageMask', 'Mask', 'SMask', 'Intent', 'Metadata', 'OC', ...ignored]) dict.delete(key);
  if (bilevel) {
    dict.set('ColorSpace', name('DeviceGray'));
    dict.set('BitsPerComponent', 1);
    dict.delete('Decode');
  }
  const drawing = `1 0 1 rg 0 0 ${width} ${height} re f q ${width} 0 0 ${height} 0 0 cm /I Do Q`;
  const page = Dict.of({
    Type: name('Page'),
    MediaBox: [0, 0, width, height],
    Resources: Dict.of({ XObject: Dict.of({ I: copy }) }),
    Contents: sheet.addStream(new Dict(), Buffer.from(drawing)),
  });
  sheet.setPages([sheet.add(page)]);
}

/** Whether these are all pixels of the image (four bytes each), and it was decoded. */
export function isDrawn(rgba: Uint8Array, { width, height }: Pick<PackedImage, 'width' | 'height'>): boolean {
  if (rgba.length !== width * height * 4) return false;
  for (let at = 0; at < rgba.length; at += 4) {
    if (BACKGROUND.some((value, channel) => rgba[at + channel] !== value)) return true;
  }
  return false;
}

/** One bit for each pixel, set where it is bright. */
export function bitsOf(rgba: Uint8Array, width: number, height: number): Uint8Array {
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

/** Red, green and blue of each pixel. */
export function rgbOf(rgba: Uint8Array): Uint8Array {
  const rgb = new Uint8Array((rgba.length / 4) * 3);
  for (let from = 0, to = 0; to < rgb.length; from += 4, to += 3) {
    rgb[to] = rgba[from] ?? 0;
    rgb[to + 1] = rgba[from + 1] ?? 0;
    rgb[to + 2] = rgba[from + 2] ?? 0;
  }
  return rgb;
}
