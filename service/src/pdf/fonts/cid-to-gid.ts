// CIDToGIDMap: which glyph of a TrueType program a CID means (ISO 32000-1, table 117).
import type { PdfDocument } from '../document.ts';
import { contentOf } from '../filters/content-data.ts';
import { type Dict, Ref, Stream } from '../objects.ts';

export interface CidToGid {
  /** How many CIDs the map tells of. */
  count: number;
  /** Whether all of it could be read. */
  isWhole: boolean;
  glyph(cid: number): number;
}

/** Undefined where CIDs are the numbers of glyphs. */
export function readCidToGid(doc: PdfDocument, descendant: Dict): CidToGid | undefined {
  const held = descendant.get('CIDToGIDMap');
  if (!(held instanceof Ref) || !(doc.get(held) instanceof Stream)) return undefined;
  const bytes = contentOf(doc, held);
  return {
    count: bytes.length >> 1,
    isWhole: doc.streamData(held).decoded,
    glyph: (cid) => ((bytes[2 * cid] ?? 0) << 8) | (bytes[2 * cid + 1] ?? 0),
  };
}
