// What a document that could be opened may still lack: sound pages and streams that decode.

import type { PdfDocument } from '../document.ts';
import { type Filter, filtersOf, isPacking, undoFilter } from '../filters/stream-filters.ts';
import { boxOf, LETTER_BOX } from '../geometry/boxes.ts';
import { rotationOf } from '../geometry/page-rotation.ts';
import { Dict, name, type PdfValue, Ref, Stream } from '../objects.ts';

/** Attributes a page may take from the tree above it. */
const INHERITED = ['Resources', 'MediaBox', 'CropBox', 'Rotate'] as const;

/** How many pages the document has afterwards. */
export function repairDocument(doc: PdfDocument): number {
  repairPages(doc);
  const drawn = new Set(doc.pages().flatMap((page) => contentRefs(doc, doc.dict(page)?.get('Contents'))));
  for (const ref of doc.allRefs()) repairStream(doc, ref, drawn.has(ref.key));
  return doc.pageCount;
}

function contentRefs(doc: PdfDocument, contents: PdfValue | undefined): string[] {
  const parts =
    contents instanceof Ref && doc.array(contents) === undefined ? [contents] : doc.array(contents);
  return (parts ?? []).flatMap((part) => (part instanceof Ref ? [part.key] : []));
}

/** Gives every page what it must have, and puts them all into a new tree. */
function repairPages(doc: PdfDocument): void {
  const pages = doc.pages().filter((ref) => doc.get(ref) instanceof Dict);
  for (const ref of pages) {
    const page = doc.edit(ref);
    for (const key of INHERITED) {
      const value = doc.inherited(page, key);
      if (value !== null && !page.has(key) && !(value instanceof Stream)) page.set(key, value);
    }
    if (!boxOf(doc, page.get('MediaBox') ?? null)) {
      page.set('MediaBox', [LETTER_BOX.left, LETTER_BOX.bottom, LETTER_BOX.right, LETTER_BOX.top]);
    }
    if (page.has('CropBox') && !boxOf(doc, page.get('CropBox') ?? null)) page.delete('CropBox');
    if (page.has('Rotate')) page.set('Rotate', rotationOf(doc, page));
    if (!doc.dict(page.get('Resources'))) page.set('Resources', new Dict());
    if (page.has('Annots') && !doc.array(page.get('Annots'))) page.delete('Annots');
    repairContents(doc, page);
    page.set('Type', name('Page'));
  }
  doc.setPages(pages);
}

function repairContents(doc: PdfDocument, page: Dict): void {
  const contents = page.get('Contents');
  if (contents === undefined) return;
  if (contents instanceof Ref && doc.resolve(contents) instanceof Stream) return;
  const parts = (doc.array(contents) ?? []).filter(
    (part) => part instanceof Ref && doc.resolve(part) instanceof Stream,
  );
  if (parts.length === 0) page.delete('Contents');
  else page.set('Contents', parts);
}

/** A stream whose packing is damaged is written anew from what still decodes. */
function repairStream(doc: PdfDocument, ref: Ref, isContent: boolean): void {
  const stream = doc.get(ref);
  if (!(stream instanceof Stream)) return;
  const filters = filtersOf(doc, stream.dict);
  if (filters?.every((filter) => isPacking(filter.name))) {
    if (filters.length > 0 && !doc.streamData(ref).decoded)
      doc.replaceStreamData(ref, unpacked(doc, ref, filters));
    return;
  }
  if (filters?.every((filter) => isPacking(filter.name) || CODECS.has(filter.name)) && !isContent) return;
  // No reader knows this filter; most often it is a word for Flate in which some letters are wrong.
  const inflated = unpacked(doc, ref, [{ name: 'FlateDecode', parms: undefined }]);
  if (inflated.length > 0 || isContent) doc.replaceStreamData(ref, inflated);
}

const CODECS: ReadonlySet<string> = new Set([
  'CCITTFaxDecode',
  'JBIG2Decode',
  'DCTDecode',
  'JPXDecode',
  'Crypt',
]);

function unpacked(doc: PdfDocument, ref: Ref, filters: readonly Filter[]): Uint8Array {
  let bytes = doc.rawStreamData(ref);
  for (const filter of filters) bytes = undoFilter(doc, bytes, filter).bytes;
  return bytes;
}
