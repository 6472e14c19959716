// Streams packed anew as small as deflating gets them, where that is smaller than what they were.
import { deflateSync } from 'node:zlib';
import type { PdfDocument } from '../document.ts';
import { name, type Ref, Stream } from '../objects.ts';
import { filtersOf, isPacking } from '../stream-filters.ts';

/** Larger streams stay as they are: both forms of them would be in memory. */
const MAX_BYTES = 256 * 1024 * 1024;
const HARDEST = { level: 9, memLevel: 9 } as const;

export function repackStreams(doc: PdfDocument, refs: readonly Ref[]): void {
  for (const ref of refs) {
    const stream = doc.get(ref);
    if (stream instanceof Stream && isRepackable(doc, stream)) repack(doc, ref, stream);
  }
}

/** Packed without loss; not metadata, which other programs look for in plain, nor data outside of the file. */
function isRepackable(doc: PdfDocument, { dict }: Stream): boolean {
  if (doc.name(dict.get('Type')) === 'Metadata' || dict.has('F')) return false;
  if ((doc.number(dict.get('Length')) ?? 0) > MAX_BYTES) return false;
  return filtersOf(doc, dict)?.every((filter) => isPacking(filter.name)) ?? false;
}

function repack(doc: PdfDocument, ref: Ref, { dict }: Stream): void {
  const before = doc.rawStreamData(ref).length;
  const { bytes, decoded } = doc.streamData(ref);
  if (!decoded && dict.has('Filter')) return;
  const packed = deflateSync(bytes, HARDEST);
  if (packed.length >= before) return;
  doc.replaceStreamData(ref, packed, name('FlateDecode'));
  doc.edit(ref).set('Length', packed.length);
}
