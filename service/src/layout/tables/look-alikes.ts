// What stands in columns and is no table.

import { type Area, areaAround, holds, type Word } from './areas.ts';
import { columnCount, figurePart, type Grid, type GridCell, isFigure, plainText, rowCount } from './grid.ts';
import { readLines } from './text-lines.ts';

const LEADER = /(\.\s?){4,}|…{2,}|_{4,}/;
const PAGE_NUMBER = /^([0-9]{1,4}|[ivxlc]{1,7}|[A-Z]-?[0-9]{1,3})$/;

/** Titles with page numbers, with dots between or without. */
export function isContents(grid: Grid, written: readonly GridCell[]): boolean {
  const rows = rowCount(grid);
  const leaders = new Set(written.filter(({ words }) => LEADER.test(plainText(words))).map(({ row }) => row));
  // A table with lines may have dots in its cells, as those about contents do.
  if (leaders.size > rows * 0.3 && !(grid.ruled === 'rows' && hasHeads(grid, written))) return true;
  const last = columnCount(grid) - 1;
  if (last > 3) return false;
  const numbers = written.filter(({ column }) => column === last).map(({ words }) => plainText(words));
  if (hasHeads(grid, written)) return false;
  const pages = numbers.filter((text) => PAGE_NUMBER.test(text));
  if (numbers.length < 3 || pages.length < numbers.length * 0.8) return false;
  return isRising(pages.map(Number).filter(Number.isFinite)) && hasTitles(written, last);
}

/** Contents have no heads over their columns, or one that says "Page". */
function hasHeads(grid: Grid, written: readonly GridCell[]): boolean {
  const heads = written.filter(({ row }) => row === 0).map(({ words }) => plainText(words));
  return (
    grid.headerRows > 0 &&
    heads.length > 1 &&
    !heads.some((head) => PAGE_NUMBER.test(head) || /\b(pages?|seiten?|página|pagina)\b/i.test(head))
  );
}

const isRising = (values: readonly number[]): boolean =>
  values.slice(1).filter((value, i) => value >= (values[i] ?? 0)).length >= (values.length - 1) * 0.9;

/** Beside the page numbers there are only titles and their numbers. */
function hasTitles(written: readonly GridCell[], last: number): boolean {
  const others = written.filter(({ column }) => column !== last).map(({ words }) => plainText(words));
  const titles = others.filter((text) => /\p{L}{3}/u.test(text));
  return titles.length >= others.length * 0.45;
}

/** What items of lists begin with. */
export const MARKER =
  /^([•●○◦▪■□◆–—*❖➢✓·+o-]|\(?([0-9]{1,3}|[a-z]|[ivx]{1,5})[.):]{1,2}|\([0-9a-z]{1,3}\)|\[[^\]]{1,12}\])$/iu;

/** Characters, numbers or keys with a text after each; several such lists side by side too. */
export function isList(grid: Grid, written: readonly GridCell[]): boolean {
  for (let column = 0; column + 1 < columnCount(grid); column += 1) {
    const texts = written.filter((cell) => cell.column === column).map(({ words }) => plainText(words));
    if (texts.length === 0 || texts.filter((text) => MARKER.test(text)).length <= texts.length * 0.5)
      continue;
    const others = written.filter((cell) => cell.column !== column && !MARKER.test(plainText(cell.words)));
    if (figurePart(others) < 0.3) return true;
  }
  return isNumbered(grid, written);
}

/** The first column only counts: 1, 2, 3 or A, B, C. */
function isNumbered(grid: Grid, written: readonly GridCell[]): boolean {
  if (grid.ruled !== 'none') return false;
  const first = written.filter(({ column }) => column === 0);
  const counts = first.map(({ words }) => countOf(plainText(words)));
  const rising = counts.slice(1).filter((value, i) => value === (counts[i] ?? 0) + 1).length;
  if (rising < (counts.length - 1) * 0.6) return false;
  return columnCount(grid) === 2 || figurePart(written.filter(({ column }) => column > 0)) < 0.3;
}

const SECTION_NUMBER = /^[A-Z]?\d{0,3}(\.\d{1,3})+\.?$/;
const DEEP_SECTION = /\..*\.\d/;

/** Numbered headings under each other, or with a short line between. */
export function isNumberedHeadings(grid: Grid, written: readonly GridCell[]): boolean {
  if (grid.ruled !== 'none' || columnCount(grid) !== 2) return false;
  const first = written.filter(({ column }) => column === 0).map(({ words }) => plainText(words));
  const numbers = first.filter((text) => SECTION_NUMBER.test(text));
  return numbers.length >= first.length * 0.6 && numbers.some((text) => DEEP_SECTION.test(text));
}

const countOf = (text: string): number => (/^[A-Za-z]$/.test(text) ? text.charCodeAt(0) : Number(text));

/** Lines that begin in the middle of a sentence: columns of prose, an index, references. */
export function isRunningText(grid: Grid, written: readonly GridCell[]): boolean {
  if (figurePart(written) >= 0.4) return false;
  const columns = Array.from({ length: columnCount(grid) }, (_, column) =>
    textLines(written.filter((cell) => cell.column === column)),
  );
  const all = columns.flat();
  if (all.length < 6) return false;
  if (grid.ruled === 'none' && beginningSmall(all) > 0.3) return true;
  // Labels beside texts of several lines are a table.
  return columns.every((lines) => beginningSmall(lines) > 0.35);
}

const textLines = (cells: readonly GridCell[]): string[] =>
  cells
    .flatMap(({ words }) => readLines(words))
    .map(({ chunks }) => plainText(chunks.flatMap(({ words }) => words)))
    .filter((text) => /\p{L}{2}/u.test(text) && !isFigure(text));

