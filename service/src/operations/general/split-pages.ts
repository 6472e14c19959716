import { PageExtraction } from '../../pdf/pages/page-extraction.ts';
import { cutAfter } from '../../pdf/pages/page-parts.ts';
import { selectPageSet } from '../../pdf/pages/page-selection.ts';
import { archive, file, operation } from '../define.ts';
import { pages } from '../fields.ts';
import { saveParts } from './_part-saving.ts';

export default operation({
  summary: 'Split at given pages',
  description:
    'Each part keeps what belongs to its pages: bookmarks, links within the part, form fields, tags, labels and layers, ' +
    'and the metadata of the document. Attachments of the document go into the first part. Always a ZIP.',
  example: { pageNumbers: '3,7' },
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
    const parts = runs.map(({ from, to }, index) => ({
      pages: refs.slice(from, to),
      options: { wholeDocumentThings: index === 0 },
    }));
    return saveParts(doc, extraction, parts, fileInput.size).map((content, index) => ({
      name: `${fileInput.base}_${index + 1}.pdf`,
      content,
    }));
  },
});
