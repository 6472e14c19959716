// Inline images as image objects, so that their pixels can be changed like those of any other (ISO 32000-1, 8.9.7).
import type { Operation } from '../content/content-reader.ts';
import type { PdfDocument } from '../document.ts';
import { Dict, Name, name, type PdfValue, type Ref } from '../objects.ts';
import { addUnpacked } from './stream-copies.ts';

const KEYS: Readonly<Record<string, string>> = {
  BPC: 'BitsPerComponent',
  CS: 'ColorSpace',
  D: 'Decode',
  DP: 'DecodeParms',
  F: 'Filter',
  H: 'Height',
  IM: 'ImageMask',
  I: 'Interpolate',
  W: 'Width',
};

const NAMES: Readonly<Record<string, string>> = {
  G: 'DeviceGray',
  RGB: 'DeviceRGB',
  CMYK: 'DeviceCMYK',
  I: 'Indexed',
  AHx: 'ASCIIHexDecode',
  A85: 'ASCII85Decode',
  LZW: 'LZWDecode',
  Fl: 'FlateDecode',
  RL: 'RunLengthDecode',
  CCF: 'CCITTFaxDecode',
  DCT: 'DCTDecode',
};

/** Makes an image object of a BI operation; `spaces` are the colour spaces of the content. */
export function addInlineImage(
  doc: PdfDocument,
  content: Uint8Array,
  { operands, start, end }: Operation,
  spaces: Dict | undefined,
): Ref {
  const dict = Dict.of({ Type: name('XObject'), Subtype: name('Image') });
  const given = operands[0] instanceof Dict ? operands[0] : new Dict();
  for (const [key, value] of given) {
    const full = KEYS[key] ?? key;
    dict.set(full, full === 'ColorSpace' ? colourSpace(value, spaces) : fullNames(value, full === 'Filter'));
  }
  return addUnpacked(doc, dict, dataOf(content.subarray(start, end)));
}

function colourSpace(value: PdfValue, spaces: Dict | undefined): PdfValue {
  const named = value instanceof Name ? spaces?.get(value.value) : undefined;
  return named ?? fullNames(value, true);
}

function fullNames(value: PdfValue, isNamed: boolean): PdfValue {
  if (Array.isArray(value)) return value.map((each) => fullNames(each, isNamed));
  return isNamed && value instanceof Name ? name(NAMES[value.value] ?? value.value) : value;
}

/** What stands between ID and EI, a blank at each end apart. */
function dataOf(bytes: Uint8Array): Uint8Array {
  const text = Buffer.from(bytes).toString('latin1');
  const begin = /[\s>\])]ID(?:\r\n|[\0\t\n\f\r ])/.exec(text);
  const from = begin ? begin.index + begin[0].length : 0;
  const to = text.replace(/[\0\t\n\f\r ]?EI$/, '').length;
  return bytes.slice(from, Math.max(from, to));
}
