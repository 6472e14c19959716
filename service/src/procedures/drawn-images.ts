// The images that pages draw, as image files: each is drawn alone, so that codecs, colours and masks are as seen.
import type { InputFile } from '../contract/files.ts';
import type { Engines } from '../engines/engines.ts';
import type { PdfiumDocument } from '../engines/pdfium/pdfium.ts';
import type { EditorImage } from '../pdf/editing/editor-document.ts';
import { type ImageElement, pageElements } from '../pdf/editing/page-elements.ts';
import { GlyphFonts } from '../pdf/fonts/glyph-fonts.ts';
import { LeanPixels } from '../pdf/images/lean-pixels.ts';
import { becomeImages } from '../pdf/pages/image-pages.ts';

const MAX_PIXELS = 100_000_000;
const STRIP_PIXELS = 16_000_000;
const KEPT_BYTES = 32 * 1024 * 1024;

/** Asked by the place of an image among all that the pages draw, in order. */
export function drawImages(
  engine: Pick<Engines, 'qpdf' | 'pdfium' | 'sharp'>,
  file: InputFile,
): (place: number) => Promise<EditorImage | undefined> {
  // A document of its own: it becomes its images, and the other stays as it is.
  const doc = engine.qpdf.open(file);
  const glyphs = new GlyphFonts(doc);
  const images: ImageElement[] = [];
  const pageOf = new Map<string, number>();
  const places: number[] = [];
  for (const page of doc.pages()) {
    for (const image of pageElements(doc, page, glyphs).images) {
      const known = pageOf.get(image.ref.key);
      const drawable = image.nativeWidth > 0 && image.nativeHeight > 0;
      if (known === undefined && drawable) pageOf.set(image.ref.key, images.push(image) - 1);
      places.push(pageOf.get(image.ref.key) ?? -1);
    }
  }
  let view: PdfiumDocument | undefined;
  const open = (): PdfiumDocument => {
    becomeImages(
      doc,
      images.map(({ ref, nativeWidth: width, nativeHeight: height, resources }) => ({
        page: 0,
        ref,
        width,
        height,
        resources,
      })),
    );
    return engine.pdfium.open({ name: file.name, content: doc.save({ keepModificationDate: true }) });
  };
  let kept = 0;
  const made = new Map<number, EditorImage>();
  return async (place) => {
    const index = places[place] ?? -1;
    const image = images[index];
    if (!image) return undefined;
    const before = made.get(index);
    if (before) return before;
    view ??= open();
    const options = { scale: 1, maxPixels: MAX_PIXELS, clear: true, forms: false };
    const { width, height } = view.drawnSize(index, options);
    const pixels = new LeanPixels({ width, height }, 4 * MAX_PIXELS, 'A picture');
    for (const { rgba } of view.renderStrips(index, options, STRIP_PIXELS)) pixels.add(rgba);
    const { channels, data } = pixels;
    const bytes = await engine.sharp.encode({ width, height, channels, data }, 'png');
    const picture: EditorImage = { bytes, format: 'png' };
    if (kept + bytes.length <= KEPT_BYTES) {
      kept += bytes.length;
      made.set(index, picture);
    }
    return picture;
  };
}
