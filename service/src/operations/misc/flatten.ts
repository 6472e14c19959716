import { invalidParameter } from '../../contract/problems.ts';
import { flattenAnnotations, flattenForm } from '../../pdf/annotations/flatten-pages.ts';
import { completeAppearances } from '../../pdf/forms/fill-form.ts';
import {
  forgetContent,
  isPhotographic,
  jpegImage,
  losslessImage,
  showImage,
} from '../../pdf/pages/page-raster.ts';
import { ImageShelf, MAX_PAGE_PIXELS } from '../../procedures/image-pages.ts';
import { file, operation, pdfFile } from '../define.ts';
import { flag, integer } from '../fields.ts';

const DEFAULT_DPI = 150;

export default operation({
  summary: 'Flatten annotations and form fields into the pages',
  description:
    'Visible annotations and form fields become page content as vectors: text stays text, and tags go on naming it. ' +
    'Links stay active; hidden annotations, comment windows and the form are removed; files pinned to pages become ' +
    'attachments of the document. Annotations that bring no appearance are drawn where their kind allows it: marked ' +
    'text, shapes, lines, ink, typed text, signs for notes, files and sounds. With rasterize each page becomes one image; links, bookmarks, ' +
    'labels and attachments stay, tags and layers go.',
  example: { flattenOnlyForms: true },
  inputs: { fileInput: file('pdf') },
  params: {
    flattenOnlyForms: flag('Form fields only; annotations stay'),
    rasterize: flag('Each page becomes one image, without text; not with flattenOnlyForms'),
    renderDpi: integer(
      'Resolution with rasterize, 150 where it is not sent. A page of more than 100 megapixels is refused, or drawn smaller where it is not sent',
      { min: 72, max: 600 },
    ),
  },
  output: pdfFile(''),
  uses: ['qpdf', 'text', 'pdfium', 'sharp'],
  check({ flattenOnlyForms, rasterize }) {
    if (flattenOnlyForms && rasterize)
      throw invalidParameter('rasterize cannot be combined with flattenOnlyForms.');
  },
  async run({ fileInput }, { flattenOnlyForms, rasterize, renderDpi }, { engine }) {
    const doc = engine.qpdf.open(fileInput);
    completeAppearances(doc, engine.text.layout);
    if (flattenOnlyForms) flattenForm(doc);
    else flattenAnnotations(doc, engine.text.layout);
    if (!rasterize) return { content: doc.save(), name: fileInput.name };
    using view = engine.pdfium.open({ name: fileInput.name, content: doc.save() });
    const dpi = renderDpi ?? DEFAULT_DPI;
    const shelf = new ImageShelf(engine.qpdf, doc);
    for (const [index, page] of doc.pages().entries()) {
      const { width, height } = view.pixelSize(index, { dpi });
      if (renderDpi !== undefined && width * height > MAX_PAGE_PIXELS)
        throw invalidParameter(
          `renderDpi ${renderDpi} makes ${width} by ${height} pixels of page ${index + 1}; at most 100 megapixels are drawn.`,
        );
      const pixels = view.render(index, { dpi, maxPixels: MAX_PAGE_PIXELS });
      const picture = isPhotographic(pixels)
        ? jpegImage(pixels, await engine.sharp.encode(pixels, 'jpeg'))
        : losslessImage(pixels);
      shelf.add(picture, (image) => showImage(doc, page, image));
    }
    shelf.finish();
    forgetContent(doc);
    return { content: doc.save(), name: fileInput.name };
  },
});
