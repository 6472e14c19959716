// Formulas beside tables and figures: which of them a place of a page belongs to.
import type { DrawnPage } from '../../contract/page-items.ts';
import type { Table } from '../model.ts';
import type { Word } from '../words/word.ts';
import { findFormulas, mayHaveFormulas, NO_FORMULAS, type PageFormulas } from './page-formulas.ts';

interface FoundTable {
  words: readonly Word[];
  table: Table;
}

/** What stands in a table stays there; rows of formulas one below the other are none, unless lines are drawn. */
export function findPageFormulas<T extends FoundTable>(
  drawn: DrawnPage,
  words: readonly Word[],
  tables: readonly T[],
): { found: PageFormulas; tables: T[] } {
  if (!mayHaveFormulas(drawn)) return { found: NO_FORMULAS, tables: [...tables] };
  if (tables.length === 0) return { found: findFormulas(drawn, words), tables: [] };
  const kept = dropTablesOfFormulas(drawn, words, tables);
  const inTables = new Set(kept.flatMap((table) => table.words));
  return {
    found: findFormulas(
      drawn,
      words.filter((word) => !inTables.has(word)),
    ),
    tables: kept,
  };
}

const MOSTLY = 0.5;

/** Without the tables that are rows of formulas: matrices, systems of equations. */
export function dropTablesOfFormulas<T extends FoundTable>(
  drawn: DrawnPage,
  words: readonly Word[],
  tables: readonly T[],
): T[] {
  if (tables.every(({ table }) => isDrawn(table)) || !mayHaveFormulas(drawn)) return [...tables];
  const inDrawn = new Set(tables.filter(({ table }) => isDrawn(table)).flatMap((table) => table.words));
  const { displayed } = findFormulas(
    drawn,
    words.filter((word) => !inDrawn.has(word)),
  );
  const inFormulas = new Set(displayed.flatMap((formula) => formula.words));
  return tables.filter(
    ({ table, words: own }) =>
      isDrawn(table) || own.filter((word) => inFormulas.has(word)).length < own.length * MOSTLY,
  );
}

/** A line under a whole row is none of a formula's bars. */
const isDrawn = ({ ruled, rows }: Table): boolean =>
  ruled || rows.some(({ cells }) => cells.length > 1 && cells.every(({ borders }) => borders.bottom));

/** Formulas on a figure are part of it. */
export function withoutWordsOf(
  { inline, displayed }: PageFormulas,
  figures: readonly { words: readonly Word[] }[],
): PageFormulas {
  const used = new Set(figures.flatMap(({ words }) => words));
  const isFree = ({ words }: { words: readonly Word[] }): boolean => !words.some((word) => used.has(word));
  return { inline: inline.filter(isFree), displayed: displayed.filter(isFree) };
}
