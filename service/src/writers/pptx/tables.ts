// Tables in DrawingML: every place of the grid has a cell, those that are spanned over say so. Text stands in its cell
// where it stood.
import type { Flow, Line, List, Paragraph, Table, TableCell } from '../../layout/model.ts';
import { sizeOf } from '../docx/heights.ts';
import type { Letters } from '../letters.ts';
import { DRAWING, emu, hexColour } from '../ooxml.ts';
import { boxAround, gapBetween, type SetParagraph, topOf, typesetText } from './set-text.ts';
import { paragraphsXml, type TextContext } from './text.ts';

const MAX_DEPTH = 8;
const BORDER_WIDTH = 6350;
/** Lines are no closer than this, in sizes. */
const CLOSEST = 0.95;
/** A marker that its text hangs behind is so far before it, in points. */
const LEAST_HANG = 3;
/** How much less than its cell text takes, in points. */
const TIGHT = 0.8;

interface Place {
  cell: TableCell | undefined;
  /** Whether a cell to the left, or above, reaches here. */
  across: boolean;
  down: boolean;
  span: number;
  rows: number;
}

export function tableFrame(given: Table, context: TextContext): string {
  const edges = edgesBetween(given);
  const table = { ...given, columnEdges: edges };
  const widths = edges.slice(1).map((edge, i) => Math.max(1, emu((edge - (edges[i] ?? 0)) * context.fit)));
  const grid = placesOf(table, widths.length);
  const tops = topsOf(table);
  const rows = table.rows.map(({ height }, r) => {
    const cells = (grid[r] ?? []).map((place) =>
      cellXml(place, table, [tops[r] ?? 0, tops[r + place.rows] ?? 0], context),
    );
    return `<a:tr h="${Math.max(1, emu(Math.max(1, height) * context.fit))}">${cells.join('')}</a:tr>`;
  });
  return (
    `<a:graphic><a:graphicData uri="${DRAWING.replace('/main', '/table')}"><a:tbl><a:tblPr${table.headerRows > 0 ? ' firstRow="1"' : ''}/>` +
    `<a:tblGrid>${widths.map((width) => `<a:gridCol w="${width}"/>`).join('')}</a:tblGrid>${rows.join('')}</a:tbl></a:graphicData></a:graphic>`
  );
}

/** Text that reaches over the edge of its column, where nothing stands beside it, is given the room. */
function edgesBetween({ columnEdges, rows }: Table): number[] {
  const last = columnEdges.length - 1;
  const [ends, begins] = [columnEdges.map(() => -Infinity), columnEdges.map(() => Infinity)];
  for (const { column, columnSpan, blocks } of rows.flatMap(({ cells }) => cells)) {
    const lines = flowsOf(blocks, 'left', 0).flatMap((flow) => flow.lines);
    if (lines.length === 0 || lines.some(({ turn }) => turn !== 0)) continue;
    const { x, width } = boxAround(lines);
    const end = Math.min(last, column + columnSpan);
    ends[end] = Math.max(ends[end] ?? -Infinity, x + width);
    begins[column] = Math.min(begins[column] ?? Infinity, x);
  }
  return columnEdges.map((edge, i) => {
    const [left, right] = [ends[i] ?? -Infinity, begins[i] ?? Infinity];
    const isCrossed = left > edge - 1 || right < edge - 1;
    return i > 0 && i < last && isCrossed && left < right - 1 && right < Infinity ? (left + right) / 2 : edge;
  });
}

/** Of each row, and where the last ends. */
function topsOf({ rows, box }: Table): number[] {
  const tops = [box.y];
  for (const { height } of rows) tops.push((tops.at(-1) ?? 0) + height);
  return tops;
}

function placesOf({ rows }: Table, columns: number): Place[][] {
  const empty = (): Place => ({ cell: undefined, across: false, down: false, span: 1, rows: 1 });
  const grid = rows.map(() => Array.from({ length: columns }, empty));
  rows.forEach(({ cells }, r) => {
    for (const cell of cells) {
      const span = Math.max(1, Math.min(cell.columnSpan, columns - cell.column));
      const deep = Math.max(1, Math.min(cell.rowSpan, rows.length - r));
      for (let y = 0; y < deep; y += 1)
        for (let x = 0; x < span; x += 1) {
          const place = grid[r + y]?.[cell.column + x];
          if (!place || place.cell || place.across || place.down) continue;
          Object.assign(place, { across: x > 0, down: y > 0 });
          if (x === 0 && y === 0) Object.assign(place, { cell, span, rows: deep });
          else if (x === 0) place.span = span;
          else if (y === 0) place.rows = deep;
        }
    }
  });
  return grid;
}

