import { invalidParameter } from '../../contract/problems.ts';
import { removePages } from '../../pdf/pages/page-arrangement.ts';
import { selectPageSet } from '../../pdf/pages/page-selection.ts';
import { file, operation, pdfFile } from '../define.ts';
import { pages } from '../fields.ts';
import { compact } from './_part-saving.ts';

export default operation({
  summary: 'Remove pages',
  description:
    'Bookmarks, links, form fields, tags and page labels of the pages that stay are kept; what leads to removed pages goes with them.',
  example: { pageNumbers: '2,5-7' },
  inputs: { fileInput: file('pdf') },
  params: { pageNumbers: pages('Pages to remove', { required: true }) },
  output: pdfFile('_removed_pages'),
  uses: ['qpdf'],
  async run({ fileInput }, { pageNumbers }, { engine }) {
    const doc = engine.qpdf.open(fileInput);
    const gone = selectPageSet(pageNumbers, doc.pageCount);
    if (gone.length === doc.pageCount) {
      throw invalidParameter(`pageNumbers selects all ${doc.pageCount} page(s); at least one must stay.`);
    }
    if (gone.length === 0) return { content: doc.save() };
    removePages(doc, gone);
    return { content: doc.save(compact(doc)) };
  },
});
