// What stands in a cell of a table, and where in it.
import type { Flow, List, Paragraph, Table, TableCell } from '../../layout/model.ts';
import type { Letters } from '../letters.ts';
import { BORDER, CELL_MARGIN, flowHeight, flowTop, rightOf, type Tightness } from './heights.ts';
import { fitIndents, type Place } from './indents.ts';
import { hasGaps, splitRows } from './set-lines.ts';

/** A cell without its margins, on the page. */
export interface CellArea {
  left: number;
  width: number;
  top: number;
  height: number;
}

export interface SetParagraph {
  flow: Flow;
  place: Place;
}

/** How deep lists in cells are followed. */
const MAX_DEPTH = 8;
/** Text that stands in by less, in points, stands at the edge. */
const STANDS_IN = 3;
const NARROWEST = 8;

/** Where rows begin, from the top of their table, and where the last ends. */
const tops = new WeakMap<Table, readonly number[]>();

function topsOf(table: Table): readonly number[] {
  let known = tops.get(table);
  if (!known) {
    let top = 0;
    known = [
      0,
      ...table.rows.map(({ height }) => {
        top += height;
        return top;
      }),
    ];
    tops.set(table, known);
  }
  return known;
}

/** The area of a cell that begins in this row. */
export function areaOf(table: Table, row: number, cell: TableCell): CellArea {
  const { column, columnSpan, rowSpan } = cell;
  const { columnEdges, box } = table;
  const rowTops = topsOf(table);
  const from = rowTops[row] ?? 0;
  const to = rowTops[Math.min(row + rowSpan, rowTops.length - 1)] ?? from;
  const [left, right] = [columnEdges[column] ?? 0, columnEdges[column + columnSpan] ?? 0];
  return {
    left: left + CELL_MARGIN,
    width: Math.max(NARROWEST, right - left - 2 * CELL_MARGIN),
    top: box.y + from,
    height: to - from,
  };
}

/** The paragraphs of a cell, each as far from its edges as it stood. */
export function typesetCell(
  cell: TableCell,
  area: CellArea,
  tight: Tightness,
  letters: Letters,
): SetParagraph[] {
  let cursor = area.top;
  return flowsOf(cell.blocks, 0).map((flow) => {
    const aligned = {
      ...flow,
      align: hasGaps(flow) ? 'left' : cell.align === 'left' ? flow.align : cell.align,
    };
    const place = placeIn(aligned, area, letters);
    const height = setHeight({ flow: aligned, place }, tight, letters);
    // Only so far as the row has room for it.
    const free = Math.max(0, area.top + area.height - BORDER - cursor - height);
    place.before = Math.max(0, Math.min(flowTop(flow) - cursor, free)) * tight.space;
    cursor += place.before + height;
    return { flow: aligned, place };
  });
}

export const setHeight = ({ flow, place }: SetParagraph, tight: Tightness, letters: Letters): number =>
  flowHeight(flow, place.columnWidth - place.left - place.right, tight, letters, place);

function placeIn(flow: Flow, { left, width }: CellArea, letters: Letters): Place {
  const place: Place = {
    before: 0,
    left: 0,
    right: 0,
    firstLine: 0,
    align: flow.align,
    columnWidth: width,
    columnLeft: left,
  };
  const { lines } = flow;
  if (lines.length === 0 || lines.some(({ turn }) => turn !== 0)) return place;
  if (flow.align === 'center' || flow.direction === 'rtl') return place;
  const from = Math.min(...lines.map(({ box }) => box.x)) - left;
  const to = left + width - Math.max(...lines.map(({ box }) => rightOf(box)));
  if (flow.align === 'right') {
    const room = width - letters.lengthOf(flow.runs) - 1;
    return { ...place, right: to > STANDS_IN ? Math.max(0, Math.min(to, room)) : 0 };
  }
  const wanted = from > STANDS_IN && from < width * 0.8 ? from : 0;
  if (lines.length === 1) return { ...place, ...fitIndents(flow, wanted, width, letters) };
  return { ...place, left: wanted };
}

/** Lists in cells are paragraphs with their markers. */
function flowsOf(blocks: readonly (Paragraph | List)[], depth: number): Flow[] {
  return blocks.flatMap((block): Flow[] => {
    if (block.kind === 'paragraph') return splitRows(block);
    if (depth >= MAX_DEPTH) return [];
    return block.items.flatMap(({ marker, blocks: inner }) => {
      const flows = flowsOf(
        inner.filter((each) => each.kind === 'paragraph' || each.kind === 'list'),
        depth + 1,
      );
      const [first, ...rest] = flows;
      const style = first?.runs[0]?.style;
      if (!first || !style) return flows;
      return [{ ...first, runs: [{ text: `${marker} `, style }, ...first.runs] }, ...rest];
    });
  });
}
