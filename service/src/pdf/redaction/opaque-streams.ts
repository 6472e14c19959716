// Streams whose data is for machines: images, fonts, profiles, and what nobody knows. Words for people in them go.
import type { PdfDocument } from '../document.ts';
import { type Filter, filtersOf, isPacking, undoFilter } from '../filters/stream-filters.ts';
import { Dict, isName, name, type PdfValue, type Ref } from '../objects.ts';
import { withoutWords } from './binary-words.ts';
import type { ByteSearch } from './byte-search.ts';
import { jpegWithoutWords, jpxWithoutWords } from './image-words.ts';
import type { Terms } from './terms.ts';

export interface NewData {
  bytes: Uint8Array;
  filter: PdfValue;
  parms: PdfValue;
}

/** New data where the old holds a term. */
export function cleanOpaque(
  doc: PdfDocument,
  ref: Ref,
  terms: Terms,
  search: ByteSearch,
): NewData | undefined {
  const { data, codec, filter, parms } = unpack(doc, ref);
  const isSamples = isName(doc.dict(ref)?.get('Subtype'), 'Image');
  const bytes = withoutTerms(data, isSamples ? (codec ?? 'samples') : codec, terms, search);
  return bytes && { bytes, filter, parms };
}

function withoutTerms(
  data: Uint8Array,
  codec: string | undefined,
  terms: Terms,
  search: ByteSearch,
): Uint8Array | undefined {
  if (codec === 'DCTDecode') return jpegWithoutWords(data, terms);
  const cleaned =
    codec === 'JPXDecode' ? jpxWithoutWords(data, terms) : withoutWords(data, terms, codec === undefined);
  return blankOut(cleaned ?? data, search) ?? cleaned;
}

/** The same data with words filled up by one value: as samples of a image nothing is to be seen of it. */
export function blankOut(data: Uint8Array, search: ByteSearch): Uint8Array | undefined {
  const found = search.find(data);
  if (found.length === 0) return undefined;
  const made = Uint8Array.from(data);
  for (const { start, end } of found) {
    const sum = data.subarray(start, end).reduce((all, byte) => all + byte, 0);
    made.fill(Math.round(sum / (end - start)), start, end);
  }
  return made;
}

/** Data up to the first codec of images, which stays as it is. */
export function unpack(
  doc: PdfDocument,
  ref: Ref,
): { data: Uint8Array; codec: string | undefined; filter: PdfValue; parms: PdfValue } {
  const { data, codecs } = upToCodec(doc, ref);
  return {
    data,
    codec: codecs[0]?.name,
    filter: codecs.length === 0 ? null : codecs.map((each) => name(each.name)),
    parms: codecs.some(({ parms }) => parms) ? codecs.map(({ parms }) => parms ?? null) : null,
  };
}

function upToCodec(doc: PdfDocument, ref: Ref): { data: Uint8Array; codecs: Filter[] } {
  const filters = filtersOf(doc, doc.dict(ref) ?? new Dict()) ?? [];
  const codec = filters.findIndex((filter) => !isPacking(filter.name));
  if (codec === -1) {
    const { bytes, decoded } = doc.streamData(ref);
    return { data: bytes, codecs: decoded ? [] : filters };
  }
  const packing = filters.slice(0, codec);
  const data = packing.reduce(
    (bytes, filter) => undoFilter(doc, bytes, filter).bytes,
    doc.rawStreamData(ref),
  );
  return { data, codecs: filters.slice(codec) };
}
