// Running titles and page numbers: what stands at the edge of a page, apart from its text, and comes again on pages
// near it. A title or a date that many pages have, each its own, is no such thing: taking it away loses what was said.
import { lineText } from '../lines/line-text.ts';
import { groupRows, joinRow } from '../lines/rows.ts';
import type { TextLine } from '../lines/text-lines.ts';
import { isPrintedByBrowser } from './browser-rows.ts';
import { romanNumber } from './list-markers.ts';

/** Rows at the edges of one page, by where they stand and what they say. */
export interface Edges {
  /** From the outside in. */
  top: EdgeRow[];
  bottom: EdgeRow[];
  /** Characters of the whole page. */
  amount: number;
  /** What stands between them. */
  between: 'text' | 'pictures' | 'nothing';
}

interface EdgeRow {
  lines: TextLine[];
  text: string;
  baseline: number;
  /** A word and a number, which name what follows. */
  label: boolean;
  /** Numbers at its ends, which may be that of the page. */
  numbers: number[];
  page: number;
  /** What stands next to it, further in, keeps its distance, or it is too short to be a line of that. */
  apart: boolean;
  size: number;
  /** Written larger than the text of the page, as headings are. */
  large: boolean;
}

/** How much of the page's height may be header or footer, at each end. */
const MARGIN = 0.16;
const MAX_ROWS = 4;
/** Two pages that face each other may differ: what comes again does so within this many pages. */
export const NEAR_PAGES = 2;
/** Running titles are short. */
const LONGEST = 110;
/** Lines of one text follow one another more closely, in parts of their size. */
const APART = 1.55;
const LARGE = 1.2;
const SHORT = 0.75;
/** As a part of the page's height. */
const NARROW = 0.25;
/** How far a row may move from page to page, in points. */
const SAME_PLACE = 4.5;

export function readPageEdges(lines: readonly TextLine[], height: number, page: number): Edges {
  const inTop = lines.filter(({ box, object }) => !object && box.y + box.height < height * MARGIN);
  const inBottom = lines.filter(({ box, object }) => !object && box.y > height * (1 - MARGIN));
  const size = mainSize(lines);
  const top = groupRows(inTop)
    .slice(0, MAX_ROWS)
    .map((row) => edgeRow(row, { page, size, height, all: lines }, 1));
  const bottom = groupRows(inBottom)
    .slice(-MAX_ROWS)
    .reverse()
    .map((row) => edgeRow(row, { page, size, height, all: lines }, -1));
  const inRows = [...top, ...bottom].reduce((sum, row) => sum + row.lines.length, 0);
  const texts = lines.filter(({ object }) => object?.kind !== 'figure').length;
  const between = texts > inRows ? 'text' : lines.length > texts ? 'pictures' : 'nothing';
  const amount = lines.reduce((sum, { length }) => sum + length, 0);
  return { top, bottom, amount, between };
}

/** The size most of the page is written in. */
function mainSize(lines: readonly TextLine[]): number {
  const lengths = new Map<number, number>();
  for (const { size, length } of lines) lengths.set(size, (lengths.get(size) ?? 0) + length);
  let main = 0;
  for (const [size, length] of lengths) if (length > (lengths.get(main) ?? 0)) main = size;
  return main;
}

function edgeRow(
  lines: TextLine[],
  { page, size, height, all }: { page: number; size: number; height: number; all: readonly TextLine[] },
  inwards: 1 | -1,
): EdgeRow {
  const row = joinRow(lines);
  const text = lineText(row).trim();
  const words = text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
  const [first = '', last = ''] = [words[0], words.at(-1)];
  const label = isLabel(text, lines) || (inwards < 0 && isCalled(first, lines, all));
  // Notes begin with a number too, but are sentences.
  const isNote = inwards < 0 && words.length > 2 && /[.!?]["'”’»)]*$/.test(text);
  const numbers = text.length > LONGEST ? [] : (isNote ? [last] : [first, last]).flatMap(pageNumber);
  return {
    lines,
    text,
    baseline: row.baseline,
    label,
    numbers: label ? [] : numbers,
    size: row.size,
    page,
    apart: isShort(row, text, all, height) || isApart(row, lines, all, inwards),
    large: row.size > size * LARGE && /\p{L}/u.test(text),
  };
}

/** Lines of a text fill their column; what greets or announces belongs to what follows. */
function isShort({ box }: TextLine, text: string, all: readonly TextLine[], height: number): boolean {
  const widest = all.reduce((most, line) => Math.max(most, line.object ? 0 : line.box.width), 0);
  // The last page may have little text.
  return box.width < Math.max(widest * SHORT, height * NARROW) && !/[,:;]$/.test(text);
}

function isApart(row: TextLine, own: TextLine[], all: readonly TextLine[], inwards: 1 | -1): boolean {
  for (const line of all) {
    if (line.object || own.includes(line)) continue;
    const distance = (line.baseline - row.baseline) * inwards;
    if (distance > 0.3 * row.size && distance < APART * Math.max(line.size, row.size)) return false;
  }
  return true;
}

/** Words that stand before the number of a page. */
const PAGE_WORDS =
  /^(?:p|pg|page|pp|s|seite|p[áa]g|p[áa]gina|bl|blad|blatt|sida|side|sivu|oldal|str|strona|strana|стр|страница|σελ|σελίδα|sayfa)\.?$/iu;

/** "Chapter 3", "Invoice 3": a word and a number, which names what follows. Pages are counted otherwise. */
function isLabel(text: string, lines: readonly TextLine[]): boolean {
  const [word = '', number = '', ...more] = text.split(/\s+/);
  return (
    lines.length === 1 &&
    more.length === 0 &&
    /^\p{L}+[.:]?$/u.test(word) &&
    /^#?\d+[.:]?$/.test(number) &&
    !PAGE_WORDS.test(word)
  );
}

/** Whether the text of the page has this number raised, as what calls a note. */
function isCalled(number: string, own: readonly TextLine[], all: readonly TextLine[]): boolean {
  if (!/^\d{1,3}$/.test(number)) return false;
  return all.some(
    (line) =>
      !own.includes(line) &&
      line.words.some(
        ({ text, style, baseline }) =>
          text === number && style.size < line.size * RAISED_SIZE && baseline < line.baseline - 1,
      ),
  );
}

const RAISED_SIZE = 0.87;

function pageNumber(word: string): number[] {
  // "3." numbers a heading, not a page.
  if (/[.):]$/.test(word)) return [];
  const bare = word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');
  if (/^\d{1,5}$/.test(bare)) return [Number(bare)];
  return /^[ivxlc]{1,8}$/i.test(bare) ? [romanNumber(bare.toLowerCase())] : [];
}

