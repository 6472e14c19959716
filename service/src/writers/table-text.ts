// The cells of a table as plain text, in rows of equal length: a cell over several places is written in the first.
import type { Block, ListItem, Run, Table, TableCell } from '../layout/model.ts';

export function tableText(table: Table): string[][] {
  const columns = table.columnEdges.length - 1;
  return table.rows.map(({ cells }) => {
    const row = Array<string>(columns).fill('');
    for (const cell of cells) if (cell.column < columns) row[cell.column] = cellText(cell);
    return row;
  });
}

export const cellText = (cell: TableCell): string => cell.blocks.map(blockText).join('\n').trim();

const runsText = (runs: readonly Run[]): string => runs.map(({ text }) => text).join('');

function blockText(block: Block): string {
  if (block.kind === 'paragraph' || block.kind === 'heading') return runsText(block.runs);
  if (block.kind === 'list') return block.items.map(itemText).join('\n');
  return '';
}

const itemText = ({ marker, blocks }: ListItem): string => `${marker} ${blocks.map(blockText).join('\n')}`;
