// The info dictionary and the XMP packet of a document, read as plain data and kept in step.
import { keepsOwnDates, momentToTell } from '../../contract/reproducible.ts';
import type { PdfDocument } from '../document.ts';
import { Dict, Ref, Stream } from '../objects.ts';
import { textString } from '../text-strings.ts';
import { isoDate, type Moment, momentOf, momentOfIso, momentOfPdf, pdfDate } from './pdf-dates.ts';
import { XmpPacket } from './xmp.ts';

export interface DocumentProperties {
  title: string | null;
  author: string | null;
  subject: string | null;
  keywords: string | null;
  creator: string | null;
  producer: string | null;
  /** ISO 8601; null where absent or unreadable. */
  creationDate: string | null;
  modificationDate: string | null;
}

export function documentProperties(doc: PdfDocument): DocumentProperties {
  const info = readInfo(doc);
  const text = (key: string) => doc.text(info.get(key)) ?? null;
  const date = (key: string) => {
    const moment = infoDate(doc, info, key);
    return moment ? isoDate(moment) : null;
  };
  return {
    title: text('Title'),
    author: text('Author'),
    subject: text('Subject'),
    keywords: text('Keywords'),
    creator: text('Creator'),
    producer: text('Producer'),
    creationDate: date('CreationDate'),
    modificationDate: date('ModDate'),
  };
}

/** The info dictionary, empty where the document has none. */
export function readInfo(doc: PdfDocument): Dict {
  const info = doc.resolve(doc.trailer.get('Info'));
  return info instanceof Dict && !isAnotherPart(doc, info) ? info : new Dict();
}

export function infoDate(doc: PdfDocument, info: Dict, key: string): Moment | undefined {
  const text = doc.text(info.get(key));
  return text === undefined ? undefined : momentOfPdf(text);
}

/** The info dictionary, to be changed; made where the document has none. */
export function editInfo(doc: PdfDocument): Dict {
  const held = doc.trailer.get('Info');
  const current = doc.resolve(held);
  const usable = current instanceof Dict && !isAnotherPart(doc, current);
  if (usable && held instanceof Ref) return doc.edit(held);
  const ref = doc.add(usable ? new Dict(current) : new Dict());
  doc.setTrailer('Info', ref);
  return doc.edit(ref);
}

export function removeInfo(doc: PdfDocument): void {
  doc.setTrailer('Info', undefined);
}

/** A hostile trailer may call the catalog or a page its info dictionary. */
const isAnotherPart = (doc: PdfDocument, info: Dict): boolean =>
  ['Catalog', 'Pages', 'Page'].includes(doc.name(info.get('Type')) ?? '') || info === doc.catalog;

/** The document's XMP packet; undefined where there is none or it cannot be read. */
export function readXmp(doc: PdfDocument): { ref: Ref; packet: XmpPacket } | undefined {
  const ref = doc.catalog.get('Metadata');
  if (!(ref instanceof Ref) || !(doc.get(ref) instanceof Stream)) return undefined;
  const { bytes, decoded } = doc.streamData(ref);
  const packet = decoded ? XmpPacket.parse(bytes) : undefined;
  return packet && { ref, packet };
}

/**
 * Operations 1.7: "A rewritten PDF keeps metadata (ModDate is renewed)". The XMP packet, where there is
 * one, tells the same date.
 */
export function renewModificationDate(doc: PdfDocument): void {
  const xmp = readXmp(doc);
  const moment = ownDate(doc, xmp?.packet) ?? momentOf(momentToTell());
  if (xmp) {
    xmp.packet.set('xmp:ModifyDate', isoDate(moment));
    if (xmp.packet.has('xmp:MetadataDate')) xmp.packet.set('xmp:MetadataDate', isoDate(moment));
    doc.replaceStreamData(xmp.ref, xmp.packet.bytes());
  }
  // PDF/A-4 forbids an info dictionary; its date stands in XMP alone.
  if (xmp?.packet.get('pdfaid:part') === '4' && !doc.trailer.has('Info')) return;
  editInfo(doc).set('ModDate', textString(pdfDate(moment)));
}

/** The date that a reproducible job has the document tell again: when it was last changed, or made. */
function ownDate(doc: PdfDocument, packet: XmpPacket | undefined): Moment | undefined {
  if (!keepsOwnDates()) return undefined;
  const info = readInfo(doc);
  return (
    infoDate(doc, info, 'ModDate') ??
    momentOfIso(packet?.get('xmp:ModifyDate') ?? '') ??
    infoDate(doc, info, 'CreationDate')
  );
}
