// Metadata packets end in some kilobytes of blanks, for programs that change them where they stand. Whoever writes a
// document many times does not write those as well.
import type { PdfDocument } from '../document.ts';
import { Ref, Stream } from '../objects.ts';

const CLOSING = '<?xpacket end=';

export function dropMetadataPadding(doc: PdfDocument): void {
  const ref = doc.catalog.get('Metadata');
  const stream = doc.resolve(ref);
  // Packed blanks weigh nothing.
  if (!(ref instanceof Ref) || !(stream instanceof Stream) || stream.dict.has('Filter')) return;
  const { bytes } = doc.streamData(ref);
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  const end = text.lastIndexOf(CLOSING);
  if (end === -1) return;
  const packet = text.slice(0, end).trimEnd();
  if (packet.length + 2 < end)
    doc.replaceStreamData(ref, Buffer.from(`${packet}\n${text.slice(end)}`, 'latin1'));
}
