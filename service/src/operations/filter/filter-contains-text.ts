import { selectPageSet } from '../../pdf/pages/page-selection.ts';
import { containsText } from '../../pdf/text/text-search.ts';
import { file, operation, pdfFile } from '../define.ts';
import { pages, text } from '../fields.ts';

export default operation({
  summary: 'Let a PDF pass that contains a text',
  description:
    'The text is searched as it is written, in the same letter case, page by page; it may run over the end ' +
    'of a line. Returns the file unchanged when it passes, and nothing (204) when it does not.',
  inputs: { fileInput: file('pdf') },
  params: {
    text: text('Text to look for', { required: true, min: 1 }),
    pageNumbers: pages('Pages to search', { default: 'all' }),
  },
  output: pdfFile('', { mayBeNothing: true }),
  uses: ['pdfium'],
  async run({ fileInput }, { text, pageNumbers }, { engine }) {
    const doc = engine.pdfium.open(fileInput);
    const searched = selectPageSet(pageNumbers, doc.pageCount);
    if (!searched.some((page) => containsText(doc.pageText(page - 1), text))) return null;
    return { content: fileInput.content, name: fileInput.name };
  },
});
