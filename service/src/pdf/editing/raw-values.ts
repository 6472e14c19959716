// PDF values as JSON, for editors that want to see all of a dictionary: names as /Name, references followed a little way.
import type { PdfDocument } from '../document.ts';
import { Dict, Name, type PdfObject, PdfString, Ref, Stream } from '../objects.ts';
import { nameText, textOf } from '../text-strings.ts';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

const MAX_DEPTH = 5;
const MAX_ITEMS = 2000;
/** Upwards links would show the whole document again. */
const UPWARDS = new Set(['Parent', 'P', 'StructParent', 'Prev', 'Next', 'Popup', 'IRT', 'Dest', 'A', 'Pg']);

export function rawDict(doc: PdfDocument, value: PdfObject | undefined): { [key: string]: Json } {
  const shown = rawValue(doc, doc.dict(value) ?? new Dict(), 0);
  return shown !== null && typeof shown === 'object' && !Array.isArray(shown) ? shown : {};
}

function rawValue(doc: PdfDocument, value: PdfObject | undefined, depth: number): Json {
  if (value instanceof Ref) {
    if (depth >= MAX_DEPTH) return `${value.key} R`;
    return rawValue(doc, doc.resolve(value), depth + 1);
  }
  if (value === undefined || value === null) return null;
  if (value instanceof Name) return `/${nameText(value.value)}`;
  if (value instanceof PdfString) return textOf(value);
  if (Array.isArray(value)) {
    if (depth >= MAX_DEPTH) return [];
    return value.slice(0, MAX_ITEMS).map((each) => rawValue(doc, each, depth + 1));
  }
  if (value instanceof Stream) return rawEntries(doc, value.dict, depth);
  if (value instanceof Dict) return rawEntries(doc, value, depth);
  return typeof value === 'number' && !Number.isFinite(value) ? 0 : (value as Json);
}

function rawEntries(doc: PdfDocument, dict: Dict, depth: number): Json {
  // Keys come from the document: none may reach the object's own properties.
  const shown: { [key: string]: Json } = Object.create(null);
  let left = MAX_ITEMS;
  for (const [key, held] of dict) {
    if (left-- <= 0) break;
    if (held instanceof Ref && (UPWARDS.has(key) || depth >= MAX_DEPTH))
      shown[nameText(key)] = `${held.key} R`;
    else shown[nameText(key)] = depth >= MAX_DEPTH ? null : rawValue(doc, held, depth + 1);
  }
  return { ...shown };
}
