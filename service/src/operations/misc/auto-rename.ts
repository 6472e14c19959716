import { TITLE_LINES, titleBySize } from '../../pdf/pages/title-by-size.ts';
import { type TextLine, textLines } from '../../pdf/text/text-lines.ts';
import { file, operation, pdfFile } from '../define.ts';
import { flag } from '../fields.ts';

export default operation({
  summary: 'Name a PDF after its title',
  description:
    'The title is the text in the largest font within the first 200 lines, the earlier one where several are ' +
    'equally large. The file itself is not changed. Where no usable title is found, the name stays.',
  example: { useFirstTextAsFallback: true },
  inputs: { fileInput: file('pdf') },
  params: {
    useFirstTextAsFallback: flag(
      'Use the first readable line, cut to 200 characters, where the title is not usable',
    ),
  },
  output: pdfFile(''),
  uses: ['qpdf', 'pdfium'],
  async run({ fileInput }, { useFirstTextAsFallback }, { engine }) {
    using doc = engine.pdfium.openLike(fileInput, engine.qpdf.open(fileInput));
    const lines: TextLine[] = [];
    for (let page = 0; page < doc.pageCount && lines.length < TITLE_LINES; page += 1)
      lines.push(...textLines(doc.pageChars(page)));
    const title = titleBySize(lines, useFirstTextAsFallback);
    return { content: fileInput.content, name: title === undefined ? fileInput.name : `${title}.pdf` };
  },
});
