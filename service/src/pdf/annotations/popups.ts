// Windows of notes that stand nowhere: LibreOffice writes them without a Rect, which every annotation must have
// (ISO 32000-2, table 166).
import type { PdfDocument } from '../document.ts';
import { boxArray, boxOf } from '../geometry/boxes.ts';
import { isName, Ref } from '../objects.ts';

const SIZE = { width: 200, height: 100 };

/** Puts each beside its note; tells whether there was one. */
export function placePopups(doc: PdfDocument): boolean {
  let found = false;
  for (const page of doc.pages())
    for (const each of doc.array(doc.dict(page)?.get('Annots')) ?? []) {
      const popup = doc.dict(each);
      if (!popup || !(each instanceof Ref) || popup.has('Rect')) continue;
      if (!isName(doc.resolve(popup.get('Subtype')), 'Popup')) continue;
      const note = boxOf(doc, doc.resolve(doc.dict(popup.get('Parent'))?.get('Rect')));
      const { right: left, top } = note ?? { right: 0, top: SIZE.height };
      const box = { left, top, right: left + SIZE.width, bottom: top - SIZE.height };
      doc.edit(each).set('Rect', boxArray(box));
      found = true;
    }
  return found;
}
