// Streams whose data is about to be changed, as streams of their own.
import type { PdfDocument } from '../document.ts';
import { filtersOf, isPacking, undoFilter } from '../filters/stream-filters.ts';
import { cloneValue, Dict, name, type Ref } from '../objects.ts';

/** Entries that hold or lead to other versions of the image. */
const OTHER_VERSIONS = ['Length', 'Metadata', 'Alternates', 'OPI', 'PieceInfo', 'StructParent'];

/** Data is unpacked, up to an image codec: an engine knows no filters of a stream that is not written yet. */
export function copyStream(doc: PdfDocument, ref: Ref): Ref {
  const copy = cloneValue(doc.dict(ref) ?? new Dict());
  for (const key of OTHER_VERSIONS) copy.delete(key);
  return addUnpacked(doc, copy, doc.rawStreamData(ref));
}

/** A new stream of packed data. */
export function addUnpacked(doc: PdfDocument, dict: Dict, packed: Uint8Array): Ref {
  const filters = filtersOf(doc, dict) ?? [];
  const codec = filters.findIndex((filter) => !isPacking(filter.name));
  const packing = codec === -1 ? filters : filters.slice(0, codec);
  const data = packing.reduce((bytes, filter) => undoFilter(doc, bytes, filter).bytes, packed);
  const left = codec === -1 ? [] : filters.slice(codec);
  for (const key of ['Filter', 'DecodeParms']) dict.delete(key);
  if (left.length > 0) {
    dict.set(
      'Filter',
      left.map((filter) => name(filter.name)),
    );
    dict.set(
      'DecodeParms',
      left.map((filter) => filter.parms ?? null),
    );
  }
  return doc.addStream(dict, data);
}
