import { readFileSync } from 'node:fs';
import type { InputFile } from '../../../contract/files.ts';
import type { Engines } from '../../../engines/engines.ts';
import type { PdfiumDocument } from '../../../engines/pdfium/pdfium.ts';
import { readPageWithFormulas } from '../../../layout/lines/page-lines.ts';
import { readDocument } from '../../../layout/read-document.ts';
import { writeRtf } from '../../../writers/rtf.ts';
import { pageText } from '../../../writers/text.ts';
import { file, operation, type PageWork, textFile } from '../../define.ts';
import { choice } from '../../fields.ts';
import { UNKNOWN_LETTERS_HEADER, unknownLettersHeaders } from './_unknown-letters.ts';

type Tools = Pick<Engines, 'qpdf' | 'pdfium'>;

const open = (file: InputFile, { pdfium, qpdf }: Tools): PdfiumDocument =>
  pdfium.openLike(file, () => qpdf.open(file));

const textOfPages = (view: PdfiumDocument): PageWork => ({
  count: view.pageCount,
  async *pages(from, end) {
    for (let index = from; index < end(); index += 1) {
      const regions = readPageWithFormulas(view.readPage(index, 'text'), () => view.readPage(index));
      const text = pageText(regions);
      // Operations, pdf/text: "pages separated by form feed".
      yield { bytes: Buffer.from(index === 0 ? text : `\f${text}`, 'utf8') };
    }
  },
  [Symbol.dispose]: () => view.close(),
});

export default operation({
  summary: 'Extract the text of a PDF',
  description:
    'Text in reading order, columns one after the other, right-to-left scripts as they are read; pages are separated ' +
    'by a form feed. Recognised text of scans counts once, formulas are read in ' +
    'order, numerators before denominators. A document without text gives empty pages. rtf keeps ' +
    'headings, lists, tables and emphasis.',
  inputs: { fileInput: file('pdf') },
  params: {
    outputFormat: choice('Plain text, or rich text', ['txt', 'rtf'], { default: 'txt' }),
  },
  output: textFile('', 'txt', { alternatives: ['rtf'], headers: UNKNOWN_LETTERS_HEADER }),
  uses: ['qpdf', 'pdfium'],
  makes: ({ outputFormat }) => (outputFormat === 'rtf' ? 'rtf' : 'text'),
  pages: ({ fileInput }, _, { engine }) => textOfPages(open(fileInput, engine)),
  async run({ fileInput }, { outputFormat }, { engine, eachPage }) {
    using view = open(fileInput, engine);
    if (outputFormat === 'rtf') {
      const bytes = Buffer.from(writeRtf(await readDocument(view)), 'latin1');
      return { content: { bytes }, kind: 'rtf' as const, name: `${fileInput.base}.rtf` };
    }
    const pages = await eachPage(textOfPages(view));
    const texts = pages.map((page) => ('bytes' in page ? page.bytes : readFileSync(page.path)));
    const bytes = Buffer.concat(texts);
    return { content: { bytes }, headers: unknownLettersHeaders(bytes) };
  },
});