/** Short texts such as "mm" or "prop alpha" are values, whatever letter they begin with. */
const beginningSmall = (lines: readonly string[]): number =>
  lines.filter((text) => /^[\p{Ll},;)]/u.test(text) && /\S\s+\S+\s+\S|,/u.test(text)).length /
  Math.max(1, lines.length);

const PAGES = '([0-9]{1,4}|[ivxlc]{1,7})';
const INDEX_ENTRY = new RegExp(`\\p{L}.*\\s${PAGES}([,–-]\\s?${PAGES})*,?$`, 'u');
const SEVERAL_PAGES = new RegExp(`\\s${PAGES},\\s${PAGES}`, 'u');

/** Catchwords with the pages they are on, in columns side by side. */
export function isIndex(grid: Grid, written: readonly GridCell[]): boolean {
  if (grid.ruled !== 'none' || figurePart(written) >= 0.25) return false;
  const lines = textLines(written);
  const entries = lines.filter((text) => INDEX_ENTRY.test(text));
  return (
    entries.length > lines.length * 0.4 &&
    entries.filter((text) => SEVERAL_PAGES.test(text)).length > entries.length * 0.1
  );
}

/** Some texts each in a frame of its own, the others beside or over them: fields and their labels. */
export function isForm(written: readonly GridCell[], frames: readonly Area[]): boolean {
  const framed = written.filter(({ words }) => frames.some((frame) => holds(frame, areaAround(words))));
  return framed.length >= 2 && framed.length >= written.length * 0.15 && framed.length < written.length * 0.7;
}

/** Writing from top to bottom, letter under letter. */
export function isVertical(written: readonly GridCell[]): boolean {
  const words = written.flatMap((cell) => cell.words);
  const single = words.filter(({ text }) =>
    /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]$/u.test(text),
  );
  return single.length > words.length * 0.6;
}

/** Program text and what programs print, unless it is long and mostly figures. */
export function isListing(grid: Grid, written: readonly GridCell[]): boolean {
  const words = written.flatMap((cell) => cell.words);
  if (words.filter(({ monospace }) => monospace).length <= words.length * 0.6) return false;
  return columnCount(grid) < 3 || rowCount(grid) < 4 || figurePart(written) < 0.5;
}

/** So many of the characters of programs, markup and drawings in letters are signs. */
const SIGNS = 0.15;

/** Letters of one width with many signs among them, on a page that is typewritten throughout too. */
export function isCodeOrDrawing(written: readonly GridCell[]): boolean {
  const words = written.flatMap((cell) => cell.words);
  if (words.filter(({ monospace }) => monospace).length <= words.length * 0.6) return false;
  const text = words.map((word) => word.text).join('');
  return text.replace(/[^|\\/_~^<>{}#&;%@=`"'’‘!]/gu, '').length > text.length * SIGNS;
}

/** What is typed at a console, and the numbers it gives to rows. */
const PROMPT = /^(>{1,3}|\$|%|#|\+|In|\[\d+,?\]|\[,\d+\]|[\w.-]+@[\w.-]+:\S*|[A-Z]:\\\S*>)$/;
/** Lines of one listing follow each other so closely, in parts of the letters' size; so many are looked at. */
const LISTING_STEP = 2.6;
const MOST_LISTING_LINES = 60;

/** What a console printed, figures in columns too: the lines of its letters begin with a prompt somewhere above. */
export function isPrinted(grid: Grid, written: readonly GridCell[], all: readonly Word[]): boolean {
  const own = written.flatMap((cell) => cell.words);
  if (own.filter(({ monospace }) => monospace).length <= own.length * 0.9) return false;
  const lines = readLines(all.filter(({ monospace, top }) => monospace && top < grid.area.bottom));
  let below: number | undefined;
  for (const line of lines.slice(-MOST_LISTING_LINES).reverse()) {
    if (below !== undefined && below - line.baseline > line.size * LISTING_STEP) return false;
    if (PROMPT.test(line.chunks[0]?.words[0]?.text ?? '')) return true;
    below = line.baseline;
  }
  return false;
}

/** "Name: value", as on letters and in forms. */
export function isLabelledValues(grid: Grid, written: readonly GridCell[]): boolean {
  if (columnCount(grid) > 4) return false;
  const labels = written.filter(({ words }) => /:$/.test(plainText(words)));
  return labels.length > written.length * 0.25;
}

/** "Name: value" in one cell after the other, without heads: what forms have between their lines. */
export function isSheetOfValues(grid: Grid, written: readonly GridCell[]): boolean {
  const labelled = written.filter(({ words }) => /^\p{L}[^:]{0,30}:\s\S/u.test(plainText(words)));
  return grid.headerRows === 0 && labelled.length > written.length * 0.25;
}

const EQUATION_NUMBER = /^\([A-Z]?\d[\d.]*[a-z]?\)$/;

/** Formulas, each with its number at the end of the line. */
export function isEquations(grid: Grid, written: readonly GridCell[]): boolean {
  const last = columnCount(grid) - 1;
  const numbers = written.filter(({ column }) => column === last).map(({ words }) => plainText(words));
  return last <= 2 && numbers.filter((text) => EQUATION_NUMBER.test(text)).length > numbers.length * 0.6;
}

/** What is drawn right above in curves is a chart, and this are the labels of its axes. */
export function isUnderCurves({ area }: Grid, curves: readonly Area[], size: number): boolean {
  const near = curves.filter(
    ({ left, right, top, bottom }) =>
      bottom > area.top - size * 3 && top < area.bottom && right > area.left && left < area.right,
  );
  return near.length >= MANY_CURVES;
}

const MANY_CURVES = 8;
