import { documentTables, numberOnPages } from '../../../layout/document-tables.ts';
import { selectPageSet } from '../../../pdf/pages/page-selection.ts';
import { tableCsv, tablesCsv } from '../../../writers/csv.ts';
import { file, operation, textFile } from '../../define.ts';
import { choice, pages } from '../../fields.ts';

export default operation({
  summary: 'Extract the tables of a PDF as CSV',
  description:
    'Finds tables, ruled or only aligned: at least two columns and two rows of text. Values are separated by commas ' +
    'and all quoted, lines end with CRLF; a cell over several columns or rows is written in the first. Several tables ' +
    'follow each other in reading order, one blank line between; a table that goes on over pages is one, its head ' +
    'written once. Without tables the answer is 204: scans without recognised text, prose, lists and contents pages ' +
    'have none.',
  example: { pageNumbers: '1' },
  inputs: { fileInput: file('pdf') },
  params: {
    pageNumbers: pages('Pages to look for tables on', { default: 'all' }),
    output: choice(
      'All tables as one text, or a ZIP with a file base_p<page>_t<number>.csv for each',
      ['text', 'zip'],
      { default: 'text' },
    ),
  },
  output: textFile('_extracted', 'csv', { mayBeNothing: true, alternatives: ['zip'] }),
  makes: () => 'csv',
  uses: ['qpdf', 'pdfium'],
  async run({ fileInput }, { pageNumbers, output }, { engine }) {
    const doc = engine.qpdf.open(fileInput);
    const numbers = selectPageSet(pageNumbers, doc.pageCount);
    using view = engine.pdfium.openLike(fileInput, doc);
    const tables = documentTables(view, numbers);
    if (tables.length === 0) return null;
    if (output === 'text') return { content: { bytes: Buffer.from(tablesCsv(tables), 'utf8') } };
    return {
      entries: numberOnPages(tables).map(({ table, number }) => ({
        name: `${fileInput.base}_p${table.page}_t${number}.csv`,
        content: { bytes: Buffer.from(tableCsv(table), 'utf8') },
        kind: 'text' as const,
      })),
      suffix: '_extracted',
    };
  },
});
