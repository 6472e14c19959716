// Where the blocks of a page stand beside one another: bands from the top, each of one or more columns.
import type { Block, Box } from '../layout/model.ts';
import { bottomOf, rightOf } from './docx-heights.ts';

export interface Column {
  /** Edges on the page. */
  left: number;
  right: number;
  /** In reading order. */
  blocks: Block[];
}

export interface Band {
  /** As they are read: from the left, or from the right where most writing goes that way. */
  columns: Column[];
}

/** Edges that overlap by less, in points, do not. */
const NEAR = 6;
/** What ends so far above a column does not stand beside it. */
const ABOVE = 40;
/** Room that a column gets for letters wider than they were. */
const SLACK = 3;
const LEAST_GAP = 4;
const MAX_COLUMNS = 12;
/** Lines set closely reach so far into one another, in points. */
const CROSSING = 2;

/** Blocks in reading order; `left` and `right` are the edges that text across the page keeps. */
export function bandsOf(
  blocks: readonly Block[],
  { left, right }: { left: number; right: number },
  direction: 'ltr' | 'rtl' = 'ltr',
): Band[] {
  const drafts: Block[][][] = [];
  for (const block of blocks) {
    const band = drafts.at(-1);
    const column = band?.at(-1);
    if (!band || !column) drafts.push([[block]]);
    else if (isBelow(block, column, band)) column.push(block);
    else if (!beginsColumn(block, band, drafts) && !goesBesidePart(block, band, drafts))
      drafts.push([[block]]);
  }
  return joined(drafts).map((columns) =>
    columns.length === 1
      ? { columns: [{ left, right, blocks: columns[0] ?? [] }] }
      : { columns: withEdges(columns, left, right, direction) },
  );
}

/** What follows under the last column, and in it. */
function isBelow({ box }: Block, column: readonly Block[], band: readonly Block[][]): boolean {
  const last = column.at(-1);
  if (!last || box.y < last.box.y) return false;
  const isUnder = box.y >= bottomOf(last.box) - Math.min(last.box.height, box.height) * 0.6;
  if (band.length === 1) return isUnder || !areApart(box, last.box);
  return (isUnder || !areApart(box, last.box)) && isWithin(box, column, band);
}

const areApart = (a: Box, b: Box): boolean => rightOf(a) <= b.x + NEAR || rightOf(b) <= a.x + NEAR;

/** Does not reach over into the columns before. */
const isWithin = (box: Box, column: readonly Block[], band: readonly Block[][]): boolean =>
  band.every((other) => other === column || other.every((block) => areApart(box, block.box)));

/** Adds a column to the last band, where the block stands beside it; true where it did. */
function beginsColumn(block: Block, band: Block[][], drafts: Block[][][]): boolean {
  if (band.length >= MAX_COLUMNS) return false;
  if (band.length > 1) {
    if (!isBeside(block, band.flat())) return false;
    band.push([block]);
    return true;
  }
  const column = band[0] ?? [];
  let from = column.length;
  while (from > 0) {
    const { box } = column[from - 1] as Block;
    if (!areApart(box, block.box) || bottomOf(box) < block.box.y - ABOVE) break;
    from -= 1;
  }
  const beside = column.slice(from);
  if (beside.length === 0 || !isBeside(block, beside)) return false;
  column.length = from;
  if (from === 0) drafts.pop();
  drafts.push([beside, [block]]);
  return true;
}

/**
 * A block that begins above the end of the band but reaches over its columns may stand beside the lower part of it: the
 * band is cut where nothing crosses.
 */
function goesBesidePart(block: Block, band: Block[][], drafts: Block[][][]): boolean {
  const all = band.flat();
  const cuts = [...new Set(all.map(({ box }) => box.y))]
    .filter((y) => y <= block.box.y + NEAR)
    .toSorted((a, b) => b - a);
  for (const cut of cuts) {
    if (all.some(({ box }) => box.y < cut - 1 && bottomOf(box) > cut + CROSSING)) continue;
    const part = (isLower: boolean): Block[][] =>
      band
        .map((column) => column.filter(({ box }) => box.y >= cut - 1 === isLower))
        .filter((column) => column.length > 0);
    const [upper, lower] = [part(false), part(true)];
    const last = lower.at(-1);
    if (upper.length === 0 || !last) continue;
    if (lower.length > 1 && isBelow(block, last, lower)) last.push(block);
    else if (isBeside(block, lower.flat())) lower.push([block]);
    else continue;
    drafts.pop();
    drafts.push(upper, lower);
    return true;
  }
  return false;
}

/** At the height of the others, and all of them on one side of it. */
function isBeside({ box }: Block, others: readonly Block[]): boolean {
  const top = Math.min(...others.map((other) => other.box.y));
  const bottom = Math.max(...others.map((other) => bottomOf(other.box)));
  if (box.y >= bottom || bottomOf(box) <= top) return false;
  return (
    others.every((other) => rightOf(other.box) <= box.x + NEAR) ||
    others.every((other) => rightOf(box) <= other.box.x + NEAR)
  );
}

/** Bands of one column that follow one another are one. */
function joined(drafts: readonly Block[][][]): Block[][][] {
  const bands: Block[][][] = [];
  for (const draft of drafts) {
    const last = bands.at(-1);
    if (last?.length === 1 && draft.length === 1) last[0]?.push(...(draft[0] ?? []));
    else bands.push(draft.map((column) => [...column]));
  }
  return bands;
}

/** The first begins and the last ends where text across the page does. */
function withEdges(
  columns: readonly Block[][],
  left: number,
  right: number,
  direction: 'ltr' | 'rtl',
): Column[] {
  const edges = columns.map((blocks) => ({
    blocks,
    left: Math.min(...blocks.map(({ box }) => box.x)),
    right: Math.max(...blocks.map(({ box }) => rightOf(box))),
  }));
  const seen = edges.toSorted((a, b) => a.left - b.left);
  for (const [i, column] of seen.entries()) {
    const next = seen[i + 1];
    if (i === 0) column.left = Math.min(left, column.left);
    if (!next) column.right = Math.max(right, column.right);
    else {
      column.right += Math.min(SLACK, Math.max(0, (next.left - column.right - LEAST_GAP) / 2));
      next.left = Math.max(next.left, column.right + LEAST_GAP);
    }
  }
  return direction === 'rtl' ? seen.toReversed() : seen;
}
