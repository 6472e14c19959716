// Documents whose pages become images, in bounded memory: finished images wait on disk, not in the document.
import { InputFile } from '../contract/files.ts';
import type { Engines } from '../engines/engines.ts';
import type { QpdfDocument } from '../engines/qpdf/qpdf-document.ts';
import { addImageXObject, type ImageXObject } from '../pdf/images/image-xobjects.ts';
import { Dict, name, Ref } from '../pdf/objects.ts';
import { forgetContent, jpegImage, showImage } from '../pdf/pages/page-raster.ts';

/** Operations 1.2: "A page may not exceed 100 megapixels". */
export const MAX_PAGE_PIXELS = 100_000_000;
const BATCH_BYTES = 24 * 1024 * 1024;

/** Images on their way into a document. */
export class ImageShelf {
  private readonly qpdf: Engines['qpdf'];
  private readonly doc: QpdfDocument;
  private waiting: { picture: ImageXObject; use: (image: Ref) => void }[] = [];
  private bytes = 0;

  constructor(qpdf: Engines['qpdf'], doc: QpdfDocument) {
    this.qpdf = qpdf;
    this.doc = doc;
  }

  /** `use` is told the image object once the image is in the document: at the latest by `finish`. */
  add(picture: ImageXObject, use: (image: Ref) => void): void {
    this.waiting.push({ picture, use });
    this.bytes += picture.data.length;
    if (this.bytes > BATCH_BYTES) this.putAway();
  }

  finish(): void {
    for (const { picture, use } of this.waiting) use(addImageXObject(this.doc, picture));
    this.waiting = [];
  }

  /** Writes what waits to a file of its own, and copies it from there: qpdf reads it when the document is saved. */
  private putAway(): void {
    const made = this.qpdf.create();
    const images = this.waiting.map(({ picture }) => addImageXObject(made, picture));
    const page = Dict.of({ Type: name('Page'), MediaBox: [0, 0, 1, 1], Held: images });
    made.setPages([made.add(page)]);
    const content = made.save({ keepModificationDate: true });
    this.qpdf.close(made);
    const stored = this.qpdf.open(new InputFile('images.pdf', content));
    const held = stored.array(stored.page(0).get('Held')) ?? [];
    this.waiting.forEach(({ use }, index) => {
      const ref = held[index];
      if (ref instanceof Ref) use(this.doc.copyFrom(stored, ref));
    });
    this.waiting = [];
    this.bytes = 0;
  }
}

/** Operations 8: "pages become images (200 dpi) afterwards". */
const IMAGE_DPI = 200;

/** Every page of the document as it is now becomes an image of itself. Links and bookmarks stay. */
export async function turnIntoImages(
  engine: Pick<Engines, 'qpdf' | 'pdfium' | 'sharp'>,
  doc: QpdfDocument,
  fileName: string,
): Promise<void> {
  using looked = engine.pdfium.open({ name: fileName, content: doc.save() });
  const shelf = new ImageShelf(engine.qpdf, doc);
  for (const [index, ref] of doc.pages().entries()) {
    const drawn = looked.render(index, {
      dpi: IMAGE_DPI,
      maxPixels: MAX_PAGE_PIXELS,
      annotations: true,
    });
    const picture = jpegImage(drawn, await engine.sharp.encode(drawn, 'jpeg'));
    shelf.add(picture, (image) => showImage(doc, ref, image));
  }
  shelf.finish();
  forgetContent(doc);
}
