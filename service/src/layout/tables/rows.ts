// Which lines of text make one row: a row may have several lines, where a cell's text did not fit on one.

import { median, type Word } from './areas.ts';
import { isFigure, plainText } from './grid.ts';
import type { TextLine } from './text-lines.ts';
import { hadRoom, widthOf } from './wrapped-lines.ts';

/** What a line has in the columns `from` to `to`. */
export interface PlacedText {
  from: number;
  to: number;
  words: Word[];
}

export interface PlacedLine {
  line: TextLine;
  cells: PlacedText[];
  /** A text over all columns that names the rows below it, as others in the table do. */
  isTitle?: boolean;
}

export type Row = PlacedLine[];

/** No cell has more lines than this. */
const MAX_ROW_LINES = 100;
/** Rows between two lines drawn across are one each, when most such bands have so few lines of text. */
const LINES_IN_RULED_ROW = 3;

export interface Rows {
  rows: Row[];
  headerRows: number;
}

/** `rules` are the heights of lines drawn across the whole table. */
export function groupRows(lines: readonly PlacedLine[], rules: readonly number[]): Rows {
  const bands = bandsOf(lines, rules);
  const head = headBands(bands);
  const body = bands.slice(head);
  const isRowEach =
    body.length >= 3 && median(body.map((band) => band.length)) <= LINES_IN_RULED_ROW && !hasTitles(bands);
  const headLines = bands.slice(0, head).flat();
  const unruledHead = head > 0 ? 0 : headLinesAtTop(lines);
  const headRows = head > 0 ? headerRowsOf(headLines) : headerRowsOf(lines.slice(0, unruledHead));
  const bodyLines = unruledHead > 0 ? bandsOf(lines.slice(unruledHead), rules) : body;
  const rowsOf: RowsOf = {
    isAnchored: hasAnchor(lines),
    columns: readColumns(bodyLines.flat(), bodyLines.length > 1),
  };
  const bodyRows = bodyLines.flatMap((band) =>
    isRowEach && !hasConflict(band) && !isGroup(band, rowsOf) ? [band] : splitBand(band, rowsOf),
  );
  return { rows: [...headRows, ...bodyRows], headerRows: headRows.length };
}

/** Lines above titles, or above and below them, part groups of rows. */
const hasTitles = (bands: readonly PlacedLine[][]): boolean =>
  bands.filter(([first]) => first?.isTitle).length >= bands.length * 0.4;

function bandsOf(lines: readonly PlacedLine[], rules: readonly number[]): PlacedLine[][] {
  const sorted = [...rules].sort((a, b) => a - b);
  const bands: PlacedLine[][] = [];
  let [band, last] = [0, -1];
  for (const placed of lines) {
    const middle = (placed.line.top + placed.line.bottom) / 2;
    while ((sorted[band] ?? Infinity) < middle) band += 1;
    if (band !== last) bands.push([]);
    last = band;
    bands.at(-1)?.push(placed);
  }
  return bands;
}

/** The first band is a head when a line is drawn under it and much more follows. */
function headBands(bands: readonly PlacedLine[][]): number {
  const [first, ...rest] = bands;
  const following = rest.reduce((sum, band) => sum + band.length, 0);
  if (!first || rest.length === 0 || (first[0]?.isTitle && first.length > 1)) return 0;
  return first.length <= 5 && following >= first.length ? 1 : 0;
}

const texts = (placed: PlacedLine): string[] => placed.cells.map(({ words }) => plainText(words));

const isBold = (placed: PlacedLine): boolean =>
  placed.cells.every(({ words }) => words.every(({ bold }) => bold));

/** Lines at the top that differ from those below: bold, or words over columns of figures. */
function headLinesAtTop(lines: readonly PlacedLine[]): number {
  const limit = Math.min(5, Math.floor(lines.length / 2));
  let bold = 0;
  while (bold < limit && isBold(lines[bold] as PlacedLine)) bold += 1;
  if (bold > 0 && lines.slice(bold).filter(isBold).length <= (lines.length - bold) / 3) return bold;
  const withFigures = lines.filter((each) => texts(each).some(isFigure)).length;
  if (withFigures < lines.length * 0.6) return 0;
  let plain = 0;
  while (plain < limit && !texts(lines[plain] as PlacedLine).some(isFigure)) plain += 1;
  return lines.slice(0, plain).some(({ cells }) => cells.length > 1) ? plain : 0;
}

