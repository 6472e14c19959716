// Rules of PDF/UA on tables, lists and contents: what may stand where, and which headers a cell has.
import type { Part } from '../standards.ts';
import type { Subject } from '../validation-context.ts';
import { element } from './accessibility.ts';
import { typedElements } from './namespaced-structure.ts';
import type { Rule } from './rule.ts';
import {
  type Grid,
  gridOf,
  type Irregularity,
  type PlacedCell,
  type TableElement,
  tableAttribute,
} from './table-grid.ts';
import { type Element, elements } from './tags.ts';

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
  irregular({ ua1: '7.2-15', ua2: '8.2.5.26-1' }, 'Cells of a table do not overlap.', 'overlap'),
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
  irregular(
    { ua1: '7.2-41', ua2: '8.2.5.26-2' },
    'All columns of a table have the same number of rows; in PDF/UA-2 those of a group of rows, too.',
    'column too tall',
  ),
  irregular(
    { ua1: '7.2-42', ua2: '8.2.5.26-3' },
    'No row of a table has more columns than the first.',
    'row too wide',
  ),
  irregular(
    { ua1: '7.2-43', ua2: '8.2.5.26-4' },
    'No row of a table has fewer columns than the first.',
    'row too narrow',
  ),
  withoutHeader(
    { ua1: '7.5-1', ua2: '8.2.5.26-5' },
    'Cells tell their headers (Headers), or the headers tell their scope (Scope).',
    false,
  ),
  withoutHeader(
    { ua1: '7.5-2', ua2: '8.2.5.26-6' },
    'Headers that cells tell are headers of the table.',
    true,
  ),
];

function table(at: string, message: string, isWrong: (each: Element) => boolean): Rule {
  return element(at, message, (each) => each.standardType === 'Table' && isWrong(each));
}

function irregular(at: Rule['at'], message: string, kind: Irregularity): Rule {
  return {
    at,
    message,
    *find(subject, { part }) {
      for (const { table: each, grid } of tables(subject, part))
        if (grid.irregularity === kind) yield each.where;
    },
  };
}

function withoutHeader(at: Rule['at'], message: string, isUnknown: boolean): Rule {
  return {
    at,
    message,
    *find(subject, { part }) {
      for (const { grid } of tables(subject, part)) {
        const { cell, unknown } = lonelyCell(grid, subject, part) ?? {};
        if (cell && unknown === isUnknown) yield cell.where;
      }
    },
  };
}

interface LaidTable {
  table: TableElement;
  grid: Grid;
}

function tables(subject: Subject, part: Part): LaidTable[] {
  const all: TableElement[] = part === 'ua2' ? typedElements(subject) : elements(subject);
  return all
    .filter(({ standardType }) => standardType === 'Table')
    .map((each) => ({ table: each, grid: gridOf(each, subject.doc, { groupsHold: part === 'ua2' }) }));
}

/** The first data cell of a table with headers to which none of them leads, by its own Headers or by their Scope. */
function lonelyCell(
  grid: Grid,
  { doc }: Subject,
  part: Part,
): { cell: TableElement; unknown: boolean } | undefined {
  if (grid.irregularity) return undefined;
  const headers = grid.cells.filter(({ cell }) => cell.standardType === 'TH');
  const scopeOf = ({ cell, row, column }: PlacedCell): string | undefined =>
    doc.name(tableAttribute(doc, cell.dict, 'Scope')) ??
    (part === 'ua2' ? impliedScope(row, column) : undefined);
  if (headers.every(({ cell }) => doc.name(tableAttribute(doc, cell.dict, 'Scope')) !== undefined))
    return undefined;
  const ids = new Set(headers.map(({ cell }) => doc.text(cell.dict.get('ID')) ?? ''));
  ids.delete('');
  for (const placed of byPlace(grid)) {
    const { cell } = placed;
    if (cell.standardType !== 'TD') continue;
    const named = (doc.array(tableAttribute(doc, cell.dict, 'Headers')) ?? []).map(
      (each) => doc.text(each) ?? '',
    );
    const unknown = named.some((id) => !ids.has(id));
    if ((named.length > 0 && !unknown) || isLedTo(grid, placed, scopeOf)) continue;
    return { cell, unknown };
  }
  return undefined;
}

const byPlace = ({ cells }: Grid): PlacedCell[] =>
  [...cells].sort((a, b) => a.row - b.row || a.column - b.column);

/** PDF 2.0: headers of the first row speak for their columns, those of the first column for their rows. */
function impliedScope(row: number, column: number): string {
  if (row === 0 && column > 0) return 'Column';
  return column === 0 && row > 0 ? 'Row' : 'Both';
}

/** Whether a header above speaks for the column, or one to the left for the row. Behind the nearest headers, data ends the search. */
function isLedTo(
  grid: Grid,
  { row, column, tall, wide }: PlacedCell,
  scopeOf: (header: PlacedCell) => string | undefined,
): boolean {
  const leads = (places: Iterable<PlacedCell | undefined>, direction: string): boolean => {
    let met = false;
    for (const each of places) {
      const isHeader = each?.cell.standardType === 'TH';
      if (each && isHeader && ['Both', direction].includes(scopeOf(each) ?? '')) return true;
      if (met && !isHeader) return false;
      met ||= isHeader;
    }
    return false;
  };
  for (let along = column; along < column + wide; along += 1)
    if (
      leads(
        backwards(row, (each) => grid.at(each, along)),
        'Column',
      )
    )
      return true;
  for (let down = row; down < row + tall; down += 1)
    if (
      leads(
        backwards(column, (each) => grid.at(down, each)),
        'Row',
      )
    )
      return true;
  return false;
}

function* backwards<T>(from: number, at: (index: number) => T): Iterable<T> {
  for (let index = from - 1; index >= 0; index -= 1) yield at(index);
}
