// Image files that operations draw: which kinds, and how a file becomes something to be placed.
import type { InputFile } from '../contract/files.ts';
import { sniff } from '../contract/kinds.ts';
import { Problem } from '../contract/problems.ts';
import type { Engines } from '../engines/engines.ts';
import type { QpdfDocument } from '../engines/qpdf/qpdf-document.ts';
import type { Drawable } from '../pdf/content/drawable.ts';
import { displayedPage } from '../pdf/geometry/displayed-page.ts';
import { matrixOf, product, scaling } from '../pdf/geometry/matrix.ts';
import { imageForm } from '../pdf/images/image-xobjects.ts';
import { PageForms } from '../pdf/pages/page-form.ts';
import { drawSvg } from './svg-drawing.ts';

export const IMAGE_KINDS = ['png', 'jpeg', 'gif', 'bmp', 'tiff', 'webp', 'avif'] as const;
export const DRAWABLE_KINDS = [...IMAGE_KINDS, 'svg'] as const;

/** Points of a CSS pixel in the PDF that a drawing becomes. */
const POINTS_PER_PIXEL = 0.75;

/** An image or drawing as a form: "1 px = 1 pt". */
export async function drawableImage(
  engine: Pick<Engines, 'qpdf' | 'sharp' | 'rsvg' | 'browser'>,
  doc: QpdfDocument,
  file: InputFile,
  field: string,
): Promise<Drawable> {
  if (sniff(file.head()) !== 'svg') return imageForm(doc, await engine.sharp.read(file, { field }));
  const drawing = await drawSvg(engine, file, field);
  const [page] = drawing.pages();
  if (!page) throw new Problem('unsupported_file_type', `${field}: ${file.name} draws nothing.`);
  const shown = displayedPage(drawing, page);
  const form = doc.copyFrom(drawing, new PageForms(drawing).of(shown));
  const pixels = 1 / POINTS_PER_PIXEL;
  const dict = doc.edit(form);
  dict.set('Matrix', [...product(matrixOf(doc, dict.get('Matrix')), scaling(pixels))]);
  return { form, width: shown.width * pixels, height: shown.height * pixels };
}
