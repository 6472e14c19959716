import { invalidParameter, Problem } from '../../contract/problems.ts';
import type { Raster } from '../../contract/raster.ts';
import type { PdfiumDocument } from '../../engines/pdfium/pdfium.ts';
import type { Box } from '../../pdf/geometry/boxes.ts';
import { type DisplayedPage, displayedPage } from '../../pdf/geometry/displayed-page.ts';
import { cropPages, onPage } from '../../pdf/pages/page-cropping.ts';
import { shownBox } from '../../pdf/pages/white-margins.ts';
import { file, operation, pdfFile } from '../define.ts';
import { flag, number } from '../fields.ts';

/** Fine enough to find margins, coarse enough to be quick. */
const TRIM_DPI = 100;
const TRIM_PIXELS = 4_000_000;

const coordinate = (what: string) =>
  number(`${what}, in points from the lower-left corner of the page as displayed; required unless autoCrop`, {
    min: -14_400,
    max: 14_400,
  });
const length = (what: string) =>
  number(`${what}, in points; required unless autoCrop`, { min: 0, above: 0, max: 14_400 });

export default operation({
  summary: 'Crop pages',
  description:
    'Cuts all pages to a rectangle of the page as displayed, or each to what it shows. With removeDataOutsideCrop, text, ' +
    'drawings, images, annotations and form fields wholly outside are removed from the file, with words in tags that stand ' +
    'for removed content; what crosses the edge is clipped. Images that cross the edge lose the pixels outside, except JPEG, ' +
    'JPEG 2000 and fax images and turned ones, which stay whole behind the edge.',
  example: { x: 50, y: 50, width: 400, height: 500 },
  inputs: { fileInput: file('pdf') },
  params: {
    x: coordinate('Left edge'),
    y: coordinate('Bottom edge'),
    width: length('Width'),
    height: length('Height'),
    removeDataOutsideCrop: flag('Remove content outside; false only sets the page boxes', { default: true }),
    autoCrop: flag('Trim white margins page by page; the rectangle is ignored, blank pages stay'),
  },
  output: pdfFile('_cropped'),
  uses: ['qpdf', 'pdfium'],
  unused: ({ autoCrop }) => (autoCrop ? ['x', 'y', 'width', 'height'] : []),
  check(values) {
    if (values.autoCrop) return;
    const missing = (['x', 'y', 'width', 'height'] as const).filter((key) => values[key] === undefined);
    if (missing.length > 0)
      throw invalidParameter(`Without autoCrop ${missing.join(', ')} must be given, in points.`);
  },
  async run({ fileInput }, values, { engine }) {
    const doc = engine.qpdf.open(fileInput);
    const pages = doc.pages().map((ref) => displayedPage(doc, ref));
    const { x = 0, y = 0, width = 0, height = 0 } = values;
    const rectangle = { left: x, bottom: y, right: x + width, top: y + height };
    const shown = values.autoCrop ? engine.pdfium.openLike(fileInput, doc) : undefined;
    const cropped = pages.flatMap((page, index) => {
      if (!shown) {
        const keep = onPage(rectangle, page);
        if (keep) return [{ page, keep }];
        const size = `${page.width} by ${page.height} points`;
        throw invalidParameter(
          `x, y, width and height make a rectangle beside page ${index + 1}, which is ${size}.`,
        );
      }
      const raster = renderPage(shown, index);
      const box = raster && shownBox(raster);
      return box ? [{ page, keep: scaledTo(box, page) }] : [];
    });
    cropPages(doc, cropped, values.removeDataOutsideCrop);
    return { content: doc.save() };
  },
});

/** A page that cannot be drawn shows nothing, and stays as it is. */
function renderPage(shown: PdfiumDocument, index: number): Raster | undefined {
  if (index >= shown.pageCount) return undefined;
  try {
    return shown.render(index, { dpi: TRIM_DPI, maxPixels: TRIM_PIXELS, annotations: true });
  } catch (error) {
    if (error instanceof Problem && error.reason === 'invalid_pdf') return undefined;
    throw error;
  }
}

const scaledTo = ({ left, bottom, right, top }: Box, page: DisplayedPage): Box => ({
  left: left * page.width,
  bottom: bottom * page.height,
  right: right * page.width,
  top: top * page.height,
});
