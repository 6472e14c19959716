// From what is drawn in a formula to how it is built, by rule: the order is that in which TeX and its like put formulas
// together. What no rule explains is unclear, and nothing is guessed.
//
//   const rows = parseFormula(elements, bars);     // throws `Unclear`
import { attachAccents, attachLimits } from './accents-and-limits.ts';
import { composeBars, mainLine } from './bars.ts';
import { composeFences } from './fences.ts';
import { type MathNode, Unclear } from './formula.ts';
import { joinNames } from './names.ts';
import { joinOverlaid, joinPieces } from './pieces.ts';
import { parseRow } from './rows.ts';
import { around, type Bar, type Element, type Extent, isSign } from './signs.ts';

/** Larger formulas are not taken apart: each step looks at all pairs. */
export const MAX_ELEMENTS = 600;
const MAX_DEPTH = 24;

export interface ParsedRow {
  node: MathNode;
  extent: Extent;
  /** y of the line it stands on. */
  level: number;
}

/** A displayed formula may have several rows, one below the other. */
export function parseFormula(elements: readonly Element[], bars: readonly Bar[]): ParsedRow[] {
  if (elements.length === 0 || elements.length > MAX_ELEMENTS || bars.length > MAX_ELEMENTS)
    throw new Unclear('nothing, or too much');
  const parser = new Parser();
  const parts = parser.compose(joinPieces(elements), bars);
  return rowsOf(parts).map((row) => ({
    node: parser.row(row),
    extent: around(row),
    level: mainLine(row).level,
  }));
}

class Parser {
  private depth = 0;

  /** Bars first, then what grows around something, then what stands over and under signs. */
  compose(elements: readonly Element[], bars: readonly Bar[]): Element[] {
    const named = joinNames(joinOverlaid(elements));
    const parse = (parts: readonly Element[]): MathNode => this.block(parts);
    const accented = attachAccents(named, parse);
    const barred = composeBars(accented, bars, parse);
    const limited = attachLimits(barred, parse);
    return composeFences(limited, parse);
  }

  /** What is already composed of bars: parts of fractions, roots, delimiters. */
  block(elements: readonly Element[]): MathNode {
    this.depth += 1;
    if (this.depth > MAX_DEPTH) throw new Unclear('nested too deeply');
    try {
      const parse = (parts: readonly Element[]): MathNode => this.block(parts);
      const parts = composeFences(attachLimits(elements, parse), parse);
      const rows = rowsOf(parts);
      if (rows.length === 1) return this.row(parts);
      return { kind: 'matrix', rows: cellsOf(rows).map((cells) => cells.map((cell) => this.cell(cell))) };
    } finally {
      this.depth -= 1;
    }
  }

  row(parts: readonly Element[]): MathNode {
    return parseRow(parts, (inner) => this.block(inner));
  }

  private cell(parts: readonly Element[]): MathNode {
    return parts.length === 0 ? { kind: 'row', items: [] } : this.row(parts);
  }
}

/** Lines of full size are further apart than this part of the size. */
const ROW_STEP = 0.7;

/** Rows one below the other, each with its raised and lowered letters. */
function rowsOf(parts: readonly Element[]): Element[][] {
  const { size } = mainLine(parts);
  const full = parts.filter((part) => part.size > size * 0.88).sort((a, b) => lineOf(a) - lineOf(b));
  const rows: Element[][] = [];
  let level = -Infinity;
  for (const part of full) {
    const own = lineOf(part);
    const last = rows.at(-1);
    if (!last || own - level > size * ROW_STEP) rows.push([part]);
    else last.push(part);
    level = last && own - level <= size * ROW_STEP ? level : own;
  }
  if (rows.length < 2) return [[...parts]];
  const merged = mergeOverlapping(rows);
  if (merged.length < 2) return [[...parts]];
  const extents = merged.map((row) => around(row));
  for (const part of parts) {
    if (full.includes(part)) continue;
    const distances = extents.map(({ top, bottom }) => Math.max(top - part.bottom, part.top - bottom));
    const nearest = distances.indexOf(Math.min(...distances));
    merged[nearest]?.push(part);
  }
  return merged;
}

const lineOf = (part: Element): number => (part.centred ? part.level + part.size * 0.25 : part.level);

/** Rows that reach into each other by much are one. */
function mergeOverlapping(rows: readonly Element[][]): Element[][] {
  const merged: Element[][] = [];
  for (const row of rows) {
    const last = merged.at(-1);
    const shared = last ? around(last).bottom - around(row).top : 0;
    const size = row[0]?.size ?? 10;
    if (last && shared > size * 0.5) last.push(...row);
    else merged.push([...row]);
  }
  return merged;
}

/** Columns are parted by a gap that goes through all rows. */
const COLUMN_GAP = 0.55;

function cellsOf(rows: readonly Element[][]): Element[][][] {
  const all = rows.flat().sort((a, b) => a.left - b.left);
  const size = Math.max(...all.map((part) => part.size));
  const edges: number[] = [];
  let reach = -Infinity;
  for (const part of all) {
    if (reach > -Infinity && part.begin - reach > size * COLUMN_GAP && !isPunctuation(part))
      edges.push((reach + part.begin) / 2);
    reach = Math.max(reach, part.end);
  }
  return rows.map((row) => {
    const cells: Element[][] = Array.from({ length: edges.length + 1 }, () => []);
    for (const part of row) cells[edges.findLastIndex((edge) => edge < part.left) + 1]?.push(part);
    return cells;
  });
}

const isPunctuation = (part: Element): boolean => isSign(part, ',') || isSign(part, '.');
