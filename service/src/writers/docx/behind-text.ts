// Images that stand at their place on the page, out of the flow: behind text, or amid it.
import { computeOnce } from '../../contract/maps.ts';
import type { Block, Box, Page } from '../../layout/model.ts';
import { type Item, splitIntoBands } from './column-bands.ts';
import { bottomOf } from './heights.ts';

/** An image that covers more of the page lies behind its text. */
const COVERING = 0.5;
/** The part of an image's height, or of a block's, that may be beside the other. */
const BESIDE = 0.3;

const known = new WeakMap<Page, ReadonlySet<Block>>();

/** Those of a page. */
export function findBlocksBehindText(page: Page): ReadonlySet<Block> {
  return computeOnce(known, page, () => find(page));
}

function find(page: Page): ReadonlySet<Block> {
  const figures = page.blocks.filter((block) => block.kind === 'figure');
  if (figures.length === 0) return new Set();
  const lines = [...page.headersAndFooters.header, ...page.headersAndFooters.footer];
  const behind = new Set<Block>(
    figures.filter(({ box }) => covers(box, page) || lines.some((line) => sharesHeight(line.box, box))),
  );
  const rest = page.blocks.filter((block) => !behind.has(block));
  for (const { items } of splitIntoBands(rest, { left: 0, right: page.width }).flatMap(
    ({ columns }) => columns,
  ))
    addAmidText(items, behind);
  return behind;
}

/** Images at the height of something else in their column. */
function addAmidText(items: readonly Item[], behind: Set<Block>): void {
  for (const item of items) {
    if (item.kind === 'beside') for (const column of item.columns) addAmidText(column.items, behind);
    else if (
      item.kind === 'figure' &&
      items.some((other) => other !== item && sharesHeight(other.box, item.box))
    )
      behind.add(item);
  }
}

const covers = ({ width, height }: Box, page: Page): boolean =>
  width * height > page.width * page.height * COVERING;

function sharesHeight(a: Box, b: Box): boolean {
  const shared = Math.min(bottomOf(a), bottomOf(b)) - Math.max(a.y, b.y);
  return shared > BESIDE * Math.min(a.height, b.height);
}

export const isRotated = (block: Block): boolean => 'lines' in block && (block.lines[0]?.turn ?? 0) !== 0;
