// Blocks laid one below the other in their columns, at the tightness that is asked for.
import type { Block, Heading, List, ListItem, Paragraph } from '../../layout/model.ts';
import type { Letters } from '../letters.ts';
import { isRotated } from './behind-text.ts';
import type { Band, Column, Item } from './column-bands.ts';
import {
  bottomOf,
  codeHeight,
  figureSize,
  flowBottom,
  flowHeight,
  flowTop,
  type Tightness,
} from './heights.ts';
import { flowIndents, type Indents, itemIndents } from './indents.ts';
import { bandEnd, type LaidBand, type LaidBlock } from './squeeze-pages.ts';
import { tableHeight } from './tables.ts';

export function layOutBands(
  bands: readonly Band[],
  top: number,
  tight: Tightness,
  letters: Letters,
): LaidBand[] {
  let start = top;
  return bands.map(({ columns }) => {
    const band = { start, columns: columns.map((column) => layColumn(column, start, tight, letters)) };
    start = bandEnd(band);
    return band;
  });
}

/** Blocks keep their place on the page so far as what stands above them leaves it free. */
function layColumn(column: Column, top: number, tight: Tightness, letters: Letters): LaidBlock[] {
  const columnWidth = column.right - column.left;
  let cursor = top;
  let above: number | undefined;
  return column.items.flatMap(flattenItem).map((leaf) => {
    const { block } = leaf;
    const indents = indentsOf(leaf, column, tight, letters);
    const wanted = isAside(block) ? cursor : topOf(block);
    const gap = above === undefined || isAside(block) ? 0 : Math.max(0, Math.min(wanted - above, MOST_GAP));
    const least = gap * tight.space;
    const before = Math.max(wanted - cursor, least, 0);
    const place = { ...indents, before, columnWidth, columnLeft: column.left };
    const start = cursor + before;
    above = sourceBottom(block);
    if (block.kind === 'beside') {
      const within = block.columns.map((inner) => layColumn(inner, start, tight, letters));
      const height = bandEnd({ start, columns: within }) - start + TABLE_END;
      cursor = start + height;
      return { block, least, height, place, within };
    }
    const width = Math.max(10, columnWidth - indents.left - indents.right);
    // The marker of an item takes what its first line hangs out by.
    const firstLine = leaf.item
      ? (indents.markerTab ?? indents.left) - indents.left
      : indents.firstLine + besideDropCap(block);
    const height = heightOf(block, width, { ...indents, firstLine }, tight, letters);
    cursor = start + height;
    return { block, least, height, place };
  });
}

/** The room that lines beside a dropped letter lack, together. */
const besideDropCap = (block: Single): number =>
  block.kind === 'paragraph' && block.dropCap ? block.dropCap.room * (block.dropCap.lines - 1) : 0;

const isAside = (item: Item): boolean => item.kind !== 'beside' && isRotated(item);

/** The paragraph that must follow a table. */
const TABLE_END = 1;

/** Space that is kept between blocks although those above took more room than they had. */
const MOST_GAP = 36;

type Single = Exclude<Item, List>;

interface Leaf {
  block: Single;
  /** Of a list, where it begins one. */
  item?: ListItem;
  /** It stands in a list, but begins no item. */
  inItem?: ListItem;
}

export function flattenItem(block: Item): Leaf[] {
  if (block.kind !== 'list') return [{ block }];
  return block.items.flatMap((item) =>
    item.blocks.flatMap((inner, at): Leaf[] => {
      if (inner.kind === 'list') return flattenItem(inner);
      return [at === 0 ? { block: inner, item } : { block: inner, inItem: item }];
    }),
  );
}

function indentsOf({ block, item }: Leaf, column: Column, tight: Tightness, letters: Letters): Indents {
  if (block.kind === 'beside' || isRotated(block)) return { left: 0, right: 0, firstLine: 0, align: 'left' };
  if (item && block.kind === 'paragraph') return itemIndents(block, item, column, tight.narrow, letters);
  if (isFlow(block)) return flowIndents(block, column, tight.narrow, letters);
  return { left: block.box.x - column.left, right: 0, firstLine: 0, align: 'left' };
}

export const isFlow = (block: Item): block is Paragraph | Heading =>
  block.kind === 'paragraph' || block.kind === 'heading';

function topOf(block: Single): number {
  if (block.kind === 'beside') return Math.min(...block.columns.map(({ items }) => columnTop(items)));
  return block.kind === 'table' || block.kind === 'figure' ? block.box.y : flowTop(block);
}

/** A first line begins higher than the box around it, for it is set with its pitch. */
const columnTop = (items: readonly Item[]): number => {
  const [first] = items.slice(0, 1).flatMap(flattenItem);
  return first ? topOf(first.block) : Infinity;
};

function sourceBottom(block: Single): number {
  if (block.kind === 'beside') return bottomOf(block.box);
  if (block.kind !== 'table' && block.kind !== 'figure') return flowBottom(block);
  return bottomOf(block.box);
}

function heightOf(
  block: Exclude<Block, List>,
  width: number,
  indents: Indents,
  tight: Tightness,
  letters: Letters,
): number {
  switch (block.kind) {
    case 'paragraph':
    case 'heading':
      return flowHeight(block, width, tight, letters, indents);
    case 'code':
      return codeHeight(block.lines, width, tight, letters);
    case 'table':
      return tableHeight(block, tight, letters) + TABLE_END;
    case 'figure':
      return figureSize(block, width, tight).height + 2;
  }
}
