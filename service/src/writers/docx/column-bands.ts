// The blocks of a page as bands from the top, each of one or more columns. Running text in columns is set in columns;
// what else stands side by side, or does so within a column, is kept there by a table without lines.

import { boxAroundLines } from '../../layout/lines/rows.ts';
import type { Block, Box } from '../../layout/model.ts';
import { rightOf } from './heights.ts';
import { arrange, isSplit, type Node } from './side-by-side.ts';

export interface Column {
  /** Edges on the page. */
  left: number;
  right: number;
  /** In reading order. */
  items: Item[];
}

export interface Beside {
  kind: 'beside';
  box: Box;
  columns: Column[];
}

export type Item = Block | Beside;

export interface Band {
  /** As they are read: from the left, or from the right where most writing goes that way. */
  columns: Column[];
}

interface Edges {
  left: number;
  right: number;
}

/** Room that a column gets for letters wider than they were. */
const SLACK = 3;
const LEAST_GAP = 4;
/** Running text has so many lines, in blocks of which one has so many. */
const SOME_LINES = 5;
const LINES_OF_ONE = 3;
const MOST_COLUMNS = 6;

/** Blocks in reading order; the edges are those that text across the page keeps. */
export function splitIntoBands(
  blocks: readonly Block[],
  edges: Edges,
  direction: 'ltr' | 'rtl' = 'ltr',
): Band[] {
  const bands: Band[] = [];
  let open: Column | undefined;
  for (const node of arrange(blocks)) {
    if (isSplit(node) && isRunningText(node.columns)) {
      const columns = columnsOf(node.columns, edges);
      bands.push({ columns: direction === 'rtl' ? columns.toReversed() : columns });
      open = undefined;
      continue;
    }
    if (!open) {
      open = { ...edges, items: [] };
      bands.push({ columns: [open] });
    }
    open.items.push(itemOf(node, edges));
  }
  return bands;
}

function itemOf(node: Node, edges: Edges): Item {
  if (!isSplit(node)) return node;
  const columns = columnsOf(node.columns, edges);
  return { kind: 'beside', columns, box: boxAroundLines(columns.flatMap(({ items }) => items)) };
}

const isRunningText = (columns: readonly Node[][]): boolean =>
  columns.length <= MOST_COLUMNS && columns.every((nodes) => linesOf(nodes) >= SOME_LINES && hasLong(nodes));

const linesOf = (nodes: readonly Node[]): number =>
  nodes.reduce(
    (sum, node) => sum + (isSplit(node) ? Math.max(...node.columns.map(linesOf)) : ownLines(node)),
    0,
  );

const ownLines = (block: Block): number => {
  if (block.kind === 'list') return linesOf(block.items.flatMap(({ blocks }) => blocks));
  return 'lines' in block ? block.lines.length : 0;
};

const hasLong = (nodes: readonly Node[]): boolean =>
  nodes.some((node) => !isSplit(node) && ownLines(node) >= LINES_OF_ONE);

/** The first begins and the last ends where the text around them does. */
function columnsOf(columns: readonly Node[][], { left, right }: Edges): Column[] {
  const seen = columns.map((nodes) => ({ nodes, box: boxAroundLines(nodes.map(boxed)) }));
  seen.sort((a, b) => a.box.x - b.box.x);
  const made: Column[] = [];
  let from = Math.min(left, seen[0]?.box.x ?? left);
  for (const [i, { nodes, box }] of seen.entries()) {
    const next = seen[i + 1]?.box.x;
    const end = Math.max(rightOf(box), from + 1);
    const to =
      next === undefined
        ? Math.max(right, end)
        : end + Math.min(SLACK, Math.max(0, (next - end - LEAST_GAP) / 2));
    const edges = { left: from, right: to };
    made.push({ ...edges, items: nodes.map((node) => itemOf(node, edges)) });
    from = Math.max(next ?? to, to + LEAST_GAP);
  }
  return made;
}

const boxed = (node: Node): { box: Box } =>
  isSplit(node) ? { box: boxAroundLines(node.columns.flat().map(boxed)) } : node;
