// Pages that become pictures of themselves while all that is no content of theirs stays: links, fields, comments.
import type { Engines } from '../engines/engines.ts';
import type { QpdfDocument } from '../engines/qpdf/qpdf-document.ts';
import { isPhotographic, jpegPicture, losslessPicture, showPicture } from '../pdf/pages/page-raster.ts';
import { clean as cleanPicture } from '../pdf/recognition/cleaning.ts';
import { PictureShelf } from './page-pictures.ts';

const DPI = 300;
const MAX_PIXELS = 40_000_000;

export async function becomePictures(
  engine: Pick<Engines, 'qpdf' | 'pdfium' | 'sharp'>,
  doc: QpdfDocument,
  fileName: string,
  indices: readonly number[],
  { clean }: { clean: boolean },
): Promise<void> {
  using view = engine.pdfium.open({ name: fileName, content: doc.save({ keepModificationDate: true }) });
  const shelf = new PictureShelf(engine.qpdf, doc);
  for (const index of indices) {
    const ref = doc.pages()[index];
    if (!ref) continue;
    const pixels = view.render(index, { dpi: DPI, maxPixels: MAX_PIXELS, forms: false });
    if (clean) cleanPicture(pixels, DPI);
    const picture = isPhotographic(pixels)
      ? jpegPicture(
          pixels,
          await engine.sharp.encode({ ...pixels, channels: 4, data: pixels.rgba }, 'jpeg', { opaque: true }),
        )
      : losslessPicture(pixels);
    shelf.add(picture, (image) => {
      const annotations = doc.dict(ref)?.get('Annots');
      showPicture(doc, ref, image);
      if (annotations !== undefined) doc.edit(ref).set('Annots', annotations);
    });
  }
  shelf.finish();
}
