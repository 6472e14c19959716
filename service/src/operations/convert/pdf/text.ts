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
import { LETTERS_TOLD, lettersTold } from './_letters-told.ts';

type Tools = Pick<Engines, 'qpdf' | 'pdfium'>;

const open = (file: InputFile, { pdfium, qpdf }: Tools): PdfiumDocument =>
  pdfium.openLike(file, () => qpdf.open(file));

/** Each page as the number of its doubtful letters, a line end, and its text. */
const textOfPages = (view: PdfiumDocument): PageWork => ({
  count: view.pageCount,
  async *pages(from, end) {
    for (let index = from; index < end(); index += 1) {
      const regions = readPageWithFormulas(view.readPage(index, 'text'), () => view.readPage(index));
      const text = pageText(regions);
      const doubtful = view.doubtfulLetters().get(index) ?? 0;
      // Operations, pdf/text: "pages separated by form feed".
      yield { bytes: Buffer.from(`${doubtful}\n${index === 0 ? text : `\f${text}`}`, 'utf8') };
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
  example: { outputFormat: 'txt' },
  inputs: { fileInput: file('pdf') },
  params: {
    outputFormat: choice('Plain text, or rich text', ['txt', 'rtf'], { default: 'txt' }),
  },
  output: textFile('', 'txt', { alternatives: ['rtf'], headers: LETTERS_TOLD }),
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
    let doubtful = 0;
    const texts = pages.map((page) => {
      const { buffer, byteOffset, length } = 'bytes' in page ? page.bytes : readFileSync(page.path);
      const read = Buffer.from(buffer, byteOffset, length);
      const end = read.indexOf('\n');
      doubtful += Number(read.toString('latin1', 0, end));
      return read.subarray(end + 1);
    });
    const bytes = Buffer.concat(texts);
    return { content: { bytes }, headers: lettersTold(bytes, doubtful) };
  },
});
