// Images as image XObjects (ISO 32000-1, 8.9.5). What an image file holds is embedded as it is where PDF can
// read it; an engine has made sure of that.

import { addForm, type Drawable } from '../content/drawable.ts';
import type { PdfDocument } from '../document.ts';
import { type Matrix, matrixText } from '../geometry/matrix.ts';
import { Dict, name, PdfString, type PdfValue, type Ref } from '../objects.ts';

export interface ImageXObject {
  /** Pixels as stored: before `orientation`. */
  width: number;
  height: number;
  /** As EXIF counts: 1 upright, 3 half a turn, 6 and 8 quarter turns, the even ones up to 4, 5 and 7 mirrored. */
  orientation: number;
  /** Grey, red-green-blue or CMYK; 3 with a palette. */
  components: 1 | 3 | 4;
  bits: number;
  /** A whole JPEG file, deflated rows with the filters of PNG, or a fax of group 4, which has one bit. */
  coding: 'jpeg' | 'png' | 'fax';
  data: Uint8Array;
  /** Red, green and blue of each index. */
  palette?: Uint8Array;
  /** Adobe's CMYK files hold 255 for no ink; faxes may hold white for black. */
  inverted?: boolean;
  /** A JPEG whose three components are red, green and blue, though nothing in it tells so. */
  plainRgb?: boolean;
  /** An ICC profile of as many components. */
  profile?: Uint8Array;
  /** Opacity: grey, of the same size. */
  alpha?: ImageXObject;
}

const FILTERS = { jpeg: 'DCTDecode', png: 'FlateDecode', fax: 'CCITTFaxDecode' } as const;
const DEVICE_SPACES = { 1: 'DeviceGray', 3: 'DeviceRGB', 4: 'DeviceCMYK' } as const;

export function addImageXObject(doc: PdfDocument, image: ImageXObject): Ref {
  const { width, height, bits, data, coding } = image;
  const dict = Dict.of({
    Type: name('XObject'),
    Subtype: name('Image'),
    Width: width,
    Height: height,
    ColorSpace: colourSpace(doc, image),
    BitsPerComponent: bits,
    Filter: name(FILTERS[coding]),
    DecodeParms: decodeParms(image),
    Decode: image.inverted ? Array(image.components).fill([1, 0]).flat() : undefined,
    SMask: image.alpha ? addImageXObject(doc, image.alpha) : undefined,
  });
  return doc.addStream(dict, data);
}

function colourSpace(doc: PdfDocument, { components, palette, profile }: ImageXObject): PdfValue {
  const base = profile
    ? [
        name('ICCBased'),
        doc.addStream(Dict.of({ N: components, Alternate: name(DEVICE_SPACES[components]) }), profile),
      ]
    : name(DEVICE_SPACES[components]);
  if (!palette) return base;
  return [name('Indexed'), base, Math.floor(palette.length / 3) - 1, new PdfString(palette)];
}

function decodeParms(image: ImageXObject): Dict | undefined {
  const { coding, components, palette, bits, width, height, plainRgb } = image;
  if (coding === 'fax') return Dict.of({ K: -1, Columns: width, Rows: height });
  if (coding === 'jpeg') return plainRgb ? Dict.of({ ColorTransform: 0 }) : undefined;
  return Dict.of({
    Predictor: 15,
    Colors: palette ? 1 : components,
    BitsPerComponent: bits,
    Columns: width,
  });
}

/** The image upright, a point for each pixel. */
export function imageForm(doc: PdfDocument, image: ImageXObject): Drawable {
  const { width, height } = uprightSize(image);
  const place = matrixText(uprightMatrix(image.orientation, width, height));
  const resources = { XObject: Dict.of({ Picture: addImageXObject(doc, image) }) };
  const form = addForm(doc, [0, 0, width, height], `q ${place} cm /Picture Do Q`, resources);
  return { form, width, height };
}

/** Pixels as shown. */
export function uprightSize({
  width,
  height,
  orientation,
}: Pick<ImageXObject, 'width' | 'height' | 'orientation'>): { width: number; height: number } {
  return orientation >= 5 && orientation <= 8 ? { width: height, height: width } : { width, height };
}

/** Puts the unit square of a stored image into a box of this size, upright. */
export function uprightMatrix(orientation: number, width: number, height: number): Matrix {
  const w = width;
  const h = height;
  const table: Record<number, Matrix> = {
    2: [-w, 0, 0, h, w, 0],
    3: [-w, 0, 0, -h, w, h],
    4: [w, 0, 0, -h, 0, h],
    5: [0, -h, -w, 0, w, h],
    6: [0, -h, w, 0, 0, h],
    7: [0, h, w, 0, 0, 0],
    8: [0, h, -w, 0, w, 0],
  };
  return table[orientation] ?? [w, 0, 0, h, 0, 0];
}
