// Which blocks of a page stand side by side: found top down, the pair of columns with the most in them first.
import type { Block, Box } from '../../layout/model.ts';
import { bottomOf, rightOf } from './heights.ts';

/** Blocks that stand side by side, as columns from the left. */
export interface Split {
  columns: Node[][];
}

export type Node = Block | Split;

export const isSplit = (node: Node): node is Split => 'columns' in node && !('kind' in node);

/** Edges that overlap by less, in points, do not. */
const NEAR = 6;
/** What begins so far below a column does not stand beside it. */
const APART = 30;
/** How much of the lower of two columns stands beside the other at least. */
const BESIDE = 0.3;
const MAX_EDGES = 40;
const MAX_STARTS = 150;
const MAX_BLOCKS = 1500;
const MAX_DEPTH = 6;

/** Blocks in reading order. */
export function arrange(blocks: readonly Block[], depth = 0): Node[] {
  const found = depth < MAX_DEPTH && blocks.length <= MAX_BLOCKS ? bestPair(blocks) : undefined;
  if (!found) return [...blocks];
  const { from, at, to } = found;
  const sides = [blocks.slice(from, at), blocks.slice(at, to)].toSorted((a, b) => leftOf(a) - leftOf(b));
  const columns = sides.flatMap((side) => columnsOf(arrange(side, depth + 1)));
  return [...arrange(blocks.slice(0, from), depth + 1), { columns }, ...arrange(blocks.slice(to), depth + 1)];
}

/** What is nothing but columns is so many columns more. */
function columnsOf(nodes: Node[]): Node[][] {
  const [only] = nodes;
  return only && nodes.length === 1 && isSplit(only) ? only.columns : [nodes];
}

const leftOf = (blocks: readonly Block[]): number => Math.min(...blocks.map(({ box }) => box.x));

/** Blocks from `from` up to `at` stand beside those from there up to `to`. */
interface Pair {
  from: number;
  at: number;
  to: number;
  worth: number;
}

function bestPair(blocks: readonly Block[]): Pair | undefined {
  let best: Pair | undefined;
  let starts = 0;
  for (let at = 1; at < blocks.length && starts < MAX_STARTS; at += 1) {
    const [before, block] = [blocks[at - 1] as Block, blocks[at] as Block];
    if (block.box.y >= bottomOf(before.box) - 1 || !areApart(block.box, before.box)) continue;
    starts += 1;
    for (const pair of pairsAt(blocks, at)) if (!best || pair.worth > best.worth) best = pair;
  }
  return best;
}

const areApart = (a: Box, b: Box): boolean => rightOf(a) <= b.x + NEAR || rightOf(b) <= a.x + NEAR;

function pairsAt(blocks: readonly Block[], at: number): Pair[] {
  const [before, block] = [(blocks[at - 1] as Block).box, (blocks[at] as Block).box];
  const goesRight = rightOf(before) <= block.x + NEAR;
  const right = goesRight ? blocks.slice(at) : blocks.slice(0, at).toReversed();
  const edges = new Set(right.slice(0, MAX_EDGES).map(({ box }) => Math.round(box.x)));
  return [...edges].flatMap((edge) => pairAt(blocks, at, edge, goesRight) ?? []);
}

/** As many blocks as stand on either side of this place. */
function pairAt(blocks: readonly Block[], at: number, edge: number, goesRight: boolean): Pair | undefined {
  const isLeft = ({ box }: Block): boolean => rightOf(box) <= edge + NEAR;
  const isRight = ({ box }: Block): boolean => box.x >= edge - 1;
  const [isFirst, isSecond] = goesRight ? [isLeft, isRight] : [isRight, isLeft];
  let [from, to] = [at, at];
  while (from > 0 && isFirst(blocks[from - 1] as Block)) from -= 1;
  while (to < blocks.length && isSecond(blocks[to] as Block)) to += 1;
  if (from === at || to === at) return undefined;
  const top = Math.min(...blocks.slice(at, to).map(({ box }) => box.y));
  // What ends above both stands across them.
  while (from < at - 1 && bottomOf((blocks[from] as Block).box) <= top + 1) from += 1;
  const bottom = Math.max(...blocks.slice(from, at).map(({ box }) => bottomOf(box)));
  while (to > at + 1 && (blocks[to - 1] as Block).box.y > bottom + APART) to -= 1;
  const [first, second] = [extentOf(blocks.slice(from, at)), extentOf(blocks.slice(at, to))];
  const shared = Math.min(first.bottom, second.bottom) - Math.max(first.top, second.top);
  const lower = Math.min(first.bottom - first.top, second.bottom - second.top);
  if (shared < lower * BESIDE) return undefined;
  return { from, at, to, worth: Math.min(first.filled, second.filled) };
}

interface Extent {
  top: number;
  bottom: number;
  /** How much of its height is blocks. */
  filled: number;
}

function extentOf(blocks: readonly Block[]): Extent {
  let [top, bottom, filled] = [Infinity, -Infinity, 0];
  for (const { box } of blocks) {
    top = Math.min(top, box.y);
    bottom = Math.max(bottom, bottomOf(box));
    filled += box.height;
  }
  return { top, bottom, filled };
}
