import { IMAGE_KINDS } from '../../../procedures/placed-images.ts';
import { files, operation, pdfFile } from '../../define.ts';
import { choice, flag } from '../../fields.ts';
import { imageDocument } from './_image-document.ts';

const COLOURS = { color: undefined, greyscale: 'grey', blackwhite: 'two' } as const;

export default operation({
  summary: 'Make a PDF of pictures',
  description:
    'Each picture becomes a page, in the order sent; each frame of a TIFF too, of an animation only the first. EXIF ' +
    'orientation is honoured. JPEG data is embedded as it is unless colours change, and so are PNG rows and faxes; ' +
    'everything else is packed without loss. Depth, CMYK inks, colour profiles and transparency are kept.',
  example: { fitOption: 'maintainAspectRatio', autoRotate: true },
  inputs: {
    fileInput: files(IMAGE_KINDS, 'Pictures in order, of at most 200 megapixels each'),
  },
  params: {
    fitOption: choice(
      'Stretch to A4, page as large as the picture with a point for each pixel, or fit and centre on A4',
      ['fillPage', 'fitDocumentToImage', 'maintainAspectRatio'],
      { default: 'fillPage', otherNames: { fitDocumentToPage: 'fitDocumentToImage' } },
    ),
    colorType: choice('Colours of the pages', ['color', 'greyscale', 'blackwhite'], {
      default: 'color',
      otherNames: { grayscale: 'greyscale' },
    }),
    autoRotate: flag('Turn the A4 page for pictures that are wider than high'),
  },
  output: pdfFile('_converted'),
  uses: ['qpdf', 'sharp'],
  async run({ fileInput }, { fitOption, colorType, autoRotate }, { engine }) {
    const layout = { fit: fitOption, autoRotate };
    return { content: await imageDocument(engine, fileInput, layout, COLOURS[colorType]) };
  },
});
