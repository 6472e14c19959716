// Columns of prose beside each other are no table, however well their lines agree.

import { readingOrder } from '../lines/reading-order.ts';
import { readLines } from '../lines/text-lines.ts';
import type { PageItems } from '../page-items.ts';
import type { Word } from '../words/word.ts';
import type { FoundTable } from './find-tables.ts';

/** A table may take a few words of a neighbouring column by accident. */
const FEW = 0.12;

/** Without those tables that are held together by alignment alone and reach over columns of running text. */
export function dropTablesOverColumns(found: FoundTable[], { words }: PageItems): FoundTable[] {
  if (found.every(({ table, turn }) => table.ruled || turn !== 0)) return found;
  const columnOf = new Map<Word, number>();
  const regions = readingOrder(readLines(words.filter(({ turn }) => turn === 0)));
  for (const [number, { rows, columns }] of regions.entries()) {
    if (columns === 1) continue;
    for (const word of rows.flat().flatMap((line) => line.words)) columnOf.set(word, number);
  }
  return found.filter(({ table, words: own, turn }) => {
    if (table.ruled || turn !== 0) return true;
    const counts = new Map<number, number>();
    for (const word of own) {
      const column = columnOf.get(word);
      if (column !== undefined) counts.set(column, (counts.get(column) ?? 0) + 1);
    }
    return [...counts.values()].filter((count) => count > own.length * FEW).length < 2;
  });
}
