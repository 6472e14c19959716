// Data of an image codec that is packed once more: written as text by programs that mistrust bytes, or deflated.
import type { PdfDocument } from '../document.ts';
import { type Filter, filtersOf, isPacking, undoFilter } from '../filters/stream-filters.ts';
import { Dict, type Ref } from '../objects.ts';

/** The codec behind all packing; undefined where there is none, or several. */
export function codecBehind(doc: PdfDocument, dict: Dict): { packing: Filter[]; codec: Filter } | undefined {
  const filters = filtersOf(doc, dict) ?? [];
  const codec = filters.at(-1);
  const packing = filters.slice(0, -1);
  if (!codec || isPacking(codec.name) || !packing.every(({ name }) => isPacking(name))) return undefined;
  return { packing, codec };
}

/** What the codec reads; undefined where the packing is damaged. */
export function codedData(doc: PdfDocument, ref: Ref): Uint8Array | undefined {
  const { packing } = codecBehind(doc, doc.dict(ref) ?? new Dict()) ?? { packing: [] };
  let bytes = doc.rawStreamData(ref);
  for (const filter of packing) {
    const undone = undoFilter(doc, bytes, filter);
    if (!undone.complete) return undefined;
    bytes = undone.bytes;
  }
  return bytes;
}

export interface Unwrapped {
  bytes: Uint8Array;
  filter: string;
  parms: Dict | undefined;
}

/** The data without its packing, where that is smaller. */
export function unwrapData(doc: PdfDocument, ref: Ref): Unwrapped | undefined {
  const found = codecBehind(doc, doc.dict(ref) ?? new Dict());
  if (!found || found.packing.length === 0) return undefined;
  const bytes = codedData(doc, ref);
  if (!bytes || bytes.length >= doc.rawStreamData(ref).length) return undefined;
  return { bytes, filter: found.codec.name, parms: found.codec.parms };
}
