// What a document claims to conform to, and how such a claim is taken back.
import type { PdfDocument } from '../document.ts';
import { Ref, Stream } from '../objects.ts';
import { editInfo, readInfo, readXmp } from './metadata.ts';
import type { XmpPacket } from './xmp.ts';

export interface Claim {
  family: 'PDF/A' | 'PDF/UA' | 'PDF/X';
  /** As callers read it: PDF/A-2b, PDF/UA-1, PDF/X-4. */
  name: string;
}

/** Keys by which older kinds of PDF/X say what they are. */
const PDFX_KEYS = ['GTS_PDFXVersion', 'GTS_PDFXConformance'] as const;
/** Whoever claims anything uses one of these words in the packet, under whatever prefix. */
const WORDS = ['aiim.org/pdfa/ns/id', 'aiim.org/pdfua/ns/id', 'GTS_PDFXVersion'];

/** All of them. Asked at every save: a document that claims nothing is not parsed for it. */
export function claimsOf(doc: PdfDocument): Claim[] {
  const xmp = mayClaim(doc) ? readXmp(doc)?.packet : undefined;
  const inInfo = readInfo(doc);
  const press =
    (xmp && (xmp.get('pdfxid:GTS_PDFXVersion') ?? xmp.get('pdfx:GTS_PDFXVersion'))) ??
    (inInfo.has('GTS_PDFXVersion') ? doc.text(inInfo.get('GTS_PDFXVersion')) : undefined);
  return [
    ...(xmp ? pdfaClaim(xmp) : []),
    ...(xmp ? accessibilityClaim(xmp) : []),
    ...(press && /^PDF\/X-\w+(?::\d{4})?$/.test(press.trim())
      ? [{ family: 'PDF/X' as const, name: press.trim() }]
      : []),
  ];
}

/** Of a part whose level is not told, the lowest is meant. */
function pdfaClaim(xmp: XmpPacket): Claim[] {
  const part = xmp.get('pdfaid:part')?.trim() ?? '';
  const level = xmp.get('pdfaid:conformance')?.trim().toLowerCase() ?? '';
  if (!/^[1-4]$/.test(part)) return [];
  const known = part === '4' ? ['', 'e', 'f'] : part === '1' ? ['b', 'a'] : ['b', 'a', 'u'];
  return [{ family: 'PDF/A', name: `PDF/A-${part}${known.includes(level) ? level : known[0]}` }];
}

function accessibilityClaim(xmp: XmpPacket): Claim[] {
  const part = xmp.get('pdfuaid:part')?.trim() ?? '';
  return /^[12]$/.test(part) ? [{ family: 'PDF/UA', name: `PDF/UA-${part}` }] : [];
}

/** Part 1 knows neither object streams nor transparency. */
export const isPartOne = ({ name }: Claim): boolean => name.startsWith('PDF/A-1');

export const claimsPartOne = (doc: PdfDocument): boolean => claimsOf(doc).some(isPartOne);

/** Packets in UTF-16 and UTF-32 do not show their words: those are parsed. */
function mayClaim(doc: PdfDocument): boolean {
  const ref = doc.catalog.get('Metadata');
  if (!(ref instanceof Ref) || !(doc.get(ref) instanceof Stream)) return false;
  const { bytes, decoded } = doc.streamData(ref);
  if (!decoded) return false;
  const packet = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return packet.subarray(0, 64).includes(0) || WORDS.some((word) => packet.includes(word));
}

/** The document no longer says that it conforms to these. */
export function removeClaims(doc: PdfDocument, families: readonly Claim['family'][]): void {
  const xmp = readXmp(doc);
  if (xmp) {
    if (families.includes('PDF/A')) xmp.packet.removeAll('pdfaid');
    if (families.includes('PDF/UA')) xmp.packet.removeAll('pdfuaid');
    if (families.includes('PDF/X')) {
      xmp.packet.removeAll('pdfxid');
      for (const key of PDFX_KEYS) xmp.packet.remove(`pdfx:${key}`);
    }
    doc.replaceStreamData(xmp.ref, xmp.packet.bytes());
  }
  const info = readInfo(doc);
  if (families.includes('PDF/X') && PDFX_KEYS.some((key) => info.has(key))) {
    const edited = editInfo(doc);
    for (const key of PDFX_KEYS) edited.delete(key);
  }
}

/** The document claims another level of the same part of PDF/A. */
export function claimLevel(doc: PdfDocument, level: string): void {
  const xmp = readXmp(doc);
  if (!xmp) return;
  if (level === '') xmp.packet.remove('pdfaid:conformance');
  else xmp.packet.set('pdfaid:conformance', level.toUpperCase());
  doc.replaceStreamData(xmp.ref, xmp.packet.bytes());
}
