// A table told by alignment: columns by white space, rows by baselines and lines drawn across.

import { type Area, areaAround, median } from './areas.ts';
import { findUnspacedStrips, findWhiteStrips, type Gap } from './columns.ts';
import type { Grid, GridCell } from './grid.ts';
import { placeWords } from './place-words.ts';
import type { PlacedLine, PlacedText, Row } from './placed-lines.ts';
import { groupRows } from './rows.ts';
import type { Ruling } from './rulings.ts';
import { readLines, type TextLine } from './text-lines.ts';

/** White space between columns, in parts of the letters' size. */
const COLUMN_GAP = 0.6;
/** Heads over several columns, and rows that are one text, may write over the space between columns. */
const CROSSING_PART = 0.2;

export interface TextGridOptions {
  /** Level lines in the region. */
  rules: readonly Ruling[];
  /** The region's width as drawn, where lines tell it. */
  area?: Area;
  /** Rows told by their colour. */
  bands?: readonly Area[];
}

export function textGrid(
  lines: readonly TextLine[],
  { rules, area, bands = [] }: TextGridOptions,
): Grid | undefined {
  if (lines.length < 2) return undefined;
  const bounds = area ?? areaAround(lines);
  const across = rules.filter(({ from, to }) => to - from >= (bounds.right - bounds.left) * 0.7);
  const strips = columnStrips(lines, across.length >= 2);
  if (strips.length === 0) return undefined;
  const placed = withTitles(
    lines.map((line) => ({ line, cells: placeWords(line, strips) })),
    bounds,
    strips.length,
  );
  const { rows, headerRows } = groupRows(placed, [
    ...across.map(({ at }) => at),
    ...bands.flatMap(({ top, bottom }) => [top, bottom]),
  ]);
  if (rows.length < 2) return undefined;
  return {
    area: bounds,
    columnEdges: [bounds.left, ...strips.map(({ from, to }) => (from + to) / 2), bounds.right],
    rowEdges: rowEdges(rows, bounds),
    cells: cellsOf(rows, strips.length + 1, headerRows, rules, strips),
    ruled: across.length >= 2 ? 'rows' : 'none',
    headerRows,
  };
}

/** Texts alone in the middle of the table's width, where their column has none else, stand over all columns. */
function withTitles(lines: readonly PlacedLine[], { left, right }: Area, last: number): PlacedLine[] {
  const middle = (left + right) / 2;
  const full = lines.filter(({ cells }) => cells.length > 1);
  const isTitle = ({ line, cells }: PlacedLine): boolean => {
    const [text, ...more] = cells;
    if (!text || more.length > 0 || Math.abs((line.left + line.right) / 2 - middle) > line.size) return false;
    const column = full.flatMap((other) => other.cells.filter(({ from }) => from === text.from));
    const alike = column.filter(({ words }) => {
      const area = areaAround(words);
      return (
        Math.abs(area.left - line.left) < line.size ||
        Math.abs((area.left + area.right) / 2 - middle) < line.size
      );
    });
    return alike.length <= column.length * 0.3;
  };
  const titles = new Set(lines.filter(isTitle));
  if (titles.size < 2) return [...lines];
  return lines.map((placed) =>
    titles.has(placed)
      ? {
          line: placed.line,
          cells: [{ from: 0, to: last, words: placed.cells.flatMap(({ words }) => words) }],
          isTitle: true,
        }
      : placed,
  );
}

/** Between lines, columns may be written in by few rows. */
export function columnStrips(lines: readonly TextLine[], isRuled = false): Gap[] {
  const size = median(lines.map((line) => line.size));
  const written = lines.filter(({ chunks }) => chunks.length > 1);
  if (written.length < 2) return [];
  // Chunks at word gaps of less than a column gap: strips may be narrower than what parts chunks elsewhere.
  const fine = written.flatMap((line) =>
    readLines(
      line.chunks.flatMap(({ words }) => words),
      0.45,
    ),
  );
  const [least, support] = [COLUMN_GAP * size, Math.max(2, Math.ceil(fine.length * 0.12))];
  const crossing = Math.floor(fine.length * CROSSING_PART);
  const most = findWhiteStrips(fine, { crossing, least, support });
  // A first column that few rows write in, names of groups, is told by what no row writes over.
  const [first] = most;
  const names = first && isRuled ? findWhiteStrips(fine, { crossing: 0, least, support }) : [];
  const white = [...names.filter(({ to }) => to + size < (first?.from ?? 0)), ...most];
  const narrow = findUnspacedStrips(written).filter(
    ({ from, to }) => !white.some((strip) => strip.from < to + 1 && strip.to > from - 1),
  );
  return [...white, ...narrow].sort((a, b) => a.from - b.from);
}

function rowEdges(rows: readonly Row[], area: Area): number[] {
  const spans = rows.map((row) => areaAround(row.map(({ line }) => line)));
  const between = spans.slice(1).map((span, i) => ((spans[i]?.bottom ?? span.top) + span.top) / 2);
  return [
    Math.min(area.top, spans[0]?.top ?? 0),
    ...between,
    Math.max(area.bottom, spans.at(-1)?.bottom ?? 0),
  ];
}

function cellsOf(
  rows: readonly Row[],
  columns: number,
  headerRows: number,
  rules: readonly Ruling[],
  strips: readonly Gap[],
): GridCell[] {
  return rows.flatMap((row, index) => {
    const spans = spansOf(row, index < headerRows ? headSpan(rules, strips, columns) : undefined);
    const cells: GridCell[] = [];
    for (let column = 0; column < columns; ) {
      const span = spans.find(({ from }) => from === column);
      const columnSpan = span ? span.to - span.from + 1 : 1;
      cells.push({ row: index, column, rowSpan: 1, columnSpan, words: span?.words ?? [] });
      column += columnSpan;
    }
    return cells;
  });
}

type Widen = (placed: PlacedLine, text: PlacedText) => PlacedText;

/** The texts of a row's lines, one per cell. */
function spansOf(row: Row, widen: Widen | undefined): PlacedText[] {
  const all = row.flatMap((placed) => placed.cells.map((cell) => (widen ? widen(placed, cell) : cell)));
  all.sort((a, b) => a.from - b.from);
  const joined: PlacedText[] = [];
  for (const text of all) {
    const last = joined.at(-1);
    if (last && text.from <= last.to) {
      last.to = Math.max(last.to, text.to);
      last.words.push(...text.words);
    } else joined.push({ ...text, words: [...text.words] });
  }
  return joined;
}

/** A head with a line of its own under it stands over the columns that line covers. */
function headSpan(rules: readonly Ruling[], strips: readonly Gap[], columns: number): Widen {
  return (placed, text) => {
    const { left, right } = areaAround(text.words);
    const under = rules.find(
      ({ at, from, to }) =>
        at > placed.line.baseline - 1 &&
        at < placed.line.bottom + placed.line.size * 0.7 &&
        from < left + 2 &&
        to > right - 2,
    );
    if (!under) return text;
    const isOthers = placed.cells.some((cell) => {
      const area = areaAround(cell.words);
      return cell !== text && area.left < under.to && area.right > under.from;
    });
    if (isOthers) return text;
    const from = strips.filter((strip) => strip.to <= under.from + 3).length;
    const to = strips.filter((strip) => strip.from < under.to - 3).length;
    return { ...text, from: Math.min(from, text.from), to: Math.min(columns - 1, Math.max(to, text.to)) };
  };
}