/** Head lines are one row, unless one stands over several columns of the next. */
function headerRowsOf(lines: readonly PlacedLine[]): Row[] {
  const rows: Row[] = [];
  for (const placed of lines) {
    const before = rows.at(-1);
    const last = before?.at(-1);
    const isSplit =
      !before ||
      !last ||
      swallows(before, placed) ||
      placed.line.baseline - last.line.baseline > 2 * placed.line.size;
    if (isSplit) rows.push([placed]);
    else before.push(placed);
  }
  return rows;
}

/** Whether one text would take in several that stand apart on the other line. */
function swallows(row: Row, placed: PlacedLine): boolean {
  const over = (wide: PlacedText, texts: readonly PlacedText[]): boolean =>
    wide.to > wide.from && texts.filter(({ from, to }) => from <= wide.to && to >= wide.from).length > 1;
  return row.some(
    ({ cells }) =>
      cells.some((cell) => over(cell, placed.cells)) || placed.cells.some((cell) => over(cell, cells)),
  );
}

const columnsOf = (placed: PlacedLine): number[] =>
  placed.cells.flatMap(({ from, to }) => Array.from({ length: to - from + 1 }, (_, i) => from + i));

/**
 * Whether rows begin in the first column, or have figures: then a line without goes on with the row before. Lines
 * with one text only say nothing about it.
 */
function hasAnchor(lines: readonly PlacedLine[]): boolean {
  const full = lines.filter(({ cells }) => cells.length > 1);
  const anchored = full.filter((placed) => columnsOf(placed).includes(0) || texts(placed).some(isFigure));
  return anchored.length >= full.length * 0.6;
}

/** Two figures in one column are two rows. */
function conflicts(row: Row, placed: PlacedLine): boolean {
  return placed.cells.some(
    ({ from, words }) =>
      isFigure(plainText(words)) &&
      row.some(({ cells }) => cells.some((cell) => cell.from === from && isFigure(plainText(cell.words)))),
  );
}

const hasConflict = (band: Row): boolean =>
  band.length > MAX_ROW_LINES ||
  band.some((placed, i) => {
    const before = band.slice(0, i);
    return (conflicts(before, placed) && placed.cells.length > 1) || swallows(before, placed);
  });

/** What is known of all lines of a table's body. */
interface RowsOf {
  isAnchored: boolean;
  columns: ReadonlyMap<number, Column>;
}

interface Column {
  /** Of its widest line. */
  width: number;
  /** No line has more than one word. */
  isOfWords: boolean;
}

/** Where lines are drawn between rows, they tell rows. */
function readColumns(lines: readonly PlacedLine[], isRuled: boolean): Map<number, Column> {
  const columns = new Map<number, Column>();
  for (const { from, to, words } of lines.flatMap(({ cells }) => cells)) {
    if (from !== to) continue;
    const { width, isOfWords } = columns.get(from) ?? { width: 0, isOfWords: !isRuled };
    columns.set(from, {
      width: Math.max(width, widthOf(words)),
      isOfWords: isOfWords && words.filter(({ glued }) => !glued).length <= 1,
    });
  }
  return columns;
}

