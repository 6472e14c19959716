import { z } from 'zod';
import { LIMITS } from '../../contract/limits.ts';
import { invalidParameter, Problem } from '../../contract/problems.ts';
import { arrangePages } from '../../pdf/pages/page-arrangement.ts';
import { duplicateOrder, ORDER_MODES, type OrderMode, presetOrder } from '../../pdf/pages/page-order.ts';
import { parsePageSelection, selectPagesInOrder } from '../../pdf/pages/page-selection.ts';
import { file, operation, pdfFile } from '../define.ts';
import { choice, pages } from '../fields.ts';
import { compact } from './_part-saving.ts';

const MAX_COPIES = 100;

export default operation({
  summary: 'Reorder, duplicate or drop pages',
  description:
    'CUSTOM takes the pages as listed in pageNumbers, a page listed twice comes twice, pages not listed are dropped. ' +
    'REVERSE_ORDER; DUPLEX_SORT: 1, N, 2, N-1, ...; BOOKLET_SORT: the same pairs, an odd middle page last; ' +
    'SIDE_STITCH_BOOKLET_SORT: 4, 1, 2, 3, 8, 5, 6, 7, ...; ODD_EVEN_SPLIT: odd pages, then even ones; REMOVE_FIRST, ' +
    'REMOVE_LAST and REMOVE_FIRST_AND_LAST; DUPLICATE: every page pageNumbers times in a row. The result may have ' +
    `at most ${LIMITS.resultingPages} pages.`,
  example: { pageNumbers: '3,1,2' },
  inputs: { fileInput: file('pdf') },
  params: {
    pageNumbers: {
      ...pages(
        'CUSTOM: the new order. DUPLICATE: how often each page comes, 1 to 100, by default 2. Unused otherwise',
        {
          default: 'all',
        },
      ),
      // "fields the chosen mode does not use, are ignored": what is valid depends on the mode, see `check`.
      schema: z.string(),
    },
    customMode: choice('How to arrange the pages', ORDER_MODES, { default: 'CUSTOM' }),
  },
  output: pdfFile('_rearranged'),
  uses: ['qpdf'],
  check({ pageNumbers, customMode }) {
    if (customMode === 'CUSTOM') checkSelection(pageNumbers);
    if (customMode === 'DUPLICATE') copiesOf(pageNumbers);
  },
  async run({ fileInput }, { pageNumbers, customMode }, { engine }) {
    const doc = engine.qpdf.open(fileInput);
    const order = orderOf(customMode, pageNumbers, doc.pageCount);
    if (order.length > LIMITS.resultingPages) {
      throw invalidParameter(
        `pageNumbers makes ${order.length} pages; a result may have at most ${LIMITS.resultingPages}.`,
      );
    }
    const dropsPages = new Set(order).size < doc.pageCount;
    arrangePages(doc, order);
    return { content: doc.save(dropsPages ? compact(doc) : {}) };
  },
});

function checkSelection(pageNumbers: string): void {
  try {
    parsePageSelection(pageNumbers);
  } catch (error) {
    throw error instanceof Problem ? new Problem(error.reason, `pageNumbers: ${error.detail}`) : error;
  }
}

function orderOf(mode: OrderMode, pageNumbers: string, count: number): number[] {
  if (mode === 'DUPLICATE') return duplicateOrder(copiesOf(pageNumbers), count);
  if (mode === 'CUSTOM') {
    const order = selectPagesInOrder(pageNumbers, count);
    if (order.length > 0) return order;
    throw new Problem('page_out_of_range', `pageNumbers selects none of the ${count} page(s).`);
  }
  const order = presetOrder(mode, count);
  if (order.length > 0) return order;
  throw invalidParameter(`customMode ${mode} would leave no page: the document has ${count} page(s).`);
}

/** "DUPLICATE: int 1 to 100, default 2". The default of the field itself is that of CUSTOM. */
function copiesOf(pageNumbers: string): number {
  const text = pageNumbers.trim();
  if (text === '' || text.toLowerCase() === 'all') return 2;
  const copies = /^\+?\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (copies >= 1 && copies <= MAX_COPIES) return copies;
  throw invalidParameter(`pageNumbers must be a whole number from 1 to ${MAX_COPIES} with DUPLICATE.`);
}
