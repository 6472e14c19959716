// Rules of PDF/UA on tables, lists and contents: what may stand where, and which headers a cell has.
import type { Dict } from '../../objects.ts';
import type { Subject } from '../validation-context.ts';
import { element } from './accessibility.ts';
import type { Rule } from './rule.ts';
import { type Element, elements, kidsOf } from './tags.ts';

const MAX_SPAN = 1000;

const countKids = (each: Element, type: string): number =>
  each.kids.filter(({ standardType }) => standardType === type).length;

/** Captions stand at the beginning or the end. */
const isCaptionInside = ({ kids }: Element): boolean =>
  kids.slice(1, -1).some(({ standardType }) => standardType === 'Caption');
const isCaptionLater = ({ kids }: Element): boolean =>
  kids.slice(1).some(({ standardType }) => standardType === 'Caption');

export const ACCESSIBLE_TABLE_RULES: readonly Rule[] = [
  table('7.2-11', 'A table has at most one THead.', (each) => countKids(each, 'THead') > 1),
  table('7.2-12', 'A table has at most one TFoot.', (each) => countKids(each, 'TFoot') > 1),
  table(
    '7.2-13',
    'A table with a TFoot has a TBody.',
    (each) => countKids(each, 'TFoot') > 0 && countKids(each, 'TBody') === 0,
  ),
  table(
    '7.2-14',
    'A table with a THead has a TBody.',
    (each) => countKids(each, 'THead') > 0 && countKids(each, 'TBody') === 0,
  ),
  {
    at: { ua1: '7.2-15', ua2: '8.2.5.26-1' },
    message: 'Cells of a table do not overlap.',
    *find(subject) {
      for (const each of tables(subject)) if (gridOf(each, subject.doc).overlaps) yield each.where;
    },
  },
  table('7.2-16', 'The caption of a table is its first or last element.', isCaptionInside),
  element(
    '7.2-28',
    'The caption of a table of contents is its first element.',
    (each) => each.standardType === 'TOC' && isCaptionLater(each),
  ),
  table('7.2-39', 'A table has at most one caption.', (each) => countKids(each, 'Caption') > 1),
  element(
    '7.2-40',
    'The caption of a list is its first element.',
    (each) => each.standardType === 'L' && isCaptionLater(each),
  ),
  {
    at: { ua1: '7.2-43', ua2: '8.2.5.26-4' },
    message: 'All rows of a table have the same number of columns.',
    *find(subject) {
      for (const each of tables(subject)) {
        const { widths } = gridOf(each, subject.doc);
        if (widths.some((width) => width !== widths[0])) yield each.where;
      }
    },
  },
  {
    at: { ua1: '7.5-1' },
    message: 'Cells tell their headers (Headers), or the headers tell their scope (Scope).',
    *find(subject) {
      for (const each of tables(subject))
        for (const { cell, named } of cellsWithoutScope(each, subject))
          if (named.length === 0) yield cell.where;
    },
  },
  {
    at: { ua1: '7.5-2' },
    message: 'Headers that cells tell are headers of the table.',
    *find(subject) {
      const { doc } = subject;
      for (const each of tables(subject)) {
        const ids = new Set(headersOf(each, doc).map(({ cell }) => doc.text(cell.dict.get('ID'))));
        for (const { cell, named } of cellsWithoutScope(each, subject))
          if (named.some((id) => !ids.has(id))) yield cell.where;
      }
    },
  },
];

function table(at: string, message: string, isWrong: (each: Element) => boolean): Rule {
  return element(at, message, (each) => each.standardType === 'Table' && isWrong(each));
}

const tables = (subject: Subject): Element[] =>
  elements(subject).filter(({ standardType }) => standardType === 'Table');

const rowsOf = (each: Element): Element[] =>
  kidsOf(each).flatMap((kid) =>
    kid.standardType === 'TR' ? [kid] : /^T(?:Head|Body|Foot)$/.test(kid.standardType) ? rowsOf(kid) : [],
  );

const cellsOf = (each: Element): Element[] =>
  kidsOf(each).filter(({ standardType }) => standardType === 'TH' || standardType === 'TD');

/** An attribute of tables, wherever among the attributes it is written. */
function attribute(doc: Subject['doc'], dict: Dict, key: string): ReturnType<Dict['get']> {
  const held = dict.get('A');
  for (const each of doc.array(held) ?? [held ?? null]) {
    const found = doc.dict(each)?.get(key);
    if (found !== undefined) return found;
  }
  return undefined;
}

function span(doc: Subject['doc'], { dict }: Element, key: string): number {
  const stated = doc.number(attribute(doc, dict, key)) ?? 1;
  return Math.max(1, Math.min(MAX_SPAN, Math.trunc(stated)));
}

interface Placed {
  cell: Element;
  row: number;
  column: number;
}

/** Where the cells come to lie, as readers place them: each in the first free column of its row. */
function gridOf(
  table: Element,
  doc: Subject['doc'],
): { placed: Placed[]; widths: number[]; overlaps: boolean } {
  const taken = new Set<string>();
  const placed: Placed[] = [];
  const rows = rowsOf(table);
  const widths: number[] = rows.map(() => 0);
  let overlaps = false;
  for (const [row, each] of rows.entries()) {
    let column = 0;
    for (const cell of cellsOf(each)) {
      while (taken.has(`${row} ${column}`)) column += 1;
      const [tall, wide] = [span(doc, cell, 'RowSpan'), span(doc, cell, 'ColSpan')];
      placed.push({ cell, row, column });
      for (let down = 0; down < tall; down += 1)
        for (let along = 0; along < wide; along += 1) {
          const key = `${row + down} ${column + along}`;
          if (taken.has(key)) overlaps = true;
          taken.add(key);
          widths[row + down] = Math.max(widths[row + down] ?? 0, column + along + 1);
        }
      column += wide;
    }
  }
  return { placed, widths, overlaps };
}

const headersOf = (table: Element, doc: Subject['doc']): Placed[] =>
  gridOf(table, doc).placed.filter(({ cell }) => cell.standardType === 'TH');

/** Cells of a table with headers to which no header leads by its scope, and the headers that they name. */
function* cellsWithoutScope(
  table: Element,
  { doc }: Subject,
): Iterable<{ cell: Element; named: (string | undefined)[] }> {
  const { placed } = gridOf(table, doc);
  const headers = headersOf(table, doc);
  if (headers.length === 0) return;
  const scopeOf = ({ cell }: Placed): string | undefined => doc.name(attribute(doc, cell.dict, 'Scope'));
  const columns = new Set(
    headers.filter((each) => ['Column', 'Both'].includes(scopeOf(each) ?? '')).map(({ column }) => column),
  );
  const rows = new Set(
    headers.filter((each) => ['Row', 'Both'].includes(scopeOf(each) ?? '')).map(({ row }) => row),
  );
  for (const { cell, row, column } of placed) {
    if (cell.standardType !== 'TD' || columns.has(column) || rows.has(row)) continue;
    const named = doc.array(attribute(doc, cell.dict, 'Headers')) ?? [];
    yield { cell, named: named.map((each) => doc.text(each)) };
  }
}
