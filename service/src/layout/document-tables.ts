// The tables of a document, on the pages asked for.
import type { DrawnDocument } from '../contract/page-items.ts';
import type { Table } from './model.ts';
import { readPageItems } from './page-items.ts';
import { pageTables } from './page-tables.ts';
import { joinContinued, placeTables } from './tables/continued-tables.ts';

/** Pages count from 1, ascending. One page is held at a time. */
export function documentTables(document: Pick<DrawnDocument, 'readPage'>, pages: readonly number[]): Table[] {
  const found = pages.map((page) => {
    const drawn = document.readPage(page - 1);
    const items = readPageItems(drawn);
    return placeTables(page, pageTables(drawn, items, page), items);
  });
  return joinContinued(found).map(({ table }) => table);
}

/** Each table with its number among those of its page, from 1, and how many the page has. */
export function numberOnPages(tables: readonly Table[]): { table: Table; number: number; of: number }[] {
  const counts = new Map<number, number>();
  for (const { page } of tables) counts.set(page, (counts.get(page) ?? 0) + 1);
  const seen = new Map<number, number>();
  return tables.map((table) => {
    const number = (seen.get(table.page) ?? 0) + 1;
    seen.set(table.page, number);
    return { table, number, of: counts.get(table.page) ?? 1 };
  });
}
