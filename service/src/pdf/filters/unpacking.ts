// Streams an engine leaves packed: those packed around an image codec, and damaged ones.
import type { PdfDocument } from '../document.ts';
import { name, type PdfValue, type Ref, Stream } from '../objects.ts';
import { type Filter, filtersOf, isPacking, undoFilter } from './stream-filters.ts';

/**
 * Undoes the packing before an image codec (`[/ASCII85Decode /DCTDecode]`), and what decodes of damaged data.
 * Plain packing is left to the engine, which does it while it writes.
 */
export function unpackMixedStreams(doc: PdfDocument): void {
  for (const ref of doc.allRefs()) {
    const stream = doc.get(ref);
    const filters = stream instanceof Stream ? filtersOf(doc, stream.dict) : undefined;
    if (filters && filters.length > 0) unpack(doc, ref, filters);
  }
}

function unpack(doc: PdfDocument, ref: Ref, filters: readonly Filter[]): void {
  const codec = filters.findIndex((filter) => !isPacking(filter.name));
  if (codec === 0 || (codec === -1 && doc.streamData(ref).decoded)) return;
  const packing = codec === -1 ? filters : filters.slice(0, codec);
  let bytes = doc.rawStreamData(ref);
  for (const filter of packing) bytes = undoFilter(doc, bytes, filter).bytes;
  const rest = codec === -1 ? [] : filters.slice(codec);
  doc.replaceStreamData(ref, bytes, remaining(rest.map((filter) => name(filter.name))), parmsOf(rest));
}

const remaining = (values: PdfValue[]): PdfValue => (values.length > 1 ? values : (values[0] ?? null));

function parmsOf(filters: readonly Filter[]): PdfValue {
  if (filters.every((filter) => filter.parms === undefined)) return null;
  return remaining(filters.map((filter) => filter.parms ?? null));
}
