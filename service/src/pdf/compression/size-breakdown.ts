// Where the bytes of a document are: images, fonts, other streams, and all that holds them together.
import type { PdfDocument } from '../document.ts';
import { Dict, Ref, Stream } from '../objects.ts';

export interface Ledger {
  images: number;
  fonts: number;
  streams: number;
  structure: number;
}

const PROGRAMS = ['FontFile', 'FontFile2', 'FontFile3'];

export function readSizeBreakdown(doc: PdfDocument, refs: readonly Ref[], fileBytes: number): Ledger {
  const ledger: Ledger = { images: 0, fonts: 0, streams: 0, structure: 0 };
  const fonts = fontPrograms(doc, refs);
  for (const ref of refs) {
    const object = doc.get(ref);
    if (!(object instanceof Stream)) continue;
    const bytes = Math.max(0, doc.number(object.dict.get('Length')) ?? doc.rawStreamData(ref).length);
    if (fonts.has(ref.key)) ledger.fonts += bytes;
    else if (doc.name(object.dict.get('Subtype')) === 'Image') ledger.images += bytes;
    else ledger.streams += bytes;
  }
  ledger.structure = Math.max(0, fileBytes - ledger.images - ledger.fonts - ledger.streams);
  return ledger;
}

function fontPrograms(doc: PdfDocument, refs: readonly Ref[]): Set<string> {
  const found = new Set<string>();
  for (const ref of refs) {
    const dict = doc.get(ref);
    if (!(dict instanceof Dict)) continue;
    for (const key of PROGRAMS) {
      const held = dict.get(key);
      if (held instanceof Ref) found.add(held.key);
    }
  }
  return found;
}

/** `images=1200/300; fonts=...`: bytes before and after. */
export function ledgerText(before: Ledger, after: Ledger): string {
  const parts = ['images', 'fonts', 'streams', 'structure'] as const;
  return parts.map((part) => `${part}=${before[part]}/${after[part]}`).join('; ');
}
