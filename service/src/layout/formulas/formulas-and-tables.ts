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
  const ruled = new Set(tables.filter(({ table }) => table.ruled).flatMap((table) => table.words));
  const { displayed } = findFormulas(
    drawn,
    words.filter((word) => !ruled.has(word)),
  );
  const inFormulas = new Set(displayed.flatMap((formula) => formula.words));
  const kept = tables.filter(
    ({ table, words: own }) =>
      table.ruled || own.filter((word) => inFormulas.has(word)).length < own.length * MOSTLY,
  );
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

/** Formulas on a figure are part of it. */
export function withoutWordsOf(
  { inline, displayed }: PageFormulas,
  figures: readonly { words: readonly Word[] }[],
): PageFormulas {
  const used = new Set(figures.flatMap(({ words }) => words));
  const isFree = ({ words }: { words: readonly Word[] }): boolean => !words.some((word) => used.has(word));
  return { inline: inline.filter(isFree), displayed: displayed.filter(isFree) };
}
