// The data of content streams, CMaps and other texts in PDF syntax: damaged ones are read as far as they go.
import { MIB } from '../../contract/limits.ts';
import { tooCostly } from '../../contract/work-budget.ts';
import type { PdfDocument } from '../document.ts';
import { Dict, type Ref } from '../objects.ts';
import { filtersOf, isPacking, undoFilter } from './stream-filters.ts';

/** Every operator of it is read: this takes seconds. The largest drawings seen have a fifth of it. */
export const MAX_CONTENT_BYTES = 128 * MIB;

/** A content stream's data; of a damaged one, what can be read. */
export function contentOf(doc: PdfDocument, ref: Ref): Uint8Array {
  const { bytes, decoded } = doc.streamData(ref);
  if (decoded) return ofBearableSize(bytes);
  const filters = filtersOf(doc, doc.dict(ref) ?? new Dict());
  if (!filters?.every((filter) => isPacking(filter.name))) return new Uint8Array();
  return ofBearableSize(
    filters.reduce((data, filter) => undoFilter(doc, data, filter).bytes, doc.rawStreamData(ref)),
  );
}

function ofBearableSize(bytes: Uint8Array): Uint8Array {
  if (bytes.length <= MAX_CONTENT_BYTES) return bytes;
  throw tooCostly(`A content stream of the document unpacks to more than ${MAX_CONTENT_BYTES / MIB} MiB.`);
}
