// Tables in WordprocessingML: a grid in twips, spans, borders, fills and head rows.
import type { Table, TableCell } from '../../layout/model.ts';
import type { Letters } from '../letters.ts';
import { hexColour } from '../ooxml.ts';
import { areaOf, type SetParagraph, setHeight, typesetCell } from './cells.ts';
import { BORDER, CELL_MARGIN, rowHeight, type Tightness } from './heights.ts';
import { twips } from './runs.ts';

const MAX_COLUMNS = 63;

interface Covered {
  rowsLeft: number;
  span: number;
  cell: TableCell;
}

/** What writes the paragraphs of cells. */
export interface CellWriter {
  tight: Tightness;
  letters: Letters;
  paragraph(set: SetParagraph, isFilled: boolean): string;
}

export function tableHeight(table: Table, tight: Tightness, letters: Letters): number {
  return table.rows.reduce((sum, { cells, height }, row) => {
    const tallest = cells.reduce((most, cell) => {
      if (cell.rowSpan > 1) return most;
      const set = typesetCell(cell, areaOf(table, row, cell), tight, letters);
      const own = set.reduce((total, each) => total + each.place.before + setHeight(each, tight, letters), 0);
      return Math.max(most, own);
    }, 0);
    return sum + Math.max(rowHeight(height, tight), tallest + BORDER);
  }, 0);
}

export function tableXml(table: Table, left: number, writer: CellWriter): string {
  const edges = table.columnEdges.slice(0, MAX_COLUMNS + 1);
  const widths = edges.slice(1).map((edge, i) => Math.max(60, twips(edge - (edges[i] ?? 0))));
  const total = widths.reduce((sum, width) => sum + width, 0);
  const grid = widths.map((width) => `<w:gridCol w:w="${width}"/>`).join('');
  const indent = Math.abs(left) > 1 ? `<w:tblInd w:w="${twips(left)}" w:type="dxa"/>` : '';
  const covered: (Covered | undefined)[] = [];
  const rows = table.rows.map((row, index) => {
    const cells = rowCells(row.cells, widths.length, covered);
    const written = cells.map((cell) =>
      cellXml(cell, widths, table.ruled, (own) => cellContent(own, table, index, writer)),
    );
    const head = index < table.headerRows ? '<w:tblHeader/>' : '';
    const height = Math.max(20, twips(rowHeight(row.height, writer.tight)));
    return `<w:tr><w:trPr><w:cantSplit/><w:trHeight w:val="${height}" w:hRule="atLeast"/>${head}</w:trPr>${written.join('')}</w:tr>`;
  });
  return (
    `<w:tbl><w:tblPr><w:tblStyle w:val="${table.ruled ? 'TableGrid' : 'TableNormal'}"/>` +
    `<w:tblW w:w="${total}" w:type="dxa"/>${indent}<w:tblLayout w:type="fixed"/>` +
    `<w:tblCellMar><w:left w:w="${CELL_MARGIN * 20}" w:type="dxa"/><w:right w:w="${CELL_MARGIN * 20}" w:type="dxa"/></w:tblCellMar>` +
    `<w:tblLook w:val="0${table.headerRows > 0 ? '4A' : '48'}0" w:firstRow="${table.headerRows > 0 ? 1 : 0}" w:lastRow="0" w:firstColumn="0" w:lastColumn="0" w:noHBand="0" w:noVBand="1"/>` +
    `</w:tblPr><w:tblGrid>${grid}</w:tblGrid>${rows.join('')}</w:tbl>`
  );
}

/** A row without lines, for what stands side by side. */
export function besideXml(
  columns: readonly { left: number; right: number }[],
  contents: readonly string[],
): string {
  const widths = columns.map(({ left, right }, i) =>
    Math.max(20, twips((columns[i + 1]?.left ?? right) - left)),
  );
  const cells = contents.map((content, i) => {
    const gap = twips((columns[i + 1]?.left ?? 0) - (columns[i]?.right ?? 0));
    const margin = gap > 0 ? `<w:tcMar><w:right w:w="${gap}" w:type="dxa"/></w:tcMar>` : '';
    return `<w:tc><w:tcPr><w:tcW w:w="${widths[i]}" w:type="dxa"/>${margin}</w:tcPr>${content}</w:tc>`;
  });
  const none = (side: string): string => `<w:${side} w:w="0" w:type="dxa"/>`;
  return (
    '<w:tbl><w:tblPr><w:tblStyle w:val="TableNormal"/>' +
    `<w:tblW w:w="${widths.reduce((sum, width) => sum + width, 0)}" w:type="dxa"/>` +
    `<w:tblLayout w:type="fixed"/><w:tblCellMar>${['top', 'left', 'bottom', 'right'].map(none).join('')}</w:tblCellMar>` +
    `</w:tblPr><w:tblGrid>${widths.map((width) => `<w:gridCol w:w="${width}"/>`).join('')}</w:tblGrid>` +
    `<w:tr>${cells.join('')}</w:tr></w:tbl>`
  );
}

