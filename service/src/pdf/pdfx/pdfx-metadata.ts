// Metadata of a document for printing presses: the claim, how it was trapped, when it was made, and which rendition
// of which document it is.
import { momentToTell, newUuid } from '../../contract/reproducible.ts';
import type { RdfNode } from '../conformance/xmp/rdf.ts';
import type { PdfDocument } from '../document.ts';
import { editInfo } from '../metadata/metadata.ts';
import { isoDate, momentOf, momentOfPdf, pdfDate } from '../metadata/pdf-dates.ts';
import { name } from '../objects.ts';
import { keptProperties, keyOf, putPacket } from '../pdfa-conversion/pdfa-metadata.ts';
import { simple, writePacket } from '../pdfa-conversion/rdf-writer.ts';
import { textString } from '../text-strings.ts';

export const PDFX_ID = 'http://www.npes.org/pdfx/ns/id/';
export const XMP_MM = 'http://ns.adobe.com/xap/1.0/mm/';
const XMP = 'http://ns.adobe.com/xap/1.0/';
const PDF = 'http://ns.adobe.com/pdf/1.3/';
/** Where copies of the information dictionary are kept, claims of older kinds of PDF/X among them. */
const PDFX = 'http://ns.adobe.com/pdfx/1.3/';
const OLD_CLAIMS = ['GTS_PDFXVersion', 'GTS_PDFXConformance'];

export function writePressMetadata(
  doc: PdfDocument,
  version: string,
  title: string,
  now = momentToTell(),
): void {
  const info = editInfo(doc);
  for (const key of OLD_CLAIMS) info.delete(key);
  if (!['True', 'False'].includes(doc.name(info.get('Trapped')) ?? '')) info.set('Trapped', name('False'));
  if (!doc.text(info.get('Title'))?.trim()) info.set('Title', textString(title));
  for (const key of ['CreationDate', 'ModDate'])
    info.set(key, textString(pdfDate(momentOfPdf(doc.text(info.get(key)) ?? '') ?? momentOf(now))));
  const kept = keptProperties(doc, 2005, now).filter(({ namespace, local }) => {
    const isOldClaim = namespace === PDFX && OLD_CLAIMS.includes(local);
    return namespace !== PDFX_ID && !isOldClaim;
  });
  const claims = [
    simple(PDFX_ID, 'pdfxid', 'GTS_PDFXVersion', version),
    simple(PDF, 'pdf', 'Trapped', doc.name(info.get('Trapped')) ?? 'False'),
    simple(XMP, 'xmp', 'MetadataDate', isoDate(momentOf(now))),
    identity(kept, 'DocumentID', `uuid:${newUuid()}`),
    identity(kept, 'VersionID', '1'),
    identity(kept, 'RenditionClass', 'default'),
  ];
  const stated = new Set(claims.map(keyOf));
  const packet = writePacket([...claims, ...kept.filter((node) => !stated.has(keyOf(node)))]);
  putPacket(doc, packet, 2005);
}

/** What the document said of itself, else what is said of a first rendition. */
function identity(kept: readonly RdfNode[], local: string, otherwise: string): RdfNode {
  const held = kept.find((node) => node.namespace === XMP_MM && node.local === local);
  return simple(XMP_MM, 'xmpMM', local, held?.kind === 'simple' && held.value ? held.value : otherwise);
}
