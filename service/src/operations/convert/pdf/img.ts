import { Problem } from '../../../contract/problems.ts';
import { selectPages } from '../../../pdf/pages/page-selection.ts';
import { archive, file, operation } from '../../define.ts';
import { choice, flag, integer, pages } from '../../fields.ts';
import { DEFAULT_DPI, drawPages, drawTall } from '../../page-images.ts';

const FORMATS = {
  png: 'png',
  jpeg: 'jpeg',
  jpg: 'jpeg',
  gif: 'gif',
  webp: 'webp',
  tif: 'tiff',
  tiff: 'tiff',
  bmp: 'bmp',
} as const;
const NAMES = Object.keys(FORMATS) as [keyof typeof FORMATS, ...(keyof typeof FORMATS)[]];

export default operation({
  summary: 'Turn pages into images',
  description:
    'One image for each page, or all pages in one tall image, left-aligned on white. One selected page, and the tall ' +
    'image, are sent as themselves, named base.<format>; several pages as a ZIP of base_<page>.<format>. Form field values are ' +
    'always drawn. The tall image may have up to 200 megapixels and 65535 pixels a side (webp 16383, jpeg 65500).',
  inputs: { fileInput: file('pdf') },
  params: {
    pageNumbers: pages('Pages to draw; their order is kept', { default: 'all' }),
    imageFormat: choice('Format of the images', NAMES, { default: 'png' }),
    singleOrMultiple: choice('All pages in one tall image, or one image each', ['single', 'multiple'], {
      default: 'multiple',
    }),
    colorType: choice(
      'Colours as they are, shades of grey, or black and white only',
      ['color', 'greyscale', 'blackwhite'],
      { default: 'color', otherNames: { grayscale: 'greyscale' } },
    ),
    dpi: integer(
      `Dots per inch; a page may not exceed 100 megapixels. Absent: ${DEFAULT_DPI}, or less for pages too large for it`,
      { min: 10, max: 600 },
    ),
    includeAnnotations: flag('Draw annotations too', { default: false }),
  },
  output: archive('_convertedToImages', 'png', { singleAsItself: true }),
  makes: ({ imageFormat }) => FORMATS[imageFormat],
  uses: ['qpdf', 'pdfium', 'sharp'],
  async run({ fileInput }, params, { engine, newFile }) {
    const { imageFormat, singleOrMultiple, colorType, dpi, includeAnnotations } = params;
    const doc = engine.qpdf.open(fileInput);
    const numbers = selectPages(params.pageNumbers, doc.pageCount);
    if (numbers.length === 0)
      throw new Problem('page_out_of_range', `pageNumbers selects none of the ${doc.pageCount} page(s).`);
    using view = engine.pdfium.openLike(fileInput, doc);
    const kind = FORMATS[imageFormat];
    const look = { format: kind, tones: colorType, dpi, annotations: includeAnnotations };
    const tools = { sharp: engine.sharp, newFile };
    const indices = numbers.map((number) => number - 1);
    const alone = `${fileInput.base}.${imageFormat}`;
    if (singleOrMultiple === 'single') {
      const path = await drawTall(view, indices, look, tools);
      return [{ name: alone, content: { path }, kind }];
    }
    const paths = await drawPages(view, indices, look, tools);
    return paths.map((path, at) => ({
      name: paths.length === 1 ? alone : `${fileInput.base}_${numbers[at]}.${imageFormat}`,
      content: { path },
      kind,
    }));
  },
});