interface PlacedCell {
  column: number;
  span: number;
  /** Undefined where nothing stands, or a cell from above goes on. */
  cell: TableCell | undefined;
  merge: 'restart' | 'continue' | undefined;
}

/** Every column of the row is filled: by its cells, by those that reach down from above, or by empty ones. */
function rowCells(
  cells: readonly TableCell[],
  columns: number,
  covered: (Covered | undefined)[],
): PlacedCell[] {
  const placed: PlacedCell[] = [];
  for (let column = 0; column < columns; ) {
    const above = covered[column];
    if (above) {
      above.rowsLeft -= 1;
      if (above.rowsLeft <= 0) covered[column] = undefined;
      placed.push({ column, span: above.span, cell: above.cell, merge: 'continue' });
      column += above.span;
      continue;
    }
    const cell = cells.find((each) => each.column === column);
    const room = nextTaken(cells, covered, column, columns) - column;
    const span = cell ? Math.max(1, Math.min(cell.columnSpan, room)) : room;
    const reaches = cell !== undefined && cell.rowSpan > 1;
    if (cell && reaches) covered[column] = { rowsLeft: cell.rowSpan - 1, span, cell };
    placed.push({ column, span, cell, merge: reaches ? 'restart' : undefined });
    column += span;
  }
  return placed;
}

function nextTaken(
  cells: readonly TableCell[],
  covered: readonly (Covered | undefined)[],
  from: number,
  columns: number,
): number {
  for (let column = from + 1; column < columns; column += 1)
    if (covered[column] || cells.some((cell) => cell.column === column)) return column;
  return columns;
}

function cellXml(
  { column, span, cell, merge }: PlacedCell,
  widths: readonly number[],
  ruled: boolean,
  content: (cell: TableCell) => string,
): string {
  const width = widths.slice(column, column + span).reduce((sum, each) => sum + each, 0);
  const properties = [
    `<w:tcW w:w="${width}" w:type="dxa"/>`,
    span > 1 ? `<w:gridSpan w:val="${span}"/>` : '',
    merge ? `<w:vMerge${merge === 'restart' ? ' w:val="restart"' : ''}/>` : '',
    cell ? bordersXml(cell, ruled) : '',
    cell?.fill ? `<w:shd w:val="clear" w:color="auto" w:fill="${hexColour(cell.fill)}"/>` : '',
  ].join('');
  const written = cell && merge !== 'continue' ? content(cell) : '';
  // A cell ends with a paragraph.
  return `<w:tc><w:tcPr>${properties}</w:tcPr>${written === '' ? EMPTY : written}</w:tc>`;
}

const cellContent = (
  cell: TableCell,
  table: Table,
  row: number,
  { tight, letters, paragraph }: CellWriter,
): string =>
  typesetCell(cell, areaOf(table, row, cell), tight, letters)
    .map((set) => paragraph(set, cell.fill !== undefined))
    .join('');

const EMPTY =
  '<w:p><w:pPr><w:spacing w:before="0" w:after="0" w:line="20" w:lineRule="exact"/></w:pPr></w:p>';

function bordersXml({ borders }: TableCell, ruled: boolean): string {
  if (!ruled && !Object.values(borders).some(Boolean)) return '';
  const side = (name: 'top' | 'left' | 'bottom' | 'right'): string =>
    borders[name]
      ? `<w:${name} w:val="single" w:sz="4" w:space="0" w:color="auto"/>`
      : `<w:${name} w:val="nil"/>`;
  return `<w:tcBorders>${side('top')}${side('left')}${side('bottom')}${side('right')}</w:tcBorders>`;
}
