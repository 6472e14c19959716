// What keeps another version of a page or an image: thumbnails, private data of programs, other resolutions.
import type { PdfDocument } from '../document.ts';
import { changeDicts } from '../object-walk.ts';
import { isName, type Ref } from '../objects.ts';

const COPIES = ['Thumb', 'PieceInfo', 'OPI', 'Alternates', 'SpiderInfo'];
/** Packets of metadata of pages and images describe them; the document's own stays. */
const DESCRIBED = ['Page', 'XObject'];

/** Operations, security/auto-redact: "no earlier revision, thumbnail or unused object stays". */
export function dropHiddenCopies(doc: PdfDocument, refs: readonly Ref[]): number {
  let dropped = 0;
  // What proves signatures proves nothing of a document that was written anew.
  if (doc.catalog.has('DSS')) doc.edit(doc.catalogRef).delete('DSS');
  changeDicts(doc, refs, (dict) => {
    let changed = false;
    for (const key of COPIES) if (dict.delete(key)) changed = true;
    const isDescribed = DESCRIBED.some((type) => isName(dict.get('Type'), type));
    if (isDescribed && dict.delete('Metadata')) changed = true;
    if (changed) dropped += 1;
    return changed;
  });
  return dropped;
}
