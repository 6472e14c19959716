// Tables that go on over pages: one table, its head once.
import type { Table, TableCell, TableRow } from '../model.ts';
import type { PageMarks, Word } from '../page-marks.ts';
import { runsText } from '../runs.ts';
import type { FoundTable } from './find-tables.ts';

/** The tables of a page, and whether the first and the last may be parts of one that goes on over pages. */
export interface PageTables {
  /** From 1. */
  page: number;
  tables: readonly FoundTable[];
  isFirstAtStart: boolean;
  isLastAtEnd: boolean;
}

/** `tables` as `findTables` gives them; the marks need not be kept. */
export function placeTables(
  page: number,
  tables: readonly FoundTable[],
  { words }: Pick<PageMarks, 'words'>,
): PageTables {
  const [first, last] = [tables[0], tables.at(-1)];
  return {
    page,
    tables,
    isFirstAtStart: first !== undefined && isAtStart(first, words),
    isLastAtEnd: last !== undefined && isAtEnd(last, words),
  };
}

/** Running heads and feet take so many lines at most. */
const FURNITURE_LINES = 3;
/** Columns of one table keep their places over pages, up to so many points. */
const SAME_EDGE = 6;

/** The tables of pages that follow each other; a table that goes on belongs to the page it begins on. */
export function joinContinued(pages: readonly PageTables[]): FoundTable[] {
  const joined: FoundTable[] = [];
  let open: { found: FoundTable; page: number } | undefined;
  for (const page of pages) {
    const [first, ...rest] = page.tables;
    const goesOn =
      first !== undefined &&
      open !== undefined &&
      open.page + 1 === page.page &&
      page.isFirstAtStart &&
      continues(open.found, first);
    if (goesOn && open) open.found.table = withMoreRows(open.found.table, first.table);
    const begun = (goesOn ? rest : page.tables).map((found) => ({ ...found, table: { ...found.table } }));
    joined.push(...begun);
    if (!page.isLastAtEnd) open = undefined;
    else if (goesOn && page.tables.length === 1 && open) open = { found: open.found, page: page.page };
    else {
      const found = joined.at(-1);
      open = found && { found, page: page.page };
    }
  }
  return joined;
}

const isTurned = ({ turn }: FoundTable): boolean => turn !== 0;

/** Whether nothing but a foot follows on its page. */
function isAtEnd(found: FoundTable, words: readonly Word[]): boolean {
  if (isTurned(found)) return false;
  const end = found.area.y + found.area.height;
  return linesAmong(words.filter(({ baseline }) => baseline > end + 1)) <= FURNITURE_LINES;
}

function isAtStart(found: FoundTable, words: readonly Word[]): boolean {
  if (isTurned(found)) return false;
  return linesAmong(words.filter(({ baseline }) => baseline < found.area.y + 1)) <= FURNITURE_LINES;
}

const linesAmong = (words: readonly { baseline: number }[]): number =>
  new Set(words.map(({ baseline }) => Math.round(baseline / 4))).size;

function continues(before: FoundTable, after: FoundTable): boolean {
  const [one, other] = [before.table, after.table];
  if (one.ruled !== other.ruled || one.columnEdges.length !== other.columnEdges.length) return false;
  // Pages of a book stand further left or right in turns.
  const shift = (other.columnEdges[0] ?? 0) - (one.columnEdges[0] ?? 0);
  return (
    isSameHead(one, other) ||
    one.columnEdges.every((edge, i) => Math.abs((other.columnEdges[i] ?? 0) - shift - edge) <= SAME_EDGE)
  );
}

const isSameHead = (one: Table, other: Table): boolean => {
  const heads = repeatedHeads(one, other);
  return heads > 0 && heads >= one.headerRows;
};

const cellText = (cell: TableCell): string =>
  cell.blocks.map((block) => (block.kind === 'paragraph' ? runsText(block.runs) : '')).join('\n');

const rowText = (row: TableRow): string => row.cells.map(cellText).join('\t');

/** How many rows at the top say the same; at most the head of the first. */
function repeatedHeads(one: Table, other: Table): number {
  const limit = Math.max(one.headerRows, 1);
  let same = 0;
  while (same < limit && same < other.rows.length - 1) {
    const [a, b] = [one.rows[same], other.rows[same]];
    if (!a || !b || rowText(a) !== rowText(b) || rowText(a).trim() === '') break;
    same += 1;
  }
  return same;
}

/** Spans of a head that is dropped would reach into nothing: heads are dropped whole. */
function withMoreRows(table: Table, more: Table): Table {
  const heads = repeatedHeads(table, more);
  const isWhole = more.rows
    .slice(0, heads)
    .every((row, i) => row.cells.every(({ rowSpan }) => i + rowSpan <= heads));
  return { ...table, rows: [...table.rows, ...more.rows.slice(isWhole ? heads : 0)] };
}
