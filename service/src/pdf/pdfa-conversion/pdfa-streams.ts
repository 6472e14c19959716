// Entries of streams and graphics states that PDF/A does not know, and data packed in ways it does not allow.
import { deflateSync } from 'node:zlib';
import type { PdfDocument } from '../document.ts';
import { filtersOf, isPacking, undoFilter } from '../filters/stream-filters.ts';
import { Dict, Name, name, type PdfValue, type Ref, Stream } from '../objects.ts';

const BLEND_MODES = new Set(
  `Normal Compatible Multiply Screen Overlay Darken Lighten ColorDodge ColorBurn HardLight SoftLight Difference
   Exclusion Hue Saturation Color Luminosity`.split(/\s+/),
);
const INTENTS = ['RelativeColorimetric', 'AbsoluteColorimetric', 'Perceptual', 'Saturation'];

export function tidyStreams(doc: PdfDocument): void {
  for (const ref of doc.allRefs()) {
    const object = doc.get(ref);
    if (object instanceof Stream) tidyStream(doc, ref, object.dict);
    tidyDicts(doc, ref, object instanceof Stream ? object.dict : object);
  }
}

function tidyStream(doc: PdfDocument, ref: Ref, dict: Dict): void {
  const subtype = doc.name(dict.get('Subtype'));
  const unwanted = ['FFilter', 'FDecodeParms', 'F'];
  if (subtype === 'Image') unwanted.push('Alternates', 'OPI');
  if (subtype === 'Form') unwanted.push('OPI', 'Ref', 'PS', 'Subtype2');
  for (const key of unwanted) if (dict.has(key)) doc.edit(ref).delete(key);
  if (subtype === 'Image') {
    if (dict.has('Interpolate')) doc.edit(ref).delete('Interpolate');
    const intent = doc.name(dict.get('Intent'));
    if (intent !== undefined && !INTENTS.includes(intent)) doc.edit(ref).delete('Intent');
  }
  const filters = filtersOf(doc, dict);
  if (!filters?.some(({ name: filter }) => filter === 'LZWDecode' || filter === 'Crypt')) return;
  const packing = filters.filter(({ name: filter }) => filter !== 'Crypt');
  const codec = packing.findIndex(({ name: filter }) => !isPacking(filter));
  if (codec > 0) return;
  let bytes = doc.rawStreamData(ref);
  if (codec === -1) for (const filter of packing) bytes = undoFilter(doc, bytes, filter).bytes;
  if (codec === 0) {
    const codecName = packing[0]?.name ?? '';
    doc.replaceStreamData(ref, bytes, name(codecName), packing[0]?.parms ?? null);
  } else doc.replaceStreamData(ref, deflateSync(bytes), name('FlateDecode'));
}

/** Graphics states and halftones, wherever they are written. */
function tidyDicts(doc: PdfDocument, ref: Ref, top: unknown): void {
  let changed = false;
  const waiting: unknown[] = [top];
  for (let count = 0; waiting.length > 0 && count < 100_000; count += 1) {
    const value = waiting.pop();
    if (Array.isArray(value)) waiting.push(...value.filter((each) => typeof each === 'object'));
    if (!(value instanceof Dict)) continue;
    if (tidyState(doc, value)) changed = true;
    for (const item of value.values()) if (item instanceof Dict || Array.isArray(item)) waiting.push(item);
  }
  if (!changed) return;
  if (doc.get(ref) instanceof Stream || doc.get(ref) instanceof Dict) doc.edit(ref);
  else doc.replace(ref, top as PdfValue);
}

const STATE_KEYS = ['TR', 'TR2', 'HTP', 'HTO', 'HT', 'RI', 'BM'];

function tidyState(doc: PdfDocument, dict: Dict): boolean {
  const isState = doc.name(dict.get('Type')) === 'ExtGState' || STATE_KEYS.some((key) => dict.has(key));
  if (!isState || (dict.has('Type') && doc.name(dict.get('Type')) !== 'ExtGState')) return false;
  let changed = false;
  const drop = (key: string, isWrong: boolean): void => {
    if (isWrong && dict.delete(key)) changed = true;
  };
  // Halftones and transfer functions are for one printer; a document lives without them.
  for (const key of ['TR', 'HTP', 'HTO', 'HT']) drop(key, dict.has(key));
  drop('TR2', dict.has('TR2') && doc.name(dict.get('TR2')) !== 'Default');
  const intent = doc.resolve(dict.get('RI'));
  drop('RI', intent instanceof Name && !INTENTS.includes(intent.value));
  const blend = doc.resolve(dict.get('BM'));
  const mode = Array.isArray(blend) ? blend.map((each) => doc.name(each) ?? '') : [];
  if (Array.isArray(blend)) {
    dict.set('BM', name(mode.find((each) => BLEND_MODES.has(each)) ?? 'Normal'));
    changed = true;
  }
  drop('BM', blend instanceof Name && !BLEND_MODES.has(blend.value));
  return changed;
}
