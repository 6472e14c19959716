// The data of content streams, CMaps and other texts in PDF syntax: damaged ones are read as far as they go.
import type { PdfDocument } from '../document.ts';
import { Dict, type Ref } from '../objects.ts';
import { filtersOf, isPacking, undoFilter } from './stream-filters.ts';

/** A content stream's data; of a damaged one, what can be read. */
export function contentOf(doc: PdfDocument, ref: Ref): Uint8Array {
  const { bytes, decoded } = doc.streamData(ref);
  if (decoded) return bytes;
  const filters = filtersOf(doc, doc.dict(ref) ?? new Dict());
  if (!filters?.every((filter) => isPacking(filter.name))) return new Uint8Array();
  return filters.reduce((data, filter) => undoFilter(doc, data, filter).bytes, doc.rawStreamData(ref));
}
