import { readPageRegions } from '../../../layout/page-lines.ts';
import { readDocument } from '../../../layout/read-document.ts';
import { writeRtf } from '../../../writers/rtf.ts';
import { pageText } from '../../../writers/text.ts';
import { file, operation, textFile } from '../../define.ts';
import { choice } from '../../fields.ts';

export default operation({
  summary: 'Extract the text of a PDF',
  description:
    'Text in reading order, columns one after the other, right-to-left scripts as they are read; pages are separated ' +
    'by a form feed. Recognised text of scans counts once. A document without text gives empty pages. rtf keeps ' +
    'headings, lists, tables and emphasis.',
  inputs: { fileInput: file('pdf') },
  params: {
    outputFormat: choice('Plain text, or rich text', ['txt', 'rtf'], { default: 'txt' }),
  },
  output: textFile('', 'txt', { alternatives: ['rtf'] }),
  uses: ['qpdf', 'pdfium'],
  makes: ({ outputFormat }) => (outputFormat === 'rtf' ? 'rtf' : 'text'),
  async run({ fileInput }, { outputFormat }, { engine }) {
    using view = engine.pdfium.openLike(fileInput, () => engine.qpdf.open(fileInput));
    if (outputFormat === 'rtf') {
      const bytes = Buffer.from(writeRtf(await readDocument(view)), 'latin1');
      return { content: { bytes }, kind: 'rtf' as const, name: `${fileInput.base}.rtf` };
    }
    const pages: Buffer[] = [];
    for (let index = 0; index < view.pageCount; index += 1) {
      const text = pageText(readPageRegions(view.drawing(index, 'text')));
      // Operations, pdf/text: "pages separated by form feed".
      pages.push(Buffer.from(index === 0 ? text : `\f${text}`, 'utf8'));
    }
    return { content: { bytes: Buffer.concat(pages) } };
  },
});
