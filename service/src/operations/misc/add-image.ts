import { displayedPage } from '../../pdf/geometry/displayed-page.ts';
import { PageOverlay } from '../../pdf/pages/page-overlay.ts';
import { rotatedAndSizedPlacement, sizeGiven } from '../../pdf/pages/placement.ts';
import { DRAWABLE_KINDS, drawableImage } from '../../procedures/placed-images.ts';
import { file, operation, pdfFile } from '../define.ts';
import { coordinateField } from '../drawing-fields.ts';
import { flag, number } from '../fields.ts';

const length = (description: string) => number(description, { min: 0, above: 0, max: 14_400 });

export default operation({
  summary: 'Draw a picture on pages',
  description:
    'Draws a picture above the content of the first page, or of every page, upright for the reader. Positions are ' +
    'points from the lower-left corner of the page as displayed. SVG drawings stay vectors; JPEG data is embedded as it ' +
    'is; EXIF orientation is honoured; of an animation or a TIFF with several frames the first is taken.',
  example: { x: 50, y: 50, everyPage: true },
  inputs: {
    fileInput: file('pdf'),
    imageFile: file(DRAWABLE_KINDS, 'The picture, of at most 200 megapixels'),
  },
  params: {
    x: coordinateField('Left edge of the picture, in points from the left edge of the page'),
    y: coordinateField('Lower edge of the picture, in points from the lower edge of the page'),
    width: length('Drawn width in points; absent: as height asks, else one point for each pixel'),
    height: length('Drawn height in points; absent: as width asks, else one point for each pixel'),
    everyPage: flag('Draw on all pages, not only on the first'),
  },
  output: pdfFile('_overlayed'),
  uses: ['qpdf', 'sharp'],
  mayUse: ['rsvg', 'browser'],
  async run({ fileInput, imageFile }, { x, y, width, height, everyPage }, { engine }) {
    const doc = engine.qpdf.open(fileInput);
    const image = await drawableImage(engine, doc, imageFile, 'imageFile');
    const matrix = rotatedAndSizedPlacement(x, y, sizeGiven(image, width, height), 0, image);
    const overlay = new PageOverlay(doc);
    for (const page of everyPage ? doc.pages() : doc.pages().slice(0, 1))
      overlay.draw(displayedPage(doc, page), [{ form: image.form, matrix }]);
    return { content: doc.save() };
  },
});
