import { PageExtraction } from '../../pdf/pages/page-extraction.ts';
import { cutAfter } from '../../pdf/pages/page-parts.ts';
import { selectPageSet } from '../../pdf/pages/page-selection.ts';
import { archive, file, operation } from '../define.ts';
import { pages } from '../fields.ts';
import { savePart, shareOf } from './_part-saving.ts';

export default operation({
  summary: 'Split at given pages',
  description:
    'Each part keeps what belongs to its pages: bookmarks, links within the part, form fields, tags, labels and layers, ' +
    'and the metadata of the document. Attachments of the document go into the first part. Always a ZIP.',
  inputs: { fileInput: file('pdf') },
  params: {
    pageNumbers: pages('Pages after which to cut; the last page always closes the last part', {
      default: 'all',
    }),
  },
  output: archive('_split', 'pdf'),
  uses: ['qpdf'],
  async run({ fileInput }, { pageNumbers }, { engine }) {
    const doc = engine.qpdf.open(fileInput);
    const refs = doc.pages();
    const extraction = new PageExtraction(doc);
    const runs = cutAfter(selectPageSet(pageNumbers, refs.length), refs.length);
    const share = shareOf(fileInput.size, runs.length);
    return runs.map(({ from, to }, index) => {
      const options = { wholeDocumentThings: index === 0 };
      const content = savePart(doc, extraction, refs.slice(from, to), options, share);
      return { name: `${fileInput.base}_${index + 1}.pdf`, content };
    });
  },
});
