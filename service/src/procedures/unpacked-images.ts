// Images in codecs that qpdf cannot undo: PDFium draws them, and their pixels take the place of the packed data.
import type { Pdfium } from '../engines/pdfium/pdfium.ts';
import type { Qpdf } from '../engines/qpdf/qpdf.ts';
import { type PackedImage, putOnPage, replaceWithPixels } from '../pdf/images/image-decoding.ts';

export function unpackImages(
  engine: { qpdf: Qpdf; pdfium: Pdfium },
  doc: ReturnType<Qpdf['open']>,
  images: readonly PackedImage[],
): void {
  for (const image of images) {
    const sheet = engine.qpdf.create();
    putOnPage(sheet, doc, image);
    using page = engine.pdfium.open({ name: 'image.pdf', content: sheet.save() });
    replaceWithPixels(doc, image, page.render(0, { scale: 1, maxPixels: image.width * image.height }).rgba);
    engine.qpdf.close(sheet);
  }
}
