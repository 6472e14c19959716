// Inline images as image XObjects: the short words of their dictionaries written out (ISO 32000-1, 8.9.7).
import { lookup } from '../../contract/lookup.ts';
import type { PdfDocument } from '../document.ts';
import { SHORT_FILTERS } from '../filters/stream-filters.ts';
import { Dict, Name, name, type PdfValue } from '../objects.ts';

const KEYS: Readonly<Record<string, string>> = lookup({
  BPC: 'BitsPerComponent',
  CS: 'ColorSpace',
  D: 'Decode',
  DP: 'DecodeParms',
  F: 'Filter',
  H: 'Height',
  IM: 'ImageMask',
  I: 'Interpolate',
  W: 'Width',
  L: 'Length',
});
const COLOUR_SPACES: Readonly<Record<string, string>> = lookup({
  G: 'DeviceGray',
  RGB: 'DeviceRGB',
  CMYK: 'DeviceCMYK',
  I: 'Indexed',
});
const DEVICE = ['DeviceGray', 'DeviceRGB', 'DeviceCMYK', 'Indexed'];

/** The dictionary of an image XObject; colour spaces may be named in the resources around it. */
export const spellOut = (doc: PdfDocument, inline: Dict, resources: Dict): Dict =>
  spellOutAmong(inline, doc.dict(resources.get('ColorSpace')));

/** The same, where the named colour spaces are at hand. */
export function spellOutAmong(inline: Dict, spaces: Dict | undefined): Dict {
  const dict = Dict.of({ Type: name('XObject'), Subtype: name('Image') });
  for (const [key, value] of inline) dict.set(Object.hasOwn(KEYS, key) ? (KEYS[key] ?? key) : key, value);
  dict.delete('Length');
  const space = dict.get('ColorSpace');
  if (space !== undefined) dict.set('ColorSpace', colourSpace(space, spaces));
  const filter = dict.get('Filter');
  if (filter !== undefined) dict.set('Filter', replaced(filter, SHORT_FILTERS));
  return dict;
}

function colourSpace(value: PdfValue, spaces: Dict | undefined): PdfValue {
  const full = replaced(value, COLOUR_SPACES);
  if (!(full instanceof Name) || DEVICE.includes(full.value)) return full;
  return spaces?.get(full.value) ?? full;
}

/** A word, or the words of a list, written out. */
function replaced(value: PdfValue, words: Readonly<Record<string, string>>): PdfValue {
  if (Array.isArray(value)) return value.map((each) => replaced(each, words));
  return value instanceof Name && Object.hasOwn(words, value.value) ? name(words[value.value] ?? '') : value;
}
