// Tables as a workbook (operations, convert/pdf/xlsx): one sheet per table, "cells are text".
import type { Table } from '../layout/model.ts';
import { PackageWriter } from './package.ts';
import { type TableText, tableText } from './table-text.ts';

export interface Sheet {
  /** At most 31 characters, unique in the workbook. */
  name: string;
  table: Table;
}

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE_RELATIONS = 'http://schemas.openxmlformats.org/package/2006/relationships';
const TYPES = 'http://schemas.openxmlformats.org/package/2006/content-types';
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** What a sheet and a cell can hold. */
const MAX_ROWS = 1_048_576;
const MAX_COLUMNS = 16_384;
const MAX_CELL_CHARACTERS = 32_767;

/** Widths of columns, in characters. */
const LEAST_WIDTH = 8;
const MOST_WIDTH = 60;

/** Writes the workbook to a file. */
export async function writeXlsx(path: string, sheets: readonly Sheet[]): Promise<{ path: string }> {
  const workbook = new PackageWriter(path);
  workbook.add('[Content_Types].xml', contentTypes(sheets.length));
  workbook.add(
    '_rels/.rels',
    relations([{ id: 'rId1', type: `${RELATIONS}/officeDocument`, target: 'xl/workbook.xml' }]),
  );
  workbook.add('xl/workbook.xml', workbookXml(sheets));
  workbook.add(
    'xl/_rels/workbook.xml.rels',
    relations([
      ...sheets.map((_, i) => ({
        id: `rId${i + 1}`,
        type: `${RELATIONS}/worksheet`,
        target: `worksheets/sheet${i + 1}.xml`,
      })),
      { id: `rId${sheets.length + 1}`, type: `${RELATIONS}/styles`, target: 'styles.xml' },
    ]),
  );
  workbook.add('xl/styles.xml', STYLES);
  for (const [i, sheet] of sheets.entries())
    await workbook.addPieces(`xl/worksheets/sheet${i + 1}.xml`, sheetXml(sheet.table));
  return workbook.finish();
}

const contentTypes = (sheets: number): string =>
  `${HEAD}<Types xmlns="${TYPES}">` +
  '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
  '<Default Extension="xml" ContentType="application/xml"/>' +
  `<Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/>` +
  `<Override PartName="/xl/styles.xml" ContentType="${TYPE}.styles+xml"/>` +
  Array.from(
    { length: sheets },
    (_, i) => `<Override PartName="/xl/worksheets/sheet${i + 1}.xml" ContentType="${TYPE}.worksheet+xml"/>`,
  ).join('') +
  '</Types>';

const relations = (list: readonly { id: string; type: string; target: string }[]): string =>
  `${HEAD}<Relationships xmlns="${PACKAGE_RELATIONS}">` +
  list
    .map(({ id, type, target }) => `<Relationship Id="${id}" Type="${type}" Target="${target}"/>`)
    .join('') +
  '</Relationships>';

const workbookXml = (sheets: readonly Sheet[]): string =>
  `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets>` +
  sheets
    .map(({ name }, i) => `<sheet name="${escaped(name)}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`)
    .join('') +
  '</sheets></workbook>';

/** Style 0 is that of cells not written, 1 text, 2 a head; number format 49 is text. */
const STYLES =
  `${HEAD}<styleSheet xmlns="${MAIN}">` +
  '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>' +
  '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
  '<cellXfs count="3"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>' +
  [0, 1]
    .map(
      (font) =>
        `<xf numFmtId="49" fontId="${font}" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1" applyAlignment="1"><alignment vertical="top" wrapText="1"/></xf>`,
    )
    .join('') +
  '</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>';

function* sheetXml(table: Table): Generator<string> {
  const { rows: all, spans, isRightToLeft } = tableText(table);
  const rows = all.slice(0, MAX_ROWS);
  const columns = Math.min(table.columnEdges.length - 1, MAX_COLUMNS);
  const range = `A1:${columnName(columns - 1)}${rows.length}`;
  yield `${HEAD}<worksheet xmlns="${MAIN}"><dimension ref="${range}"/>`;
  if (isRightToLeft) yield '<sheetViews><sheetView rightToLeft="1" workbookViewId="0"/></sheetViews>';
  yield '<cols>';
  for (let column = 0; column < columns; column += 1)
    yield `<col min="${column + 1}" max="${column + 1}" width="${columnWidth(rows, column)}" customWidth="1"/>`;
  yield '</cols><sheetData>';
  for (const [r, row] of rows.entries()) {
    const style = r < table.headerRows ? 2 : 1;
    yield `<row r="${r + 1}">`;
    for (const [c, text] of row.slice(0, columns).entries())
      if (text !== '') yield cellXml(r, c, text, style);
    yield '</row>';
  }
  yield `</sheetData>${mergedCells(spans, rows.length, columns)}`;
  // Figures are kept as they are printed: no mark in each of their cells.
  yield `<ignoredErrors><ignoredError sqref="${range}" numberStoredAsText="1"/></ignoredErrors></worksheet>`;
}

const cellXml = (row: number, column: number, text: string, style: number): string =>
  `<c r="${columnName(column)}${row + 1}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${escaped(
    text.slice(0, MAX_CELL_CHARACTERS),
  )}</t></is></c>`;

/** As wide as the longest line, within bounds. */
function columnWidth(rows: readonly string[][], column: number): number {
  let width = LEAST_WIDTH;
  for (const row of rows)
    for (const line of (row[column] ?? '').split('\n')) width = Math.max(width, line.length + 2);
  return Math.min(width, MOST_WIDTH);
}

function mergedCells(spans: TableText['spans'], rows: number, columns: number): string {
  const merged = spans
    .filter(({ row, column, rowSpan, columnSpan }) => row + rowSpan <= rows && column + columnSpan <= columns)
    .map(
      ({ row, column, rowSpan, columnSpan }) =>
        `<mergeCell ref="${columnName(column)}${row + 1}:${columnName(column + columnSpan - 1)}${row + rowSpan}"/>`,
    );
  return merged.length === 0 ? '' : `<mergeCells count="${merged.length}">${merged.join('')}</mergeCells>`;
}

/** A, B, ... Z, AA, AB, ... */
function columnName(column: number): string {
  const letter = String.fromCharCode(65 + (column % 26));
  return column < 26 ? letter : columnName(Math.floor(column / 26) - 1) + letter;
}

/** Characters that XML cannot hold are left out; what Excel would read as a code of its own is written as one. */
const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
    .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
