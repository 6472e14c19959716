import { displayedPage } from '../../pdf/geometry/displayed-page.ts';
import { placeOnSheets } from '../../pdf/pages/n-up-sheets.ts';
import { fitInto } from '../../pdf/pages/page-fitting.ts';
import { PAPER_NAMES, PAPER_SIZES } from '../../pdf/pages/paper.ts';
import { file, operation, pdfFile } from '../define.ts';
import { choice, number } from '../fields.ts';

export default operation({
  summary: 'Scale pages to a paper size',
  description:
    'Each page as displayed is fitted onto the paper with its aspect kept, scaled by scaleFactor on top of that, and ' +
    'centred; what passes the edge is clipped. Links, bookmarks, form fields, annotations, tags and page labels move along.',
  example: { pageSize: 'A4' },
  inputs: { fileInput: file('pdf') },
  params: {
    pageSize: choice('The paper; KEEP is the size of the first page', [...PAPER_NAMES, 'KEEP'], {
      required: true,
    }),
    orientation: choice('Of the paper; ignored for KEEP', ['PORTRAIT', 'LANDSCAPE'], { default: 'PORTRAIT' }),
    scaleFactor: number('On top of the fit: 1 fills the paper, 0.5 half of it', {
      default: 1,
      min: 0.01,
      max: 10,
    }),
  },
  output: pdfFile('_scaled'),
  uses: ['qpdf'],
  async run({ fileInput }, { pageSize, orientation, scaleFactor }, { engine }) {
    const doc = engine.qpdf.open(fileInput);
    const pages = doc.pages().map((ref) => displayedPage(doc, ref));
    const [first] = pages;
    if (!first) return { content: doc.save() };
    const paper = pageSize === 'KEEP' ? first : PAPER_SIZES[pageSize];
    const isTurned = pageSize !== 'KEEP' && orientation === 'LANDSCAPE';
    const [width, height] = isTurned ? [paper.height, paper.width] : [paper.width, paper.height];
    const userUnit = pageSize === 'KEEP' ? first.userUnit : 1;
    const cell = { left: 0, bottom: 0, right: width, top: height };
    placeOnSheets(
      doc,
      pages.map((page) => ({
        width,
        height,
        userUnit,
        pages: [{ page, matrix: fitInto(cell, page, scaleFactor) }],
      })),
    );
    return { content: doc.save() };
  },
});
