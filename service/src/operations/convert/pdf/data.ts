import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { DOCUMENT_DATA } from '../../../contract/document-data.ts';
import type { InputFile } from '../../../contract/files.ts';
import type { Engines } from '../../../engines/engines.ts';
import type { PdfiumDocument } from '../../../engines/pdfium/pdfium.ts';
import { readPageData } from '../../../layout/data/page-data.ts';
import { readPageItems } from '../../../layout/page-items.ts';
import { pageTables } from '../../../layout/page-tables.ts';
import { fieldPairs } from '../../../pdf/forms/field-pairs.ts';
import { inBatches } from '../../../writers/batches.ts';
import { dataJson } from '../../../writers/data-json.ts';
import { file, jsonFile, operation, type PageWork } from '../../define.ts';

type Tools = Pick<Engines, 'qpdf' | 'pdfium'>;

const open = (document: InputFile, { pdfium, qpdf }: Tools): PdfiumDocument =>
  pdfium.openLike(document, () => qpdf.open(document));

const dataOfPages = (view: PdfiumDocument): PageWork => ({
  count: view.pageCount,
  async *pages(from, end) {
    for (let index = from; index < end(); index += 1) {
      const drawn = view.readPage(index);
      const items = readPageItems(drawn);
      const data = readPageData(items, index + 1, pageTables(drawn, items, index + 1));
      yield { bytes: Buffer.from(JSON.stringify(data), 'utf8') };
    }
  },
  [Symbol.dispose]: () => view.close(),
});

export default operation({
  summary: 'Read the data of invoices, forms and key-value sheets',
  description:
    'JSON with labels and their values (beside each other, with a colon, dots or white space between, or one above the ' +
    'other; form fields with their values), tables, totals, dates and addresses, each with its page, box and ' +
    'confidence. Read by rules from the text and lines of the pages; scans need recognised text. A table that goes on ' +
    'over pages is one for each page. Boxes are in points from the top-left corner of the page as displayed.',
  inputs: { fileInput: file('pdf') },
  params: {},
  output: jsonFile(DOCUMENT_DATA),
  uses: ['qpdf', 'pdfium'],
  pages: ({ fileInput }, _, { engine }) => dataOfPages(open(fileInput, engine)),
  async run({ fileInput }, _params, { engine, eachPage, newFile }) {
    using view = open(fileInput, engine);
    const pages = await eachPage(dataOfPages(view));
    const fields = fieldPairs(engine.qpdf.open(fileInput));
    const path = newFile('json');
    await pipeline(Readable.from(inBatches(dataJson(pages, fields))), createWriteStream(path));
    return { content: { path }, name: `${fileInput.base}.json` };
  },
});
