// The document's metadata without what nobody reads in it: blanks at its end, indents, and small copies of pages.
import type { PdfDocument } from '../document.ts';
import { Ref, Stream } from '../objects.ts';

/** Small copies of the first page, in text that cannot be packed. */
const THUMBNAILS = /<(xmp|xap):Thumbnails>[\s\S]*?<\/\1:Thumbnails>/g;
const INDENTS = />[ \t\r]*\n\s*</g;
const CLOSING = '<?xpacket end=';
const MAX_BYTES = 16 * 1024 * 1024;

export function leanMetadata(doc: PdfDocument, { withThumbnails }: { withThumbnails: boolean }): void {
  const ref = doc.catalog.get('Metadata');
  const stream = doc.resolve(ref);
  if (!(ref instanceof Ref) || !(stream instanceof Stream)) return;
  const { bytes, decoded } = doc.streamData(ref);
  if (!(decoded || !stream.dict.has('Filter')) || bytes.length > MAX_BYTES) return;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  const end = text.lastIndexOf(CLOSING);
  // Wider letters would be torn apart.
  if (end === -1 || text.includes('\0')) return;
  const packet = text.slice(0, end).trimEnd();
  const kept = withThumbnails ? packet : packet.replace(THUMBNAILS, '');
  const lean = `${kept.replace(INDENTS, '>\n<')}\n${text.slice(end)}`;
  if (lean.length < text.length) {
    doc.replaceStreamData(ref, Buffer.from(lean, 'latin1'));
    doc.edit(ref).set('Length', lean.length);
  }
}
