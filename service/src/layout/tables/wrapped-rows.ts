// Whether a line of text goes on with the row before it, because a cell's text did not fit on one line.
import { isFigure, plainText } from './grid.ts';
import {
  columnsOf,
  conflicts,
  lastIn,
  type PlacedLine,
  type PlacedText,
  type Row,
  swallows,
  texts,
} from './placed-lines.ts';
import { hadRoom, widthOf } from './wrapped-lines.ts';

/** No cell has more lines than this. */
export const MAX_ROW_LINES = 100;

/** What is known of all lines of a table's body. */
export interface Body {
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
export const readBody = (
  all: readonly PlacedLine[],
  body: readonly PlacedLine[],
  isRuled: boolean,
): Body => ({
  isAnchored: hasAnchor(all),
  columns: readColumns(body, isRuled),
});

/**
 * Whether rows begin in the first column, or have figures: then a line without goes on with the row before. Lines
 * with one text only say nothing about it.
 */
function hasAnchor(lines: readonly PlacedLine[]): boolean {
  const full = lines.filter(({ cells }) => cells.length > 1);
  const anchored = full.filter((placed) => columnsOf(placed).includes(0) || texts(placed).some(isFigure));
  return anchored.length >= full.length * 0.6;
}

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
function beginsAnew(row: Row, placed: PlacedLine, columns: Body['columns']): boolean {
  const pairs = placed.cells.flatMap(({ from, words }) => {
    const column = columns.get(from);
    const above = lastIn(row, from);
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
export const isGroup = (band: readonly PlacedLine[], { columns }: Body): boolean =>
  band.slice(1).some((placed, i) => {
    const before = band.slice(0, i + 1);
    const written = new Set(before.flatMap(columnsOf));
    return (
      placed.cells.filter(({ from }) => written.has(from)).length > 1 && beginsAnew(before, placed, columns)
    );
  });

export interface Spacing {
  /** Between lines of one row. */
  within: number;
  /** Whether rows stand apart more than their lines do. */
  isTold: boolean;
}

/** Where gaps are of two sorts, the narrow ones are inside rows. */
export function spacingOf(gaps: readonly number[]): Spacing {
  const sorted = [...gaps].sort((a, b) => a - b);
  const within = sorted[Math.floor(sorted.length * 0.1)] ?? Infinity;
  const wide = sorted.filter((gap) => gap > within * 1.25).length;
  const narrow = sorted.filter((gap) => gap <= within * 1.12).length;
  return { within, isTold: wide >= 2 && narrow >= 2 && wide + narrow >= gaps.length * 0.8 };
}

/** `gap` is that between the baselines of the line and the one before it. */
export function goesOn(row: Row, placed: PlacedLine, gap: number, spacing: Spacing, body: Body): boolean {
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
  if (beginsAnew(row, placed, body.columns)) return false;
  const isLabelOnly = columns.length === 1 && columns[0] === 0;
  const rowIsLabelOnly = rowColumns.size === 1 && rowColumns.has(0);
  if (isLabelOnly) return goesOnInWords(row, placed);
  if (rowIsLabelOnly && columns[0] === 0) return startsSmall(placed) && body.isAnchored;
  if (columns[0] === 0) return isRestOfAll(row, placed);
  return body.isAnchored && placed.cells.every((cell) => isRest(row, cell));
}

/** Figures go on with words only: "Rossi and Marchi" in one line, "(1999)" in the next. */
function isRest(row: Row, { from, words }: PlacedText): boolean {
  if (!isFigure(plainText(words))) return row.some((placed) => columnsOf(placed).includes(from));
  const above = lastIn(row, from);
  return above !== undefined && !isFigure(plainText(above.words));
}

/** The label goes on as well as the texts beside it, each in the middle of a word or sentence. */
const isRestOfAll = (row: Row, placed: PlacedLine): boolean =>
  placed.cells.length < (row[0]?.cells.length ?? 0) &&
  placed.cells.every(({ from, words }) => {
    const above = lastIn(row, from);
    return above !== undefined && /^\p{Ll}/u.test(words[0]?.text ?? '');
  });

const startsSmall = (placed: PlacedLine): boolean => /^\p{Ll}/u.test(placed.cells[0]?.words[0]?.text ?? '');

/** Whether a label that stands alone is the rest of the label before it. */
function goesOnInWords(row: Row, placed: PlacedLine): boolean {
  if (startsSmall(placed)) return true;
  const last = lastIn(row, 0)?.words.at(-1)?.text ?? '';
  return /[-,(&/]$/.test(last) || /^(and|or|of|the|for|to|in|with|by)$/i.test(last);
}
