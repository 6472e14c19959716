import { displayedPage } from '../../pdf/geometry/displayed-page.ts';
import { placeOnSheets } from '../../pdf/pages/n-up-sheets.ts';
import { stackPages } from '../../pdf/pages/single-page.ts';
import { file, operation, pdfFile } from '../define.ts';

export default operation({
  summary: 'All pages as one long page',
  description:
    'The page is as wide as the widest and as high as all pages together; pages stand left-aligned from top to bottom. ' +
    'A page longer than 14 400 points counts in larger units (UserUnit), so that its size stays true. Links, bookmarks, ' +
    'form fields, annotations and tags move along; page labels go.',
  inputs: { fileInput: file('pdf') },
  params: {},
  output: pdfFile('_singlePage'),
  uses: ['qpdf'],
  async run({ fileInput }, _params, { engine }) {
    const doc = engine.qpdf.open(fileInput);
    const pages = doc.pages().map((ref) => displayedPage(doc, ref));
    if (pages.length > 0) placeOnSheets(doc, [stackPages(pages)]);
    return { content: doc.save() };
  },
});
