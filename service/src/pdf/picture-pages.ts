// Pages that become one picture each. Their boxes and /Rotate stay, so that bookmarks and links still point right.
import type { DisplayedPage } from './displayed-page.ts';
import type { PdfDocument } from './document.ts';
import { inverse, type Matrix, matrixText, product } from './matrix.ts';
import { Dict, type Ref } from './objects.ts';
import { formatNumber } from './syntax.ts';

/** What a page says of content that is gone. */
const GONE = ['Resources', 'Group', 'Thumb', 'StructParents', 'B', 'PieceInfo', 'Tabs', 'SeparationInfo'];

/** Puts a picture that covers the page as displayed in the place of all that the page draws. */
export function showPicture(
  doc: PdfDocument,
  page: DisplayedPage,
  image: Ref,
  { keepLinks }: { keepLinks: boolean },
): void {
  const dict = doc.edit(page.ref);
  for (const key of GONE) dict.delete(key);
  const whole: Matrix = [page.width, 0, 0, page.height, 0, 0];
  const upright = inverse(page.matrix);
  const place = upright ? matrixText(product(whole, upright)) : whole.map(formatNumber).join(' ');
  dict.set('Contents', doc.addStream(new Dict(), Buffer.from(`q ${place} cm /Page Do Q\n`)));
  dict.set('Resources', Dict.of({ XObject: Dict.of({ Page: image }) }));
  const links = keepLinks
    ? (doc.array(dict.get('Annots')) ?? []).filter(
        (annot) => doc.name(doc.dict(annot)?.get('Subtype')) === 'Link',
      )
    : [];
  if (links.length > 0) dict.set('Annots', links);
  else dict.delete('Annots');
}

/** Once all pages are pictures: fields, tags and layers have nothing left to stand on. */
export function forgetContent(doc: PdfDocument): void {
  const catalog = doc.edit(doc.catalogRef);
  for (const key of ['AcroForm', 'StructTreeRoot', 'MarkInfo', 'OCProperties', 'SpiderInfo', 'Threads'])
    catalog.delete(key);
}
