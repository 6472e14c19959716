import { selectPageSet } from '../../pdf/pages/page-selection.ts';
import { PageReadings } from '../../pdf/redaction/page-readings.ts';
import { containsText, mayContainText } from '../../pdf/text/text-search.ts';
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
  uses: ['qpdf', 'pdfium'],
  async run({ fileInput }, { text, pageNumbers }, { engine }) {
    const doc = engine.qpdf.open(fileInput);
    using view = engine.pdfium.openLike(fileInput, doc);
    const readings = new PageReadings(doc);
    const contains = (page: number): boolean => {
      const seen = view.pageText(page - 1);
      if (containsText(seen, text)) return true;
      const ref = mayContainText(seen, text) ? doc.pages()[page - 1] : undefined;
      return ref !== undefined && readings.of(ref).some((reading) => containsText(reading, text));
    };
    if (!selectPageSet(pageNumbers, view.pageCount).some(contains)) return null;
    return { content: fileInput.content, name: fileInput.name };
  },
});
