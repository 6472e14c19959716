import type { PdfDocument } from './document.ts';

const VERSION = /^\d\.\d+$/;

/** "pdfVersion is a number (the catalog's version wins over the header's)" (operations 2). */
export function pdfVersion(doc: PdfDocument, header: string): number {
  const stated = doc.name(doc.catalog.get('Version'));
  if (stated !== undefined && VERSION.test(stated)) return Number(stated);
  const version = Number.parseFloat(header);
  return Number.isFinite(version) ? version : 1.4;
}
