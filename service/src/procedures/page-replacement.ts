// Pages changed before they are read: set straight, or made images of themselves. What cannot be drawn stays as it is.
import type { Log } from '../contract/log.ts';
import { Problem } from '../contract/problems.ts';
import type { Engines } from '../engines/engines.ts';
import type { PdfiumDocument } from '../engines/pdfium/pdfium.ts';
import type { QpdfDocument } from '../engines/qpdf/qpdf-document.ts';
import type { PdfDocument } from '../pdf/document.ts';
import type { Matrix } from '../pdf/geometry/matrix.ts';
import type { Ref } from '../pdf/objects.ts';
import { clean as cleanImage } from '../pdf/ocr/cleaning.ts';
import { SKEW_DPI, skewOf, straighten } from '../pdf/ocr/skew.ts';
import { soleImage } from '../pdf/ocr/sole-image.ts';
import { isPhotographic, jpegImage, losslessImage, showImage } from '../pdf/pages/page-raster.ts';
import { ImageShelf } from './image-pages.ts';
import { grayImage } from './page-ocr.ts';

const DPI = 300;
const MAX_PIXELS = 40_000_000;

export function straightenPages(
  doc: PdfDocument,
  view: PdfiumDocument,
  indices: readonly number[],
  log: Log,
): void {
  for (const index of indices) {
    const ref = doc.pages()[index];
    const picture = unlessUndrawable(log, index, () => grayImage(view, index, SKEW_DPI));
    const skew = picture ? skewOf(picture) : 0;
    if (ref && skew !== 0) straighten(doc, ref, skew);
  }
}

/**
 * Pages show images of themselves instead of text; those that showed nothing but one image go on to show that. All
 * that is no content of a page stays with it: links, fields, comments.
 */
export async function replaceWithImages(
  engine: Pick<Engines, 'qpdf' | 'sharp'>,
  doc: QpdfDocument,
  view: PdfiumDocument,
  indices: readonly number[],
  { clean, log }: { clean: boolean; log: Log },
): Promise<void> {
  const shelf = new ImageShelf(engine.qpdf, doc);
  for (const index of indices) {
    const ref = doc.pages()[index];
    const image = ref && !clean ? soleImage(doc, ref) : undefined;
    if (ref && image) show(doc, ref, image.ref, image.matrix);
    if (!ref || image) continue;
    const options = { dpi: DPI, maxPixels: MAX_PIXELS, forms: false };
    const pixels = unlessUndrawable(log, index, () => view.render(index, options));
    if (!pixels) continue;
    if (clean) cleanImage(pixels, DPI);
    const picture = isPhotographic(pixels)
      ? jpegImage(pixels, await engine.sharp.encode(pixels, 'jpeg', { opaque: true }))
      : losslessImage(pixels);
    shelf.add(picture, (made) => show(doc, ref, made));
  }
  shelf.finish();
}

function show(doc: PdfDocument, page: Ref, image: Ref, matrix?: Matrix): void {
  const annotations = doc.dict(page)?.get('Annots');
  showImage(doc, page, image, { ...(matrix ? { matrix } : {}) });
  if (annotations !== undefined) doc.edit(page).set('Annots', annotations);
}

function unlessUndrawable<T>(log: Log, index: number, draw: () => T): T | undefined {
  try {
    return draw();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    log.warn('page cannot be drawn', { page: index + 1, error });
    return undefined;
  }
}
