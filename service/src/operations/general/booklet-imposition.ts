import { displayedPage } from '../../pdf/geometry/displayed-page.ts';
import { bookletHalves, bookletSheet, bookletSides } from '../../pdf/pages/booklet.ts';
import { placeOnSheets } from '../../pdf/pages/n-up-sheets.ts';
import { PageExtraction } from '../../pdf/pages/page-extraction.ts';
import { fitInto } from '../../pdf/pages/page-fitting.ts';
import { inset } from '../../pdf/pages/page-grid.ts';
import { file, operation, pdfFile } from '../define.ts';
import { choice, flag, integer, number } from '../fields.ts';

const BORDER = 1.5;

export default operation({
  summary: 'Arrange pages as a booklet',
  description:
    'Saddle stitch: printed on both sides, folded and stapled, the sheets make a booklet. Each signature is padded to a ' +
    "multiple of four pages. A sheet has the first page's size in landscape, and pages are fitted into its halves. Links, " +
    'bookmarks, form fields, annotations and tags move along and lead to the sheet; page labels go.',
  example: { spineLocation: 'LEFT', addBorder: true },
  inputs: { fileInput: file('pdf') },
  params: {
    pagesPerSheet: integer('Pages on each side of a sheet', { default: 2, min: 2, max: 2, oneOf: [2] }),
    addBorder: flag('Frame each half of the sheet, 1.5 points wide'),
    spineLocation: choice(
      'Where the booklet is bound; RIGHT is for scripts read right to left',
      ['LEFT', 'RIGHT'],
      {
        default: 'LEFT',
      },
    ),
    addGutter: flag('Leave a margin at the fold'),
    gutterSize: number('That margin on each page, in points; at most half the page width', {
      default: 12,
      min: 0,
      max: 7200,
    }),
    doubleSided: flag('Sheets are printed on both sides; false makes flipOnShortEdge have no effect', {
      default: true,
    }),
    duplexPass: choice('All sides, only the fronts, or only the backs', ['BOTH', 'FIRST', 'SECOND'], {
      default: 'BOTH',
    }),
    flipOnShortEdge: flag('Swap the halves of back sides, for printers that turn sheets over the short edge'),
    sheetsPerSignature: integer('Sheets folded together; 0 folds all into one', {
      default: 0,
      min: 0,
      max: 100,
    }),
  },
  output: pdfFile('_booklet'),
  uses: ['qpdf'],
  async run({ fileInput }, values, { engine }) {
    const doc = engine.qpdf.open(fileInput);
    const pages = doc.pages().map((ref) => displayedPage(doc, ref));
    const [first] = pages;
    if (!first) return { content: doc.save() };
    const [left, right] = bookletHalves(first, values.addGutter ? values.gutterSize : 0);
    const isPrinted = (isBack: boolean) =>
      values.duplexPass === 'BOTH' || isBack === (values.duplexPass === 'SECOND');
    const sides = bookletSides(pages.length, {
      sheetsPerSignature: values.sheetsPerSignature,
      spineRight: values.spineLocation === 'RIGHT',
      swapBacks: values.doubleSided && values.flipOnShortEdge,
    }).filter(({ isBack }) => isPrinted(isBack));
    const printed = new Set(sides.flatMap((side) => [side.left, side.right]));
    // The other pass brings the other pages.
    if (pages.some((_, index) => !printed.has(index)))
      new PageExtraction(doc).keep(doc.pages().filter((_, index) => printed.has(index)));
    const lineWidth = values.addBorder ? BORDER : 0;
    const place = (index: number | undefined, half: typeof left) => {
      const page = index === undefined ? undefined : pages[index];
      return page ? [{ page, matrix: fitInto(inset(half.inner, lineWidth), page) }] : [];
    };
    const frames = values.addBorder ? [left, right].map(({ outer }) => ({ box: outer, lineWidth })) : [];
    const { width, height } = bookletSheet(first);
    const { userUnit } = first;
    placeOnSheets(
      doc,
      sides.map((side) => ({
        width,
        height,
        userUnit,
        frames,
        pages: [...place(side.left, left), ...place(side.right, right)],
      })),
    );
    return { content: doc.save() };
  },
});
