// The cells of a table as plain text, in rows of equal length: a cell over several places is written in the first.
import { runsText } from '../layout/lines/runs.ts';
import type { Block, ListItem, Table, TableCell } from '../layout/model.ts';

export interface TableText {
  rows: string[][];
  /** Places that one cell covers. */
  spans: { row: number; column: number; rowSpan: number; columnSpan: number }[];
  /** The first column stands at the right. */
  isRightToLeft: boolean;
}

/** Columns in the order they are read. */
export function tableText(table: Table): TableText {
  const columns = table.columnEdges.length - 1;
  const isRightToLeft = readsToLeft(table);
  const spans: TableText['spans'] = [];
  const rows = table.rows.map(({ cells }, index) => {
    const row = Array<string>(columns).fill('');
    for (const cell of cells) {
      const { rowSpan, columnSpan } = cell;
      const column = isRightToLeft ? columns - cell.column - columnSpan : cell.column;
      if (column < 0 || column >= columns) continue;
      row[column] = cellText(cell);
      if (rowSpan * columnSpan > 1) spans.push({ row: index, column, rowSpan, columnSpan });
    }
    return row;
  });
  return { rows, spans, isRightToLeft };
}

/** Whether most of what is written runs from right to left. */
function readsToLeft(table: Table): boolean {
  let [toLeft, all] = [0, 0];
  for (const { cells } of table.rows) {
    for (const { blocks } of cells) {
      for (const block of blocks) {
        if (block.kind !== 'paragraph' || !/\p{L}/u.test(runsText(block.runs))) continue;
        all += 1;
        if (block.direction === 'rtl') toLeft += 1;
      }
    }
  }
  return toLeft > all / 2;
}

const cellText = (cell: TableCell): string => cell.blocks.map(blockText).join('\n').trim();

function blockText(block: Block): string {
  if (block.kind === 'paragraph' || block.kind === 'heading') return runsText(block.runs);
  if (block.kind === 'list') return block.items.map(itemText).join('\n');
  return '';
}

const itemText = ({ marker, blocks }: ListItem): string => `${marker} ${blocks.map(blockText).join('\n')}`;
