import type { InputFile } from '../../../contract/files.ts';
import { Problem } from '../../../contract/problems.ts';
import type { Engines } from '../../../engines/engines.ts';
import type { PdfiumDocument } from '../../../engines/pdfium/pdfium.ts';
import { selectPages } from '../../../pdf/pages/page-selection.ts';
import { DEFAULT_DPI, drawPages, drawTall, type PageLook } from '../../../procedures/page-images.ts';
import { archive, file, operation } from '../../define.ts';
import { choice, flag, integer, pages } from '../../fields.ts';

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

interface Look {
  imageFormat: keyof typeof FORMATS;
  colorType: PageLook['tones'];
  dpi: number | undefined;
  includeAnnotations: boolean;
}

const lookOf = ({ imageFormat, colorType, dpi, includeAnnotations }: Look): PageLook => ({
  format: FORMATS[imageFormat],
  tones: colorType,
  dpi,
  annotations: includeAnnotations,
});

function open(
  file: InputFile,
  chosen: Parameters<typeof selectPages>[0],
  { qpdf, pdfium }: Pick<Engines, 'qpdf' | 'pdfium'>,
): { view: PdfiumDocument; indices: number[] } {
  const doc = qpdf.open(file);
  const numbers = selectPages(chosen, doc.pageCount);
  if (numbers.length === 0)
    throw new Problem('page_out_of_range', `pageNumbers selects none of the ${doc.pageCount} page(s).`);
  return { view: pdfium.openLike(file, doc), indices: numbers.map((number) => number - 1) };
}

export default operation({
  summary: 'Turn pages into images',
  description:
    'One image for each page, or all pages in one tall image, left-aligned on white. One selected page, and the tall ' +
    'image, are sent as themselves, named base.<format>; several pages as a ZIP of base_<page>.<format>. Form field values are ' +
    'always drawn. The tall image may have up to 200 megapixels and 65535 pixels a side (webp 16383, jpeg 65500).',
  example: { imageFormat: 'png', dpi: 150, pageNumbers: '1-3' },
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
    includeAnnotations: flag('Draw annotations too'),
  },
  output: archive('_convertedToImages', 'png', { singleAsItself: true }),
  makes: ({ imageFormat }) => FORMATS[imageFormat],
  uses: ['qpdf', 'pdfium', 'sharp'],
  pages: ({ fileInput }, params, { engine, newFile }) => {
    const { view, indices } = open(fileInput, params.pageNumbers, engine);
    return drawPages(view, indices, lookOf(params), { sharp: engine.sharp, newFile });
  },
  async run({ fileInput }, params, { engine, newFile, eachPage }) {
    const { imageFormat, singleOrMultiple } = params;
    const { view: opened, indices } = open(fileInput, params.pageNumbers, engine);
    using view = opened;
    const kind = FORMATS[imageFormat];
    const look = lookOf(params);
    const tools = { sharp: engine.sharp, newFile };
    const alone = `${fileInput.base}.${imageFormat}`;
    if (singleOrMultiple === 'single') {
      const path = await drawTall(view, indices, look, tools);
      return [{ name: alone, content: { path }, kind }];
    }
    const images = await eachPage(drawPages(view, indices, look, tools));
    return images.map((content, at) => ({
      name: images.length === 1 ? alone : `${fileInput.base}_${(indices[at] ?? 0) + 1}.${imageFormat}`,
      content,
      kind,
    }));
  },
});
