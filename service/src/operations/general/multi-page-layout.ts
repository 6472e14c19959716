import { invalidParameter } from '../../contract/problems.ts';
import { displayedPage } from '../../pdf/geometry/displayed-page.ts';
import { placeOnSheets } from '../../pdf/pages/n-up-sheets.ts';
import { fitInto } from '../../pdf/pages/page-fitting.ts';
import { cellSize, gridCells, inset } from '../../pdf/pages/page-grid.ts';
import { PAPER_SIZES } from '../../pdf/pages/paper.ts';
import { file, operation, pdfFile } from '../define.ts';
import { choice, flag, integer, type Values } from '../fields.ts';

/** "2, or a square: 4, 9, 16, ... 400" */
const PAGES_PER_SHEET = [2, ...Array.from({ length: 19 }, (_, index) => (index + 2) ** 2)];

/** Nothing can be told on a smaller cell. */
const SMALLEST_CELL = 1;

const margin = (where: string) => integer(`${where}, in points`, { default: 0, min: 0, max: 400 });

const params = {
  mode: choice('DEFAULT: pagesPerSheet; CUSTOM: rows and cols', ['DEFAULT', 'CUSTOM'], {
    default: 'DEFAULT',
  }),
  pagesPerSheet: integer('Pages on one sheet: two side by side, or a square', {
    default: 2,
    min: 2,
    max: 400,
    oneOf: PAGES_PER_SHEET,
  }),
  rows: integer('Rows, in mode CUSTOM', { default: 1, min: 1, max: 300 }),
  cols: integer('Columns, in mode CUSTOM', { default: 2, min: 1, max: 300 }),
  arrangement: choice('Whether rows or columns are filled first', ['BY_ROWS', 'BY_COLUMNS'], {
    default: 'BY_ROWS',
  }),
  readingDirection: choice('Left to right, or right to left', ['LTR', 'RTL'], { default: 'LTR' }),
  orientation: choice('Of the A4 sheet', ['PORTRAIT', 'LANDSCAPE'], { default: 'PORTRAIT' }),
  innerMargin: margin('Gap between cells'),
  topMargin: margin('Margin of the sheet'),
  bottomMargin: margin('Margin of the sheet'),
  leftMargin: margin('Margin of the sheet'),
  rightMargin: margin('Margin of the sheet'),
  addBorder: flag('Frame each cell'),
  borderWidth: integer('Line width of the frames, in points; 0: no frames', { default: 1, min: 0, max: 50 }),
};

export default operation({
  summary: 'Several pages on one sheet',
  description:
    'Sheets are A4; pages keep their aspect and stand centred in their cells. Links, bookmarks, form fields, annotations ' +
    'and tags move along and lead to the sheet. Page labels are kept only with one page on each sheet.',
  example: { pagesPerSheet: 4, addBorder: true },
  inputs: { fileInput: file('pdf') },
  params,
  output: pdfFile('_multi_page_layout'),
  uses: ['qpdf'],
  unused: ({ mode }) => (mode === 'CUSTOM' ? ['pagesPerSheet'] : ['rows', 'cols']),
  check(values) {
    const cell = cellSize(gridOf(values));
    const border = values.addBorder ? 2 * values.borderWidth : 0;
    if (Math.min(cell.width, cell.height) - border >= SMALLEST_CELL) return;
    const names = 'innerMargin, topMargin, bottomMargin, leftMargin, rightMargin';
    throw invalidParameter(
      `${names}${values.addBorder ? ' and borderWidth' : ''} leave no room for pages on the A4 sheet; choose smaller ones or fewer cells.`,
    );
  },
  async run({ fileInput }, values, { engine }) {
    const doc = engine.qpdf.open(fileInput);
    const pages = doc.pages().map((ref) => displayedPage(doc, ref));
    const grid = gridOf(values);
    const cells = gridCells(grid);
    const lineWidth = values.addBorder ? values.borderWidth : 0;
    const frames = lineWidth > 0 ? cells.map((box) => ({ box, lineWidth })) : [];
    const sheets = Array.from({ length: Math.ceil(pages.length / cells.length) }, (_, sheet) => {
      const own = pages.slice(sheet * cells.length, (sheet + 1) * cells.length);
      const placed = own.flatMap((page, index) => {
        const cell = cells[index];
        return cell ? [{ page, matrix: fitInto(inset(cell, lineWidth), page) }] : [];
      });
      return { width: grid.width, height: grid.height, pages: placed, frames };
    });
    placeOnSheets(doc, sheets);
    return { content: doc.save() };
  },
});

function gridOf(values: Values<typeof params>) {
  const { mode, pagesPerSheet, orientation } = values;
  const side = pagesPerSheet === 2 ? undefined : Math.sqrt(pagesPerSheet);
  const [rows, columns] = mode === 'CUSTOM' ? [values.rows, values.cols] : [side ?? 1, side ?? 2];
  const { width, height } = PAPER_SIZES.A4;
  return {
    rows,
    columns,
    width: orientation === 'LANDSCAPE' ? height : width,
    height: orientation === 'LANDSCAPE' ? width : height,
    margins: {
      top: values.topMargin,
      bottom: values.bottomMargin,
      left: values.leftMargin,
      right: values.rightMargin,
    },
    gap: values.innerMargin,
    byColumns: values.arrangement === 'BY_COLUMNS',
    rightToLeft: values.readingDirection === 'RTL',
  };
}
