// Running titles and page numbers: what stands at the edge of a page and comes again on pages near it.
import { lineText } from './line-text.ts';
import { romanNumber } from './list-markers.ts';
import { joinRow, rowsOf } from './reading-order.ts';
import type { TextLine } from './text-lines.ts';

/** Rows at the edges of one page, by where they stand and what they say, digits left out. */
export interface Edges {
  /** From the outside in. */
  top: EdgeRow[];
  bottom: EdgeRow[];
  /** Whether anything stands between them. */
  between: boolean;
}

interface EdgeRow {
  lines: TextLine[];
  key: string;
  /** Numbers at its ends, which may be that of the page. */
  numbers: number[];
  page: number;
}

/** How much of the page's height may be furniture, at each end. */
const MARGIN = 0.16;
const MAX_ROWS = 4;
/** Two pages that face each other may differ: what comes again does so within this many pages. */
export const NEAR_PAGES = 2;

export function edgesOf(lines: readonly TextLine[], height: number, page: number): Edges {
  const inTop = lines.filter(({ box, object }) => !object && box.y + box.height < height * MARGIN);
  const inBottom = lines.filter(({ box, object }) => !object && box.y > height * (1 - MARGIN));
  const top = rowsOf(inTop)
    .slice(0, MAX_ROWS)
    .map((row) => edgeRow(row, page));
  const bottom = rowsOf(inBottom)
    .slice(-MAX_ROWS)
    .reverse()
    .map((row) => edgeRow(row, page));
  const inRows = [...top, ...bottom].reduce((sum, row) => sum + row.lines.length, 0);
  return { top, bottom, between: lines.length > inRows };
}

function edgeRow(lines: TextLine[], page: number): EdgeRow {
  const row = joinRow(lines);
  const text = lineText(row).trim();
  const bare = /^[-–\s]*[ivxlc]{1,7}[-–\s]*$/i.test(text);
  const words = text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
  const numbers = text.length > LONGEST ? [] : [words[0] ?? '', words.at(-1) ?? ''].flatMap(pageNumber);
  return {
    lines,
    key: `${Math.round(row.baseline / 3)} ${bare ? '#' : text.replace(/\d+/g, '#')}`,
    numbers,
    page,
  };
}

/** Running titles are short. */
const LONGEST = 110;

function pageNumber(word: string): number[] {
  // "3." numbers a heading, not a page.
  if (/[.):]$/.test(word)) return [];
  const bare = word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');
  if (/^\d{1,5}$/.test(bare)) return [Number(bare)];
  return /^[ivxlc]{1,8}$/i.test(bare) ? [romanNumber(bare.toLowerCase())] : [];
}

/** The lines of this page that are furniture, known by its neighbours. */
export function furnitureOf(
  edges: Edges,
  near: readonly Edges[],
): { header: TextLine[]; footer: TextLine[] } {
  // Pages that hold nothing else are not all furniture.
  if (!edges.between && near.every(({ between }) => !between)) return { header: [], footer: [] };
  return {
    header: repeating(
      edges.top,
      near.map(({ top }) => top),
    ),
    footer: repeating(
      edges.bottom,
      near.map(({ bottom }) => bottom),
    ),
  };
}

function repeating(rows: readonly EdgeRow[], near: readonly (readonly EdgeRow[])[]): TextLine[] {
  const lines: TextLine[] = [];
  for (const row of rows) {
    // From the outside in: behind the first row that is the page's own comes the text.
    if (!near.some((others) => others.some((other) => isSame(row, other)))) break;
    lines.push(...row.lines);
  }
  return lines;
}

function isSame(row: EdgeRow, other: EdgeRow): boolean {
  if (Math.abs(keyPlace(row) - keyPlace(other)) > 1) return false;
  // A number that counts with the pages is the page's, whatever title stands beside it.
  const counts = row.numbers.some((number) => other.numbers.includes(number + other.page - row.page));
  // A bare number that does not count is no page number, but perhaps a cell.
  return counts || (keyText(row) === keyText(other) && keyText(row) !== '#');
}

const keyPlace = ({ key }: EdgeRow): number => Number(key.slice(0, key.indexOf(' ')));
const keyText = ({ key }: EdgeRow): string => key.slice(key.indexOf(' ') + 1);
