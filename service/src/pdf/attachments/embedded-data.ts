// The bytes of an embedded file, unpacked within a bound: a few kilobytes may unpack to terabytes.
import { inflateSync } from 'node:zlib';
import type { PdfDocument } from '../document.ts';
import { type Filter, filtersOf, undoFilter } from '../filters/stream-filters.ts';
import { momentOf, pdfDate } from '../metadata/pdf-dates.ts';
import { Dict, name, PdfString, type Ref } from '../objects.ts';
import { textString } from '../text-strings.ts';
import { mediaTypeOfName } from './media-types.ts';

/** Undefined where there are more bytes than allowed. What can be read of damaged data is kept. */
export function embeddedData(doc: PdfDocument, ref: Ref, maxBytes: number): Uint8Array | undefined {
  const dict = doc.dict(ref);
  const filters = dict && filtersOf(doc, dict)?.filter(({ name }) => name !== 'Crypt');
  let bytes = doc.rawStreamData(ref);
  for (const filter of filters ?? []) {
    const undone = isPlainFlate(filter) ? inflateWithin(bytes, maxBytes) : undefined;
    if (undone === 'too large') return undefined;
    bytes = undone ?? undoFilter(doc, bytes, filter).bytes;
    if (bytes.length > maxBytes) return undefined;
  }
  return bytes.length > maxBytes ? undefined : bytes;
}

const isPlainFlate = ({ name, parms }: Filter): boolean =>
  name === 'FlateDecode' && parms?.get('Predictor') === undefined;

/** Undefined where the data is damaged. */
function inflateWithin(bytes: Uint8Array, maxBytes: number): Uint8Array | 'too large' | undefined {
  try {
    return inflateSync(bytes, { maxOutputLength: maxBytes });
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? 'too large' : undefined;
  }
}

/** The entries of an embedded file's stream: type, size, dates and checksum (ISO 32000-1, tables 45 and 46). */
export function embeddedFileEntries(file: { name: string; size: number; md5: Uint8Array }, now: Date): Dict {
  const date = textString(pdfDate(momentOf(now)));
  return Dict.of({
    Type: name('EmbeddedFile'),
    Subtype: name(mediaTypeOfName(file.name) ?? 'application/octet-stream'),
    Params: Dict.of({
      Size: file.size,
      CreationDate: date,
      ModDate: date,
      CheckSum: new PdfString(file.md5),
    }),
  });
}
