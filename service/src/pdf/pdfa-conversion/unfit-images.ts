// Images in JPEG 2000 that a part of PDF/A does not allow: part 1 none, later parts those with odd channels.
import { JPEG2000_TESTS, readJpeg2000 } from '../conformance/content/jpeg2000.ts';
import type { Standard } from '../conformance/standards.ts';
import type { PdfDocument } from '../document.ts';
import { type PackedImage, packedImages } from '../images/image-decoding.ts';

export function unfitImages(doc: PdfDocument, { part }: Standard): PackedImage[] {
  return packedImages(doc).filter(({ ref, bilevel }) => {
    if (bilevel) return false;
    if (part === 1) return true;
    const jpx = readJpeg2000(doc.rawStreamData(ref));
    const hasSpace = doc.dict(ref)?.has('ColorSpace') === true;
    return !JPEG2000_TESTS.every(({ fits }) => fits(jpx, hasSpace));
  });
}
