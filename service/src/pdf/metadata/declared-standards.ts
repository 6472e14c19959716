// Standards a document declares to keep, in its XMP.
import type { PdfDocument } from '../document.ts';
import { readXmp } from './metadata.ts';

export interface DeclaredStandard {
  /** 1a, 1b, 2a, 2b, 2u, 3a, 3b, 3u, 4, 4e, 4f, ua1, ua2. */
  id: string;
  family: 'PDF/A' | 'PDF/UA';
  name: string;
}

export interface Conformance {
  declared: DeclaredStandard[];
  /** The level of PDF/A declared, such as 2b. */
  pdfALevel: string | undefined;
  /** Standards that are told only by their name. */
  declaresE: boolean;
  declaresVT: boolean;
  declaresB: boolean;
  declaresSEC: boolean;
}

export function conformanceOf(doc: PdfDocument): Conformance {
  const xmp = readXmp(doc);
  const text = xmp ? Buffer.from(xmp.packet.bytes()).toString('utf8') : '';
  const part = xmp?.packet.get('pdfaid:part')?.trim() ?? '';
  const level = xmp?.packet.get('pdfaid:conformance')?.trim().toLowerCase() ?? '';
  const uaPart = xmp?.packet.get('pdfuaid:part')?.trim() ?? '';
  const pdfALevel = /^[1-4]$/.test(part) && /^[abuef]?$/.test(level) ? `${part}${level}` : undefined;
  const declares = (word: string): boolean => new RegExp(`\\bPDF/${word}(?![A-Za-z])`).test(text);
  return {
    declared: [
      ...(pdfALevel === undefined
        ? []
        : [{ id: pdfALevel, family: 'PDF/A' as const, name: `PDF/A-${pdfALevel}` }]),
      ...(/^[12]$/.test(uaPart)
        ? [{ id: `ua${uaPart}`, family: 'PDF/UA' as const, name: `PDF/UA-${uaPart}` }]
        : []),
    ],
    pdfALevel,
    declaresE: declares('E'),
    declaresVT: declares('VT'),
    declaresB: declares('B'),
    declaresSEC: declares('SEC'),
  };
}
