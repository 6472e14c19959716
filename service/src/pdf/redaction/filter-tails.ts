// Bytes behind the end that packed data has of its own: no reader of the document sees them, whoever opens the file does.
import { constants, inflateSync } from 'node:zlib';
import type { PdfDocument } from '../document.ts';
import { type Filter, filtersOf, isPacking, undoFilter } from '../filters/stream-filters.ts';
import { Dict, type Ref, Stream } from '../objects.ts';
import { dataHolds } from './image-words.ts';
import { unpack } from './opaque-streams.ts';
import type { Terms } from './terms.ts';

/** Writes streams anew whose data has a term behind its end; tells how many. */
export function cleanTails(doc: PdfDocument, refs: readonly Ref[], terms: Terms): number {
  const found = secretTails(doc, refs, terms);
  for (const ref of found) {
    const { data, filter, parms } = unpack(doc, ref);
    doc.replaceStreamData(ref, data, filter, parms);
  }
  return found.length;
}

export const secretTails = (doc: PdfDocument, refs: readonly Ref[], terms: Terms): Ref[] =>
  refs.filter(
    (ref) => doc.get(ref) instanceof Stream && tailsOf(doc, ref).some((tail) => dataHolds(tail, terms)),
  );

/** Of each packing filter, the outermost first. */
function tailsOf(doc: PdfDocument, ref: Ref): Buffer[] {
  const filters = filtersOf(doc, doc.dict(ref) ?? new Dict()) ?? [];
  const tails: Buffer[] = [];
  let bytes = filters.some(({ name }) => isPacking(name)) ? doc.rawStreamData(ref) : new Uint8Array();
  for (const [index, filter] of filters.entries()) {
    if (!isPacking(filter.name)) break;
    const end = endOf(bytes, filter);
    const tail = Buffer.from(bytes.buffer, bytes.byteOffset + end, bytes.length - end);
    // Line ends before `endstream` are in most files.
    if (tail.length > 2 || tail.some((byte) => byte > 32)) tails.push(tail);
    if (index + 1 < filters.length) bytes = undoFilter(doc, bytes, filter).bytes;
  }
  return tails;
}

const END_OF_RUNS = 128;

/** Where the data ends by its own account. */
function endOf(bytes: Uint8Array, { name }: Filter): number {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (name === 'FlateDecode') return endOfDeflated(data);
  if (name === 'ASCIIHexDecode') return behind(data, '>');
  if (name === 'ASCII85Decode') return behind(data, '~>');
  if (name !== 'RunLengthDecode') return 0;
  let at = 0;
  while (at < data.length && data[at] !== END_OF_RUNS) {
    const length = data[at] as number;
    at += length < END_OF_RUNS ? length + 2 : 2;
  }
  return Math.min(data.length, at + 1);
}

function behind(data: Buffer, mark: string): number {
  const at = data.indexOf(mark);
  return at === -1 ? data.length : at + mark.length;
}

/** Types of Node do not tell what it gives where it is asked for more than the data. */
interface Inflated {
  engine: { bytesWritten: number };
}

/** Damaged data has no end: all of it may be something else. */
function endOfDeflated(data: Buffer): number {
  try {
    const options = { finishFlush: constants.Z_SYNC_FLUSH, info: true };
    return (inflateSync(data, options) as unknown as Inflated).engine.bytesWritten;
  } catch {
    return 0;
  }
}