/** What running titles said on pages of text, by which pages of images are known to have the same; numbers apart. */
export type RunningTitles = Set<string>;

/** The lines of this page that are header or footer, known by its neighbours. */
export function findHeadersAndFooters(
  edges: Edges,
  near: readonly Edges[],
  known: RunningTitles = new Set(),
): { header: TextLine[]; footer: TextLine[] } {
  const printed = browserRows(edges);
  if (printed) return printed;
  const all = [edges, ...near];
  // Pages that hold nothing else are not all header or footer; of pages of images, what says something of its own is not.
  if (all.every(({ between }) => between === 'nothing')) return { header: [], footer: [] };
  const hasText = all.some(({ between }) => between === 'text');
  const found = (['top', 'bottom'] as const).map((side) => {
    const rows = repeating(edges, near, side);
    if (hasText) return rows;
    const own = rows.findIndex((row) => !isPageNumber(row.text) && !known.has(shapeOf(row)));
    return own < 0 ? rows : rows.slice(0, own);
  });
  if (hasText) for (const row of found.flat()) known.add(shapeOf(row));
  const [header = [], footer = []] = found.map((rows) => rows.flatMap(({ lines }) => lines));
  return { header, footer };
}

/** On every page alike, whatever its neighbours have. */
function browserRows({ top, bottom }: Edges): { header: TextLine[]; footer: TextLine[] } | undefined {
  const is = isPrintedByBrowser(top[0], bottom[0]);
  if (!is.bottom) return undefined;
  return { header: is.top ? (top[0]?.lines ?? []) : [], footer: bottom[0]?.lines ?? [] };
}

const shapeOf = ({ text }: EdgeRow): string => text.replace(/\d+/g, '#');

function repeating(edges: Edges, near: readonly Edges[], side: 'top' | 'bottom'): EdgeRow[] {
  const found: EdgeRow[] = [];
  for (const row of edges[side]) {
    // From the outside in: behind the first row that is the page's own comes the text.
    const isAgain = near.some((page) =>
      page[side].some((other) => isSame(row, other) && (!row.large || isOnlyBeside(edges, row, other, page))),
    );
    if (!isAgain) break;
    found.push(row);
  }
  // The text begins with what it does not keep its distance from.
  const last = found.findLastIndex(({ apart }) => apart);
  return found.slice(0, last + 1);
}

/** Beside little text a title is large that beside the text of another page is not. */
const isOnlyBeside = (edges: Edges, row: EdgeRow, other: EdgeRow, page: Edges): boolean =>
  !other.large && Math.abs(row.size - other.size) < 0.3 && edges.amount < page.amount * LITTLE;

const LITTLE = 0.3;

/** "3", "Page 3 of 5", "- iv -", and nothing else. */
const isPageNumber = (text: string): boolean =>
  text
    .split(/[\s/|–—-]+/)
    .every(
      (word) => PAGE_WORDS.test(word) || /^(?:of|von|de|di|av|van|sur|из|\W*|\d+|[ivxlc]+)$/iu.test(word),
    );

function isSame(row: EdgeRow, other: EdgeRow): boolean {
  if (Math.abs(row.baseline - other.baseline) > SAME_PLACE) return false;
  // A number that counts with the pages is the page's, whatever title stands beside it.
  const ahead = other.page - row.page;
  if (row.numbers.some((number) => other.numbers.includes(number + ahead))) return true;
  // A bare number that does not count is no page number, but perhaps a cell.
  if (!/\p{L}/u.test(row.text)) return false;
  return row.text === other.text || (!row.label && differsByPage(row.text, other.text, ahead));
}

/** The same words, and one number that counts with the pages. */
function differsByPage(one: string, other: string, ahead: number): boolean {
  if (one.replace(/\d+/g, '#') !== other.replace(/\d+/g, '#')) return false;
  const numbers = one.match(/\d+/g) ?? [];
  const others = other.match(/\d+/g) ?? [];
  const different = numbers.flatMap((number, index) =>
    number === others[index] ? [] : [Number(others[index]) - Number(number)],
  );
  return different.length === 1 && different[0] === ahead;
}
