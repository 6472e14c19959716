import { documentTables, numberOnPages } from '../../../layout/document-tables.ts';
import { selectPageSet } from '../../../pdf/pages/page-selection.ts';
import { writeXlsx } from '../../../writers/xlsx.ts';
import { binaryFile, file, operation } from '../../define.ts';
import { pages } from '../../fields.ts';

export default operation({
  summary: 'Extract the tables of a PDF as an Excel workbook',
  description:
    'Finds tables, ruled or only aligned: at least two columns and two rows of text. Each becomes a sheet, named ' +
    '"Page 3", or "Page 3 Table 2" where a page has several; all cells are text, exactly as printed. A table that ' +
    'goes on over pages is one sheet, named by the page it begins on, its head written once. Without tables the ' +
    'answer is 204: scans without recognised text, prose, lists and contents pages have none.',
  example: { pageNumbers: '1-3' },
  inputs: { fileInput: file('pdf') },
  params: { pageNumbers: pages('Pages to look for tables on', { default: 'all' }) },
  output: binaryFile('xlsx', '', 'xlsx', { mayBeNothing: true }),
  uses: ['qpdf', 'pdfium'],
  async run({ fileInput }, { pageNumbers }, { engine, newFile }) {
    const doc = engine.qpdf.open(fileInput);
    const numbers = selectPageSet(pageNumbers, doc.pageCount);
    using view = engine.pdfium.openLike(fileInput, doc);
    const tables = documentTables(view, numbers);
    if (tables.length === 0) return null;
    const sheets = numberOnPages(tables).map(({ table, number, of }) => ({
      name: of === 1 ? `Page ${table.page}` : `Page ${table.page} Table ${number}`,
      table,
    }));
    return { content: await writeXlsx(newFile('xlsx'), sheets) };
  },
});
