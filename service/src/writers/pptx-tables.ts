// Tables in DrawingML: every place of the grid has a cell, those that are spanned over say so.
import type { Flow, List, Paragraph, Table, TableCell } from '../layout/model.ts';
import { DRAWING, emu, hexColour } from './ooxml.ts';
import type { Paragraphed } from './pptx-shapes.ts';
import { paragraphsXml, type TextContext } from './pptx-text.ts';

const MARGIN = 2;
const MAX_DEPTH = 8;
const BORDER_WIDTH = 6350;

interface Place {
  cell: TableCell | undefined;
  /** Whether a cell to the left, or above, reaches here. */
  across: boolean;
  down: boolean;
  span: number;
  rows: number;
}

export function tableFrame(table: Table, context: TextContext): string {
  const edges = table.columnEdges;
  const widths = edges.slice(1).map((edge, i) => Math.max(1, emu((edge - (edges[i] ?? 0)) * context.fit)));
  const grid = placesOf(table, widths.length);
  const rows = table.rows.map(({ height }, r) => {
    const cells = (grid[r] ?? []).map((place) => cellXml(place, context));
    return `<a:tr h="${Math.max(1, emu(Math.max(1, height) * context.fit))}">${cells.join('')}</a:tr>`;
  });
  return (
    `<a:graphic><a:graphicData uri="${DRAWING.replace('/main', '/table')}"><a:tbl><a:tblPr${table.headerRows > 0 ? ' firstRow="1"' : ''}/>` +
    `<a:tblGrid>${widths.map((width) => `<a:gridCol w="${width}"/>`).join('')}</a:tblGrid>${rows.join('')}</a:tbl></a:graphicData></a:graphic>`
  );
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

function cellXml({ cell, across, down, span, rows }: Place, context: TextContext): string {
  const attributes = [
    span > 1 && !across ? ` gridSpan="${span}"` : '',
    rows > 1 && !down ? ` rowSpan="${rows}"` : '',
    across ? ' hMerge="1"' : '',
    down ? ' vMerge="1"' : '',
  ].join('');
  const content = cell ? paragraphsXml(flowsOf(cell.blocks, cell.align, 0), context) : '';
  return (
    `<a:tc${attributes}><a:txBody><a:bodyPr/><a:lstStyle/>${content === '' ? '<a:p><a:endParaRPr sz="100"/></a:p>' : content}</a:txBody>` +
    `<a:tcPr marL="${emu(MARGIN)}" marR="${emu(MARGIN)}" marT="0" marB="0">${cell ? linesXml(cell) : ''}` +
    `${cell?.fill ? `<a:solidFill><a:srgbClr val="${hexColour(cell.fill)}"/></a:solidFill>` : '<a:noFill/>'}</a:tcPr></a:tc>`
  );
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

function flowsOf(blocks: readonly (Paragraph | List)[], align: Flow['align'], depth: number): Paragraphed[] {
  return blocks.flatMap((block): Paragraphed[] => {
    if (block.kind === 'paragraph') return [{ ...block, align: align === 'left' ? block.align : align }];
    if (depth >= MAX_DEPTH) return [];
    return block.items.flatMap(({ marker, blocks: inner }) => {
      const kept = inner.filter((each) => each.kind === 'paragraph' || each.kind === 'list');
      return flowsOf(kept, align, depth + 1).map((flow, index) => (index === 0 ? { ...flow, marker } : flow));
    });
  });
}
