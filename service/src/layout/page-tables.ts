// The tables of a page as every writer has them: columns of prose and rows of formulas are none.
import type { DrawnPage } from '../contract/page-items.ts';
import { dropTablesOfFormulas } from './formulas/formulas-and-tables.ts';
import type { PageItems } from './page-items.ts';
import { type FoundTable, findTables } from './tables/find-tables.ts';
import { dropTablesOverColumns } from './tables/prose-columns.ts';

/** `page` counts from 1; `items` are those of the page drawn. */
export const pageTables = (drawn: DrawnPage, items: PageItems, page: number): FoundTable[] =>
  dropTablesOfFormulas(drawn, items.words, dropTablesOverColumns(findTables(items, page), items));
