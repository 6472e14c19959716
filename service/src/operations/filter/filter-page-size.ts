import { heightOf, mediaBox, widthOf } from '../../pdf/geometry/boxes.ts';
import { PAPER_NAMES, PAPER_SIZES } from '../../pdf/pages/paper.ts';
import { file, operation, pdfFile } from '../define.ts';
import { choice } from '../fields.ts';
import { comparator, stands } from './_comparison.ts';

/** "areas within 0.5 % are Equal, beyond that Greater or Less" (operations 4). */
const TOLERANCE = 0.005;

export default operation({
  summary: 'Let a PDF pass by the size of its first page',
  description:
    "Compares the area of the first page's media box with that of a paper size; areas within 0.5 % are " +
    'equal. Returns the file unchanged when it passes, and nothing (204) when it does not.',
  example: { standardPageSize: 'A4', comparator: 'Equal' },
  inputs: { fileInput: file('pdf') },
  params: {
    standardPageSize: choice('Paper size to compare with', PAPER_NAMES, { default: 'A4' }),
    comparator: comparator(),
  },
  output: pdfFile('', { mayBeNothing: true }),
  uses: ['qpdf'],
  async run({ fileInput }, { standardPageSize, comparator }, { engine }) {
    const doc = engine.qpdf.open(fileInput);
    const box = mediaBox(doc, doc.page(0));
    const paper = PAPER_SIZES[standardPageSize];
    const area = paper.width * paper.height;
    if (!stands(comparator, widthOf(box) * heightOf(box), area, area * TOLERANCE)) return null;
    return { content: fileInput.content, name: fileInput.name };
  },
});
