// Tables as comma separated values (operations, convert/pdf/csv): "every value quoted, CRLF lines".
import type { Table } from '../layout/model.ts';
import { tableText } from './table-text.ts';

const END = '\r\n';

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

export const tableCsv = (table: Table): string =>
  tableText(table)
    .rows.map((row) => row.map(quoted).join(',') + END)
    .join('');

/** "Several → one body, tables in reading order, one blank line between." */
export const tablesCsv = (tables: readonly Table[]): string => tables.map(tableCsv).join(END);
