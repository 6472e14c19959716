// A document in shades of grey: all that is drawn, and images whose pixels cannot be changed.

import { readSpace } from '../content/colour-spaces.ts';
import type { PdfDocument } from '../document.ts';
import { isName, Ref, Stream } from '../objects.ts';
import { convertColours, GREYS } from '../recolouring/colour-conversion.ts';
import { greySpace } from '../recolouring/greyed-spaces.ts';

/** Text, lines, areas, gradients, annotations and fields. Tells what objects the document has then. */
export function greyDrawings(doc: PdfDocument): Ref[] {
  convertColours(doc, GREYS);
  return doc.allRefs();
}

/** Images that still have colours, too large or too odd to be worked on: their samples are only shown as greys. */
export function grayImages(doc: PdfDocument): void {
  const images = doc.allRefs().flatMap((ref) => {
    const object = doc.get(ref);
    const isImage = object instanceof Stream && isName(doc.resolve(object.dict.get('Subtype')), 'Image');
    return isImage ? [{ ref, dict: object.dict }] : [];
  });
  const masks = new Set<string>();
  for (const { dict } of images)
    for (const key of ['SMask', 'Mask']) {
      const mask = dict.get(key);
      if (mask instanceof Ref) masks.add(mask.key);
    }
  for (const { ref, dict } of images) {
    if (masks.has(ref.key) || doc.boolean(dict.get('ImageMask'))) continue;
    const space = readSpace(doc, dict.get('ColorSpace'));
    const isBent = space?.family === 'lab' && dict.has('Decode');
    const greyed = space && !isBent ? greySpace(doc, space) : undefined;
    if (greyed !== undefined) doc.edit(ref).set('ColorSpace', greyed);
  }
}
