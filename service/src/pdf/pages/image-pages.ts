// Images put on pages of their own, pixel for point, so that a renderer decodes them: codecs, colour spaces,
// decode arrays and masks are then as they are seen in the document.
import type { PdfDocument } from '../document.ts';
import type { DrawnImage } from '../images/drawn-images.ts';
import { Dict, name } from '../objects.ts';

const IMPLIED = ['DefaultGray', 'DefaultRGB', 'DefaultCMYK'];

/** The document becomes one page for each of the images, and nothing else. */
export function becomeImages(doc: PdfDocument, images: readonly DrawnImage[]): void {
  const pages = images.map(({ ref, width, height, resources }) => {
    // A layer that is switched off would hide it.
    doc.edit(ref).delete('OC');
    const spaces = doc.dict(resources.get('ColorSpace'));
    const implied = Dict.of(Object.fromEntries(IMPLIED.map((key) => [key, spaces?.get(key)])));
    return doc.add(
      Dict.of({
        Type: name('Page'),
        MediaBox: [0, 0, width, height],
        Resources: Dict.of({ XObject: Dict.of({ I: ref }), ColorSpace: implied }),
        Contents: doc.addStream(new Dict(), Buffer.from(`${width} 0 0 ${height} 0 0 cm /I Do`)),
      }),
    );
  });
  const root = doc.add(new Dict());
  doc.replace(doc.catalogRef, Dict.of({ Type: name('Catalog'), Pages: root }));
  doc.linkPages(pages);
}
