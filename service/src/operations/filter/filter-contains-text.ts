import { Problem } from '../../contract/problems.ts';
import { selectPageSet } from '../../pdf/pages/page-selection.ts';
import { PageReadings } from '../../pdf/redaction/page-readings.ts';
import { containsText, mayContainText } from '../../pdf/text/text-search.ts';
import { hasUnknownLetters, mayStandAmongUnknown } from '../../pdf/text/unknown-letters.ts';
import { file, operation, pdfFile } from '../define.ts';
import { pages, text } from '../fields.ts';

const MAX_NAMED = 10;

export default operation({
  summary: 'Let a PDF pass that contains a text',
  description:
    'The text is searched as it is written, in the same letter case, page by page; it may run over the end ' +
    'of a line. Returns the file unchanged when it passes, and nothing (204) when it does not. Letters that the font ' +
    'tells in two ways are searched in both; where the text may stand among letters of which the fonts do not say ' +
    'what they mean, the answer is 422 text_unreadable.',
  example: { text: 'Invoice', pageNumbers: '1' },
  inputs: { fileInput: file('pdf') },
  params: {
    text: text('Text to look for', { required: true, min: 1 }),
    pageNumbers: pages('Pages to search', { default: 'all' }),
  },
  output: pdfFile('', { mayBeNothing: true }),
  uses: ['qpdf', 'pdfium'],
  refuses: ['text_unreadable'],
  async run({ fileInput }, { text, pageNumbers }, { engine }) {
    const doc = engine.qpdf.open(fileInput);
    using view = engine.pdfium.openLike(fileInput, doc);
    const readings = new PageReadings(doc);
    const unreadable: number[] = [];
    const contains = (page: number): boolean => {
      const seen = view.pageText(page - 1);
      if (containsText(seen, text)) return true;
      const isDoubtful = hasUnknownLetters(seen) || view.hasDoubtfulLetters(page - 1);
      const ref = isDoubtful || mayContainText(seen, text) ? doc.pages()[page - 1] : undefined;
      const others = ref ? readings.of(ref, isDoubtful ? 'all' : 'readable') : [];
      if (others.some((reading) => containsText(reading, text))) return true;
      if (mayStandAmongUnknown(seen, text)) unreadable.push(page);
      return false;
    };
    if (selectPageSet(pageNumbers, view.pageCount).some(contains))
      return { content: fileInput.content, name: fileInput.name };
    if (unreadable.length === 0) return null;
    throw new Problem(
      'text_unreadable',
      `The text was not found, but may stand among letters of which the fonts do not say what they mean (page ${unreadable.slice(0, MAX_NAMED).join(', ')}).`,
    );
  },
});