function cellXml(
  { cell, across, down, span, rows }: Place,
  table: Table,
  edges: readonly [top: number, bottom: number],
  context: TextContext,
): string {
  const attributes = [
    span > 1 && !across ? ` gridSpan="${span}"` : '',
    rows > 1 && !down ? ` rowSpan="${rows}"` : '',
    across ? ' hMerge="1"' : '',
    down ? ' vMerge="1"' : '',
  ].join('');
  const set = cell ? setCell(cell, table, edges, context.letters) : undefined;
  const content = set ? paragraphsXml(set.paragraphs, context) : '';
  const margin = (points: number): number => emu(Math.max(0, points) * context.fit);
  const { left, right, top, turned } = set ?? { left: 0, right: 0, top: 0, turned: '' };
  // Over several rows a margin would make the first of them higher.
  const place = rows > 1 ? ' anchor="ctr"' : '';
  return (
    `<a:tc${attributes}><a:txBody><a:bodyPr/><a:lstStyle/>${content === '' ? '<a:p><a:endParaRPr sz="100"/></a:p>' : content}</a:txBody>` +
    `<a:tcPr marL="${margin(left)}" marR="${margin(right)}" marT="${margin(rows > 1 ? 0 : top)}" marB="0"${turned}${place}>${cell ? linesXml(cell) : ''}` +
    `${cell?.fill ? `<a:solidFill><a:srgbClr val="${hexColour(cell.fill)}"/></a:solidFill>` : '<a:noFill/>'}</a:tcPr></a:tc>`
  );
}

interface SetCell {
  paragraphs: SetParagraph[];
  left: number;
  right: number;
  top: number;
  turned: string;
}

function setCell(
  cell: TableCell,
  { columnEdges }: Table,
  [top, bottom]: readonly [number, number],
  letters: Letters,
): SetCell | undefined {
  const flows = flowsOf(cell.blocks, cell.align, 0);
  const lines = flows.flatMap((flow) => flow.lines);
  const [first] = lines;
  if (!first) return undefined;
  const [from, to] = [columnEdges[cell.column] ?? 0, columnEdges[cell.column + cell.columnSpan] ?? 0];
  const around = boxAround(lines);
  if (first.turn !== 0) {
    const turned = first.turn < 0 || first.turn > 180 ? ' vert="vert270"' : ' vert="vert"';
    return {
      paragraphs: flows.flatMap((flow) => typesetText(flow, letters)?.paragraphs ?? []),
      left: 0,
      right: 0,
      top: 0,
      turned,
    };
  }
  // Lines that stand closer than letters of another font would are set as close.
  const closest = (bottom - top) / Math.max(1, lines.length);
  const isOutside = around.x < from - 2 || around.x + around.width > to + 2;
  // What nearly fits its cell would be broken by other programs.
  const most = Math.max(4, (isOutside ? to - from : to - Math.max(from, around.x)) - TIGHT);
  const paragraphs = flows.flatMap((flow, i) => {
    const set = typesetText(flow, letters, most);
    const above = flows[i - 1]?.lines.at(-1);
    return (set?.paragraphs ?? []).map((paragraph, k): SetParagraph => {
      const pitch = Math.max(CLOSEST * sizeOf(flow.lines), Math.min(paragraph.pitch, closest));
      const before =
        k === 0 && above && flow.lines[0] ? gapBetween(above, flow.lines[0], pitch) : paragraph.before;
      const left = set && cell.align === 'left' ? set.box.x - around.x + paragraph.left : 0;
      const hangs = left > LEAST_HANG;
      const marked =
        k === 0 && flow.marker !== undefined
          ? { marker: { text: flow.marker, hangs }, first: hangs ? -left : 0 }
          : {};
      return { ...paragraph, pitch, before, left: Math.max(0, left), ...marked };
    });
  });
  const isLeft = cell.align === 'left' && flows.some(({ align }) => align !== 'center');
  return {
    paragraphs,
    left: isOutside || !isLeft ? 0 : around.x - from,
    right: isOutside || cell.align !== 'right' ? 0 : to - around.x - around.width,
    top: topOf([first], paragraphs[0]?.pitch ?? 0) - top,
    turned: '',
  };
}

function linesXml({ borders }: TableCell): string {
  const line = (name: string, drawn: boolean): string =>
    drawn
      ? `<a:${name} w="${BORDER_WIDTH}"><a:solidFill><a:srgbClr val="000000"/></a:solidFill></a:${name}>`
      : `<a:${name} w="0"><a:noFill/></a:${name}>`;
  return (
    line('lnL', borders.left) +
    line('lnR', borders.right) +
    line('lnT', borders.top) +
    line('lnB', borders.bottom)
  );
}

interface CellFlow extends Flow {
  lines: Line[];
  marker?: string;
}

function flowsOf(blocks: readonly (Paragraph | List)[], align: Flow['align'], depth: number): CellFlow[] {
  return blocks.flatMap((block): CellFlow[] => {
    if (block.kind === 'paragraph')
      return block.lines.length === 0 ? [] : [{ ...block, align: align === 'left' ? block.align : align }];
    if (depth >= MAX_DEPTH) return [];
    return block.items.flatMap(({ marker, blocks: inner }) => {
      const kept = inner.filter((each) => each.kind === 'paragraph' || each.kind === 'list');
      return flowsOf(kept, align, depth + 1).map((flow, index) => (index === 0 ? { ...flow, marker } : flow));
    });
  });
}
