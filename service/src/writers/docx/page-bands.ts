// What is set of a page, and where: its blocks, those apart that flow apart, in bands of columns.

import { boxAroundLines } from '../../layout/lines/rows.ts';
import type { Block, List, Page } from '../../layout/model.ts';
import type { Letters } from '../letters.ts';
import { findBlocksBehindText, isRotated } from './behind-text.ts';
import { splitCaption } from './captions.ts';
import { type Band, type Item, splitIntoBands } from './column-bands.ts';
import { sizeOf, tightenPitch } from './heights.ts';
import { flattenItem, isFlow } from './lay-out.ts';
import type { Margins } from './margins.ts';
import { splitRows } from './set-lines.ts';

/** What is turned follows at the end; of images that stand behind the text, their captions are in it. */
export function pageBands(page: Page, margins: Margins, letters: Letters): Band[] {
  const blocks = page.blocks.flatMap((block): Block[] => {
    if (block.kind === 'paragraph') return splitRows(block);
    if (block.kind === 'list') return listParts(block);
    const isBehind = findBlocksBehindText(page).has(block);
    return splitCaption(block).filter((each) => each.kind !== 'figure' || !isBehind);
  });
  const edges = { left: margins.left, right: page.width - margins.right };
  const turned = blocks.filter(isRotated);
  if (turned.length * 2 > blocks.length) return [{ columns: [{ ...edges, items: blocks }] }];
  const bands = splitIntoBands(
    blocks.filter((block) => !isRotated(block)),
    edges,
    directionOf(blocks),
  );
  for (const { columns } of bands) for (const { items } of columns) closeLines(items);
  const last = bands.at(-1)?.columns.at(-1);
  last?.items.push(...turned.map((block) => asAside(block, last.right - last.left, letters)));
  return bands;
}

function closeLines(items: readonly Item[]): void {
  const leaves = items.flatMap(flattenItem).map(({ block }) => block);
  for (const [i, block] of leaves.entries()) {
    const next = leaves[i + 1];
    if (block.kind === 'beside') for (const column of block.columns) closeLines(column.items);
    else if (isFlow(block) && next && next.kind !== 'beside' && isFlow(next)) tightenPitch(block, next);
  }
}

function directionOf(blocks: readonly Block[]): 'ltr' | 'rtl' {
  const toLeft = blocks.filter((block) => isFlow(block) && block.direction === 'rtl').length;
  return toLeft * 2 > blocks.filter(isFlow).length ? 'rtl' : 'ltr';
}

/** A list that goes on in another column is two. */
function listParts(list: List): List[] {
  const parts: List[] = [];
  let above = -Infinity;
  for (const item of list.items) {
    const box = boxAroundLines(item.blocks);
    const last = parts.at(-1);
    if (last && box.y >= above) {
      last.items.push(item);
      last.box = boxAroundLines([last, ...item.blocks]);
    } else parts.push({ ...list, items: [item], box: { ...box } });
    above = box.y;
  }
  return parts;
}

/** Writing across or along the page may be of any size. */
const ASIDE_SIZE = 10;

function asAside(block: Block, width: number, letters: Letters): Block {
  if (!isFlow(block)) return block;
  const [first] = block.lines;
  const share = Math.min(
    1,
    ASIDE_SIZE / sizeOf(block.lines),
    width / Math.max(1, letters.lengthOf(block.runs) + 1),
  );
  if (share === 1 || !first) return block;
  const runs = block.runs.map((run) => ({
    ...run,
    style: { ...run.style, size: run.style.size * Math.max(0.2, share) },
  }));
  return { ...block, runs, lines: [{ ...first, runs }] };
}
