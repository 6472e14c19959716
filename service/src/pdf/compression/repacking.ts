// Streams packed anew as small as deflating gets them, where that is smaller than what they were.
import { deflateSync } from 'node:zlib';
import type { PdfDocument } from '../document.ts';
import { filtersOf, isPacking } from '../filters/stream-filters.ts';
import { name, type Ref, Stream } from '../objects.ts';
import { unwrapData } from './coded-data.ts';

/** Larger streams stay as they are: both forms of them would be in memory. */
const MAX_BYTES = 256 * 1024 * 1024;
/** The last levels take half as long again for a thousandth: they are for those who want nothing but packing. */
const EFFORT = { hard: { level: 9, memLevel: 9 }, fair: { level: 7, memLevel: 9 } } as const;
export type Effort = keyof typeof EFFORT;

/** What is deflated already is seldom worth deflating again: after this many bytes it is known for the document. */
const TRIAL_BYTES = 64 * 1024;
const WORTH_TRYING = 0.98;

export function repackStreams(doc: PdfDocument, refs: readonly Ref[], effort: Effort): void {
  let [tried, made] = [0, 0];
  for (const ref of refs) {
    const stream = doc.get(ref);
    if (!(stream instanceof Stream)) continue;
    if (!isRepackable(doc, stream)) {
      unwrap(doc, ref, stream);
      continue;
    }
    const isDeflated = isPlainlyDeflated(doc, stream);
    if (isDeflated && effort === 'fair' && tried > TRIAL_BYTES && made > tried * WORTH_TRYING) continue;
    const { before, after } = repack(doc, ref, stream, effort);
    if (!isDeflated) continue;
    tried += before;
    made += after;
  }
}

/** Faxes and the like stay what they are, but need not be packed twice. */
function unwrap(doc: PdfDocument, ref: Ref, { dict }: Stream): void {
  if (dict.has('F') || (doc.number(dict.get('Length')) ?? 0) > MAX_BYTES) return;
  const bare = unwrapData(doc, ref);
  if (!bare) return;
  doc.replaceStreamData(ref, bare.bytes, name(bare.filter), bare.parms ?? null);
  doc.edit(ref).set('Length', bare.bytes.length);
}

const isPlainlyDeflated = (doc: PdfDocument, { dict }: Stream): boolean => {
  const filters = filtersOf(doc, dict);
  return filters?.length === 1 && filters[0]?.name === 'FlateDecode';
};

/** Packed without loss; not metadata, which other programs look for in plain, nor data outside of the file. */
function isRepackable(doc: PdfDocument, { dict }: Stream): boolean {
  if (doc.name(dict.get('Type')) === 'Metadata' || dict.has('F')) return false;
  if ((doc.number(dict.get('Length')) ?? 0) > MAX_BYTES) return false;
  return filtersOf(doc, dict)?.every((filter) => isPacking(filter.name)) ?? false;
}

function repack(
  doc: PdfDocument,
  ref: Ref,
  stream: Stream,
  effort: Effort,
): { before: number; after: number } {
  const raw = doc.rawStreamData(ref);
  const before = raw.length;
  const kept = { before, after: before };
  if (isPlainlyDeflated(doc, stream) && isPackedHard(raw)) return kept;
  const { bytes, decoded } = doc.streamData(ref);
  if (!decoded && stream.dict.has('Filter')) return kept;
  const packed = deflateSync(bytes, EFFORT[effort]);
  if (packed.length >= before) return kept;
  doc.replaceStreamData(ref, packed, name('FlateDecode'));
  doc.edit(ref).set('Length', packed.length);
  return { before, after: packed.length };
}

/** Deflated by whoever took as much trouble as we would: the header says so (RFC 1950, FLEVEL). */
const isPackedHard = (raw: Uint8Array): boolean => raw[0] === 0x78 && raw[1] === 0xda;
