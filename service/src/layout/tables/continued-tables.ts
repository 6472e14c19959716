// Tables that go on over pages: one table, its head once.

import { runsText } from '../lines/runs.ts';
import { byBaseline } from '../lines/text-lines.ts';
import type { Table, TableCell, TableRow } from '../model.ts';
import type { PageItems } from '../page-items.ts';
import type { Word } from '../words/word.ts';
import type { FoundTable } from './find-tables.ts';

/** The tables of a page, and what is written around them: whether they go on is told by that. */
export interface PageTables {
  /** From 1. */
  page: number;
  tables: readonly FoundTable[];
  /** Lines over the first table, and under the last. */
  above: readonly string[];
  below: readonly string[];
  /** The first and the last lines of the page. */
  first: readonly string[];
  last: readonly string[];
}

/** Running heads and feet take so many lines at most. */
const FURNITURE_LINES = 4;

/** `tables` as `findTables` gives them; the items need not be kept. */
export function placeTables(
  page: number,
  tables: readonly FoundTable[],
  { words }: Pick<PageItems, 'words'>,
): PageTables {
  const [top, bottom] = [tables[0]?.area, tables.at(-1)?.area];
  const upright = words.filter(({ turn }) => turn === 0);
  const lines = linesOf(upright);
  const end = bottom ? bottom.y + bottom.height : 0;
  return {
    page,
    tables,
    above: top ? linesOf(upright.filter(({ baseline }) => baseline < top.y + 1)).map(lineText) : [],
    below: bottom ? linesOf(upright.filter(({ baseline }) => baseline > end + 1)).map(lineText) : [],
    first: lines.slice(0, FURNITURE_LINES).map(lineText),
    last: lines.slice(-FURNITURE_LINES).map(lineText),
  };
}

function linesOf(words: readonly Word[]): Word[][] {
  const lines: Word[][] = [];
  for (const word of byBaseline(words)) {
    const line = lines.at(-1);
    if (line && word.baseline - (line[0] as Word).baseline < 3) line.push(word);
    else lines.push([word]);
  }
  return lines;
}

/** A text to compare: page numbers differ from page to page. */
const lineText = (line: readonly Word[]): string =>
  line
    .toSorted((a, b) => a.box.x - b.box.x)
    .map(({ text }) => text.replace(/\d+/g, '#'))
    .join(' ');

/** Columns of one table keep their places over pages, up to so many points. */
const SAME_EDGE = 6;

/** The tables of pages that follow each other; a table that goes on belongs to the page it begins on. */
export function joinContinued(pages: readonly PageTables[]): FoundTable[] {
  const repeated = repeatedLines(pages);
  const joined: FoundTable[] = [];
  let open: { found: FoundTable; from: PageTables } | undefined;
  for (const page of pages) {
    const [first, ...rest] = page.tables;
    const goesOn =
      first !== undefined &&
      open !== undefined &&
      open.from.page + 1 === page.page &&
      isUnparted(open.from, page, repeated) &&
      continues(open.found, first);
    if (goesOn && open) open.found.table = withMoreRows(open.found.table, first.table);
    const begun = (goesOn ? rest : page.tables).map((found) => ({ ...found, table: { ...found.table } }));
    joined.push(...begun);
    const found = goesOn && page.tables.length === 1 ? open?.found : joined.at(-1);
    open = page.tables.length > 0 && found ? { found, from: page } : undefined;
  }
  return joined;
}

const PAGE_NUMBER = /^[^\p{L}]{0,4}(page|seite)?[^\p{L}]*#[^\p{L}]*((of|von|de) #)?[^\p{L}]*$/iu;
const CONTINUED = /\b(continued|cont(['’.]?d)?|fortsetzung|suite)\b/i;

/** Whether between the last table of a page and the first of the next there is nothing but running heads and feet. */
const isUnparted = (before: PageTables, after: PageTables, repeated: ReadonlySet<string>): boolean =>
  [...before.below, ...after.above].every(
    (line) => repeated.has(line) || PAGE_NUMBER.test(line) || CONTINUED.test(line),
  );

/** Lines that stand at the edge of several pages. */
function repeatedLines(pages: readonly PageTables[]): Set<string> {
  const [seen, repeated] = [new Set<string>(), new Set<string>()];
  for (const { first, last } of pages) {
    for (const line of new Set([...first, ...last])) {
      if (seen.has(line)) repeated.add(line);
      seen.add(line);
    }
  }
  return repeated;
}

function continues(before: FoundTable, after: FoundTable): boolean {
  if (before.turn !== 0 || after.turn !== 0) return false;
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
  const rows = more.rows.slice(isWhole ? heads : 0);
  const [last, first] = [table.rows.at(-1), rows[0]];
  if (last && first && isCutRow(last, first))
    return { ...table, rows: [...table.rows.slice(0, -1), joinedRow(last, first), ...rows.slice(1)] };
  return { ...table, rows: [...table.rows, ...rows] };
}

/** A row that the page's end has cut in two: no line is drawn under its beginning, nor over its rest. */
const isCutRow = (last: TableRow, first: TableRow): boolean =>
  last.cells.length === first.cells.length &&
  last.cells.every(
    ({ borders, column, columnSpan, rowSpan }, i) =>
      !borders.bottom &&
      (borders.left || borders.right) &&
      column === first.cells[i]?.column &&
      columnSpan === first.cells[i]?.columnSpan &&
      rowSpan === 1,
  ) &&
  first.cells.every(
    ({ borders, rowSpan }) => !borders.top && (borders.left || borders.right) && rowSpan === 1,
  );

const joinedRow = (last: TableRow, first: TableRow): TableRow => ({
  height: last.height + first.height,
  cells: last.cells.map((cell, i) => ({
    ...cell,
    blocks: joinedBlocks(cell.blocks, first.cells[i]?.blocks ?? []),
    borders: { ...cell.borders, bottom: first.cells[i]?.borders.bottom ?? false },
  })),
});

/** The paragraph at the page's end goes on with the first of the next page. */
function joinedBlocks(before: TableCell['blocks'], after: TableCell['blocks']): TableCell['blocks'] {
  const [last, first] = [before.at(-1), after[0]];
  if (last?.kind !== 'paragraph' || first?.kind !== 'paragraph') return [...before, ...after];
  const [run, ...runs] = first.runs;
  const joined = {
    ...last,
    runs: [...last.runs, ...(run ? [{ ...run, text: ` ${run.text}` }] : []), ...runs],
    lines: [...last.lines, ...first.lines],
  };
  return [...before.slice(0, -1), joined, ...after.slice(1)];
}
