import { Problem } from '../../contract/problems.ts';
import { IMAGE_KINDS } from '../../procedures/placed-images.ts';
import { archive, file, type MadeEntry, operation } from '../define.ts';
import { integer } from '../fields.ts';
import { photosOn, scansOf } from './_scans.ts';

const MOST_PIXELS = 100_000_000;

export default operation({
  summary: 'Cut the photos out of a scan',
  description:
    'Photos that lie apart on the glass of a scanner, under a light or a dark lid, are found by their difference from the ' +
    'colour around them, straightened and cut out, in reading order. Pages of a PDF are looked at with 300 dots per inch, ' +
    'each frame of a TIFF is a scan. One photo comes as base.png, several as a ZIP of base_processed_1.png and so on. A ' +
    'photo that need not be turned keeps its pixels.',
  inputs: {
    fileInput: file(['pdf', ...IMAGE_KINDS], 'Scan of photos: a PDF, or a picture of at most 200 megapixels'),
  },
  params: {
    angleThreshold: integer('Least tilt in degrees that is straightened', { default: 5, min: 0, max: 45 }),
    tolerance: integer('How far the background may stray from its colour', { default: 20, min: 0, max: 255 }),
    minArea: integer('Smallest photo in pixels: the area of the rectangle around it', {
      default: 8000,
      min: 1,
      max: MOST_PIXELS,
    }),
    minContourArea: integer('Smallest outline in pixels: the area that differs from the background', {
      default: 500,
      min: 1,
      max: MOST_PIXELS,
    }),
    borderSize: integer(
      'Pixels of background added around the scan to find photos at its edge, trimmed after',
      {
        default: 1,
        min: 0,
        max: 500,
      },
    ),
  },
  output: archive('_processed', 'png', { singleAsItself: true }),
  uses: ['qpdf', 'pdfium', 'sharp'],
  refuses: ['nothing_found'],
  async run({ fileInput }, params, { engine, newFile }) {
    const paths: string[] = [];
    for await (const scan of scansOf(engine, fileInput, newFile))
      paths.push(...(await photosOn(engine.sharp, scan, params, newFile)));
    if (paths.length === 0)
      throw new Problem(
        'nothing_found',
        `fileInput: no photo was found on ${fileInput.name}; a lower tolerance or minArea finds more.`,
      );
    const name = (index: number): string =>
      paths.length === 1 ? `${fileInput.base}.png` : `${fileInput.base}_processed_${index + 1}.png`;
    return paths.map((path, index): MadeEntry => ({ name: name(index), content: { path } }));
  },
});
