// Fields of operations that print pages (operations 3, print fields).
import type { PrintOptions } from '../engines/browser/print.ts';
import { PAPER_NAMES, PAPER_SIZES } from '../pdf/pages/paper.ts';
import { choice, flag, integer, number, text, type Values } from './fields.ts';

const TABLOID = { width: 792, height: 1224 };
const PAPERS = [...PAPER_NAMES, 'TABLOID'] as const;

const MARGIN = { default: 28, min: 0, max: 1000 } as const;
const RUNNING_CHARACTERS = 100_000;

/** Of text that is page numbers and ranges. */
const runsForward = (ranges: string): boolean =>
  ranges.split(',').every((range) => {
    const [from, to = ''] = range.split('-');
    return to.trim() === '' || Number(from) <= Number(to);
  });

export const printFields = () => ({
  paperSize: choice('Page size; an @page size in the style sheet wins when preferCssPageSize', PAPERS, {
    default: 'A4',
  }),
  landscape: flag('Turn the page'),
  marginTop: number('Margin in points', MARGIN),
  marginRight: number('Margin in points', MARGIN),
  marginBottom: number('Margin in points', MARGIN),
  marginLeft: number('Margin in points', MARGIN),
  printBackground: flag('Print background colours and images', { default: true }),
  preferCssPageSize: flag('Let an @page size in the style sheet win', { default: true }),
  headerHtml: text(
    'HTML at the top of each page; elements with the classes pageNumber, totalPages, title, date and url are filled in',
    { max: RUNNING_CHARACTERS },
  ),
  footerHtml: text('HTML at the bottom of each page, as headerHtml', { max: RUNNING_CHARACTERS }),
  pageRanges: text('Pages to keep, such as 1-5,8', {
    max: 1000,
    pattern:
      // After a number come blanks once only: an expression that may take them in two ways tries all of both.
      /^\s*[1-9]\d{0,6}(?:\s*-(?:\s*[1-9]\d{0,6})?)?(?:\s*,\s*[1-9]\d{0,6}(?:\s*-(?:\s*[1-9]\d{0,6})?)?)*\s*$/,
    accepts: runsForward,
    expects: 'page numbers and ranges such as 1-5,8',
  }),
  mediaType: choice('CSS media', ['print', 'screen'], { default: 'print' }),
  tagged: flag('Tag the PDF, with an outline made of the headings', { default: true }),
});

/** For pages whose scripts run. */
export const waitFields = () => ({
  waitForSelector: text('CSS selector: print only when something in the page matches it', { max: 1000 }),
  waitMs: integer('Milliseconds to wait before printing', { default: 0, min: 0, max: 10_000 }),
});

type PrintValues = Values<ReturnType<typeof printFields>> & Partial<Values<ReturnType<typeof waitFields>>>;

export const printOptions = (values: PrintValues): PrintOptions => ({
  paper: values.paperSize === 'TABLOID' ? TABLOID : PAPER_SIZES[values.paperSize],
  landscape: values.landscape,
  margins: {
    top: values.marginTop,
    right: values.marginRight,
    bottom: values.marginBottom,
    left: values.marginLeft,
  },
  background: values.printBackground,
  preferCssPageSize: values.preferCssPageSize,
  headerHtml: values.headerHtml,
  footerHtml: values.footerHtml,
  pageRanges: values.pageRanges,
  media: values.mediaType,
  tagged: values.tagged,
  waitForSelector: values.waitForSelector,
  waitMs: values.waitMs ?? 0,
});
