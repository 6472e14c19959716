// Where the cells of a tagged table come to lie, as readers place them: each in the first free column of its row.
import type { PdfDocument } from '../../document.ts';
import { Dict, type PdfValue } from '../../objects.ts';
import { GROUPING_TYPES } from './tags.ts';

export interface TableElement {
  dict: Dict;
  standardType: string;
  kids: TableElement[];
  where: string;
}

export interface PlacedCell {
  cell: TableElement;
  row: number;
  column: number;
  tall: number;
  wide: number;
}

/** What keeps cells from filling the grid that the first row and the first column lay out. */
export type Irregularity = 'overlap' | 'row too wide' | 'row too narrow' | 'column too tall';

export interface Grid {
  rows: number;
  columns: number;
  cells: PlacedCell[];
  /** The first that is met; placing ends there. */
  irregularity: Irregularity | undefined;
  /** The cell that covers a place. */
  at(row: number, column: number): PlacedCell | undefined;
}

const MAX_SPAN = 10_000;
/** Tables that claim more are not placed. */
const MAX_PLACES = 1_000_000;

interface Row {
  cells: TableElement[];
  group: TableElement | undefined;
}

/** `groupsHold`: cells may not reach out of the THead, TBody or TFoot they stand in. */
export function gridOf(table: TableElement, doc: PdfDocument, { groupsHold = false } = {}): Grid {
  const rows = rowsOf(table);
  const spans = (cell: TableElement) => ({
    tall: span(doc, cell, 'RowSpan'),
    wide: span(doc, cell, 'ColSpan'),
  });
  const columns = (rows[0]?.cells ?? []).reduce((sum, cell) => sum + spans(cell).wide, 0);
  const height = heightOf(rows, (cell) => spans(cell).tall);
  const taken = new Map<number, PlacedCell>();
  const cells: PlacedCell[] = [];
  const grid = (irregularity?: Irregularity): Grid => ({
    rows: height,
    columns,
    cells,
    irregularity,
    at: (row, column) => taken.get(row * columns + column),
  });
  if (height * columns > MAX_PLACES) return grid();
  for (const [row, { cells: listed, group }] of rows.entries()) {
    let column = 0;
    for (const cell of listed) {
      while (column < columns && taken.has(row * columns + column)) column += 1;
      const placed = { cell, row, column, ...spans(cell) };
      if (column + placed.wide > columns) return grid('row too wide');
      if (row + placed.tall > height) return grid('column too tall');
      if (groupsHold && reachesOut(rows, placed, group)) return grid('column too tall');
      cells.push(placed);
      for (let down = row; down < row + placed.tall; down += 1)
        for (let along = column; along < column + placed.wide; along += 1) {
          if (taken.has(down * columns + along)) return grid('overlap');
          taken.set(down * columns + along, placed);
        }
      column += placed.wide;
    }
  }
  return grid(taken.size < height * columns ? 'row too narrow' : undefined);
}

const reachesOut = (rows: readonly Row[], { row, tall }: PlacedCell, group: TableElement | undefined) =>
  rows.slice(row, row + tall).some((each) => each.group !== group);

/** The cells of the first column tell how many rows there are. */
function heightOf(rows: readonly Row[], tallOf: (cell: TableElement) => number): number {
  let height = 0;
  for (let row = 0; row < rows.length; row += 1) {
    const first = rows[row]?.cells[0];
    if (!first) continue;
    height += tallOf(first);
    row += tallOf(first) - 1;
  }
  return height;
}

/** What stands in an element, past what only groups. */
const kidsOf = ({ kids }: TableElement): TableElement[] =>
  kids.flatMap((kid) => (GROUPING_TYPES.has(kid.standardType) ? kidsOf(kid) : [kid]));

function rowsOf(table: TableElement): Row[] {
  const row = (each: TableElement, group?: TableElement): Row => ({
    cells: kidsOf(each).filter(({ standardType }) => standardType === 'TH' || standardType === 'TD'),
    group,
  });
  return kidsOf(table).flatMap((kid) => {
    if (kid.standardType === 'TR') return [row(kid)];
    if (!/^T(?:Head|Body|Foot)$/.test(kid.standardType)) return [];
    return kidsOf(kid)
      .filter(({ standardType }) => standardType === 'TR')
      .map((each) => row(each, kid));
  });
}

function span(doc: PdfDocument, cell: TableElement, key: string): number {
  const stated = doc.number(tableAttribute(doc, cell.dict, key)) ?? 1;
  return Math.max(0, Math.min(MAX_SPAN, Math.trunc(stated)));
}

/** An attribute of the owner Table, of the element itself or of the classes it names. */
export function tableAttribute(doc: PdfDocument, dict: Dict, key: string): PdfValue | undefined {
  const root = doc.dict(doc.catalog.get('StructTreeRoot'));
  const classes = doc.dict(root?.get('ClassMap'));
  const named = listed(doc, dict.get('C')).flatMap((each) => {
    const name = doc.name(each);
    return name === undefined ? [] : listed(doc, classes?.get(name));
  });
  for (const each of [...listed(doc, dict.get('A')), ...named]) {
    const attributes = doc.dict(each);
    if (attributes instanceof Dict && doc.name(attributes.get('O')) === 'Table' && attributes.has(key))
      return attributes.get(key);
  }
  return undefined;
}

const listed = (doc: PdfDocument, value: PdfValue | undefined): readonly PdfValue[] =>
  doc.array(value) ?? (value === undefined ? [] : [value]);