/** Whether some cell of the line begins another text: in a list of words each is a row. */
function beginsAnew(row: Row, placed: PlacedLine, columns: RowsOf['columns']): boolean {
  const pairs = placed.cells.flatMap(({ from, words }) => {
    const column = columns.get(from);
    const above = row.flatMap(({ cells }) => cells.filter((cell) => cell.from === from)).at(-1);
    return column && above ? [{ column, above: above.words, below: words }] : [];
  });
  return pairs.some(({ column, above, below }) => {
    // One text alone may have been broken before a part of its sentence.
    const isSentence =
      pairs.length === 1 && (/^[\p{Ll}(]/u.test(below[0]?.text ?? '') || isOpen(plainText(above)));
    return column.isOfWords || (!isSentence && hadRoom(above, below, column.width));
  });
}

/** A quotation or a bracket that is not closed. */
const isOpen = (text: string): boolean => /[“„«([][^”“»)\]]*$/u.test(text);

/** Lines may be drawn between groups of rows only: then lines of text begin anew in several columns at once. */
const isGroup = (band: readonly PlacedLine[], { columns }: RowsOf): boolean =>
  band.slice(1).some((placed, i) => {
    const before = band.slice(0, i + 1);
    const written = new Set(before.flatMap(columnsOf));
    return (
      placed.cells.filter(({ from }) => written.has(from)).length > 1 && beginsAnew(before, placed, columns)
    );
  });

function splitBand(band: readonly PlacedLine[], rowsOf: RowsOf): Row[] {
  const rows: Row[] = [];
  const gaps = band.slice(1).map((placed, i) => placed.line.baseline - (band[i]?.line.baseline ?? 0));
  const spacing = spacingOf(gaps);
  band.forEach((placed, i) => {
    const before = rows.at(-1);
    const gap = gaps[i - 1] ?? Infinity;
    if (before && goesOn(before, placed, gap, spacing, rowsOf)) before.push(placed);
    else rows.push([placed]);
  });
  return rows;
}

interface Spacing {
  /** Between lines of one row. */
  within: number;
  /** Whether rows stand apart more than their lines do. */
  isTold: boolean;
}

/** Where gaps are of two sorts, the narrow ones are inside rows. */
function spacingOf(gaps: readonly number[]): Spacing {
  const sorted = [...gaps].sort((a, b) => a - b);
  const within = sorted[Math.floor(sorted.length * 0.1)] ?? Infinity;
  const wide = sorted.filter((gap) => gap > within * 1.25).length;
  const narrow = sorted.filter((gap) => gap <= within * 1.12).length;
  return { within, isTold: wide >= 2 && narrow >= 2 && wide + narrow >= gaps.length * 0.8 };
}

function goesOn(
  row: Row,
  placed: PlacedLine,
  gap: number,
  spacing: Spacing,
  { isAnchored, columns: known }: RowsOf,
): boolean {
  if (row.length >= MAX_ROW_LINES) return false;
  const columns = columnsOf(placed);
  const rowColumns = new Set(row.flatMap(columnsOf));
  const { size } = placed.line;
  // Text in the middle of its cell's height beside a cell of two lines stands between their baselines.
  if (gap < size * 0.75) return !conflicts(row, placed);
  if (conflicts(row, placed) || swallows(row, placed)) return false;
  if (spacing.isTold && gap <= spacing.within * 1.12) {
    const isLess = placed.cells.length < (row[0]?.cells.length ?? 0) || rowColumns.size === 1;
    if (isLess && columns.every((column) => rowColumns.has(column))) return true;
  }
  if (spacing.isTold && gap > spacing.within * 1.6) return false;
  if (gap > size * 1.9) return false;
  if (beginsAnew(row, placed, known)) return false;
  const isLabelOnly = columns.length === 1 && columns[0] === 0;
  const rowIsLabelOnly = rowColumns.size === 1 && rowColumns.has(0);
  if (isLabelOnly) return goesOnInWords(row, placed);
  if (rowIsLabelOnly && columns[0] === 0) return startsSmall(placed) && isAnchored;
  if (!isAnchored || columns[0] === 0) return false;
  return placed.cells.every(({ from }) => rowColumns.has(from)) && !texts(placed).some(isFigure);
}

const firstWord = (placed: PlacedLine): string => placed.cells[0]?.words[0]?.text ?? '';
const startsSmall = (placed: PlacedLine): boolean => /^\p{Ll}/u.test(firstWord(placed));

/** Whether a label that stands alone is the rest of the label before it. */
function goesOnInWords(row: Row, placed: PlacedLine): boolean {
  if (startsSmall(placed)) return true;
  const before = row
    .map(({ cells }) => cells.find(({ from }) => from === 0))
    .findLast((cell) => cell !== undefined);
  const last = before?.words.at(-1)?.text ?? '';
  return /[-,(&/]$/.test(last) || /^(and|or|of|the|for|to|in|with|by)$/i.test(last);
}
