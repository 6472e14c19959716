// Destinations: where outline entries, links and actions lead (ISO 32000-1, 12.3.2).
import type { PdfDocument } from '../document.ts';
import { Dict, isName, Name, name, PdfString, type PdfValue, Ref } from '../objects.ts';
import { readNameTree } from './name-tree.ts';

export interface Destination {
  /** A page object, or an index from 0 where the file gives a number. */
  page: Ref | number;
  /** What follows the page: /XYZ left top zoom, /Fit ... */
  view: PdfValue[];
}

/** Named destinations of a document, their values unresolved. String keys hold one character per byte. */
export interface NamedDestinations {
  names: Map<string, PdfValue>;
  strings: Map<string, PdfValue>;
}

export function readNamedDestinations(doc: PdfDocument, catalog = doc.catalog): NamedDestinations {
  const strings = new Map<string, PdfValue>();
  const tree = doc.dict(catalog.get('Names'))?.get('Dests');
  for (const { key, value } of readNameTree(doc, tree)) if (!strings.has(key)) strings.set(key, value);
  return { names: new Map(doc.dict(catalog.get('Dests')) ?? []), strings };
}

/** The key by which a named destination is looked up, or nothing where the value is no name or string. */
export function destinationKey(doc: PdfDocument, value: PdfValue | undefined): string | undefined {
  const resolved = doc.resolve(value);
  if (resolved instanceof Name) return resolved.value;
  return resolved instanceof PdfString ? Buffer.from(resolved.bytes).toString('latin1') : undefined;
}

/** Resolves an explicit or named destination; nothing where it leads nowhere. */
export function resolveDestination(
  doc: PdfDocument,
  named: NamedDestinations,
  value: PdfValue | undefined,
): Destination | undefined {
  const key = destinationKey(doc, value);
  if (key === undefined) return explicitDestination(doc, value);
  // Producers mix the two tables up, and readers look into both.
  const first = doc.resolve(value) instanceof Name ? named.names : named.strings;
  const second = first === named.names ? named.strings : named.names;
  return explicitDestination(doc, first.get(key) ?? second.get(key));
}

function explicitDestination(doc: PdfDocument, value: PdfValue | undefined): Destination | undefined {
  // A named destination may be a dictionary with the array under D.
  const array = doc.array(value) ?? doc.array(doc.dict(value)?.get('D'));
  if (!array) return undefined;
  const [page, ...view] = array;
  if (page instanceof Ref && doc.dict(page)) return { page, view };
  const index = doc.number(page);
  return index !== undefined && Number.isSafeInteger(index) && index >= 0 ? { page: index, view } : undefined;
}

/** The destination within the document that a GoTo action leads to. */
function actionDestination(
  doc: PdfDocument,
  named: NamedDestinations,
  action: PdfValue | undefined,
): Destination | undefined {
  const dict = doc.dict(action);
  return dict && isName(doc.resolve(dict.get('S')), 'GoTo')
    ? resolveDestination(doc, named, dict.get('D'))
    : undefined;
}

/** Where an outline entry or a link leads: its Dest, else its GoTo action. */
export function destinationOf(
  doc: PdfDocument,
  named: NamedDestinations,
  holder: Dict,
): Destination | undefined {
  const dest = holder.get('Dest');
  if (dest !== undefined && dest !== null) return resolveDestination(doc, named, dest);
  return actionDestination(doc, named, holder.get('A'));
}

/** Page objects to their index, for `pageIndexOf`. */
export function pageIndexes(doc: PdfDocument): Map<string, number> {
  return new Map(doc.pages().map((ref, index) => [ref.key, index]));
}

/** The index from 0 of the page a destination leads to; nothing when it is no page of the document. */
export function pageIndexOf(
  destination: Destination,
  indexes: ReadonlyMap<string, number>,
): number | undefined {
  const { page } = destination;
  if (page instanceof Ref) return indexes.get(page.key);
  return page < indexes.size ? page : undefined;
}

export function destinationArray({ page, view }: Destination): PdfValue[] {
  return [page, ...(view.length > 0 ? view : [name('Fit')])];
}

/** The upper left corner of a page as displayed, at the reader's zoom. */
export function topOfPage(doc: PdfDocument, page: Ref): PdfValue[] {
  const dict = doc.dict(page) ?? new Dict();
  const box = doc.array(doc.inherited(dict, 'CropBox')) ?? doc.array(doc.inherited(dict, 'MediaBox'));
  const [x0, y0, x1, y1] = (box ?? []).map((side) => doc.number(side));
  if (x0 === undefined || y0 === undefined || x1 === undefined || y1 === undefined)
    return [page, name('Fit')];
  const turns = Math.round((doc.number(doc.inherited(dict, 'Rotate')) ?? 0) / 90);
  const quarter = ((turns % 4) + 4) % 4;
  const left = quarter < 2 ? Math.min(x0, x1) : Math.max(x0, x1);
  const top = quarter === 0 || quarter === 3 ? Math.max(y0, y1) : Math.min(y0, y1);
  return [page, name('XYZ'), left, top, null];
}
