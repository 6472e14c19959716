// What is set of a page, and where: its blocks, those apart that flow apart, in bands of columns.
import type { Block, Figure, Flow, Heading, List, Page, Paragraph } from '../layout/model.ts';
import { around } from '../layout/reading-order.ts';
import { type Band, bandsOf } from './docx-bands.ts';
import { behindText, isTurned } from './docx-behind.ts';
import { flowBottom, sizeOf } from './docx-heights.ts';
import type { Letters } from './docx-letters.ts';
import type { Margins } from './docx-margins.ts';
import { rowsApart } from './docx-set-lines.ts';

/** What is turned follows at the end; of pictures that stand behind the text, their captions are in it. */
export function bandsFor(page: Page, margins: Margins, letters: Letters): Band[] {
  const blocks = page.blocks.flatMap((block): Block[] => {
    if (block.kind === 'paragraph') return rowsApart(block);
    if (block.kind === 'list') return listParts(block);
    if (block.kind !== 'figure' || !behindText(page).has(block)) return [block];
    return block.caption ? [captionBlock(block, block.caption)] : [];
  });
  const edges = { left: margins.left, right: page.width - margins.right };
  const turned = blocks.filter(isTurned);
  if (turned.length * 2 > blocks.length) return [{ columns: [{ ...edges, items: blocks }] }];
  const bands = bandsOf(
    blocks.filter((block) => !isTurned(block)),
    edges,
    directionOf(blocks),
  );
  const last = bands.at(-1)?.columns.at(-1);
  last?.items.push(...turned.map((block) => asAside(block, last.right - last.left, letters)));
  return bands;
}

function directionOf(blocks: readonly Block[]): 'ltr' | 'rtl' {
  const toLeft = blocks.filter((block) => isFlow(block) && block.direction === 'rtl').length;
  return toLeft * 2 > blocks.filter(isFlow).length ? 'rtl' : 'ltr';
}

function captionBlock({ box, page }: Figure, caption: Flow): Paragraph {
  const [first] = caption.lines;
  return {
    ...caption,
    kind: 'paragraph',
    box: first ? { ...first.box, height: flowBottom(caption) - first.box.y } : box,
    page,
    firstLineIndent: 0,
    indent: 0,
    spaceBefore: 0,
  };
}

/** A list that goes on in another column is two. */
function listParts(list: List): List[] {
  const parts: List[] = [];
  let above = -Infinity;
  for (const item of list.items) {
    const box = around(item.blocks);
    const last = parts.at(-1);
    if (last && box.y >= above) {
      last.items.push(item);
      last.box = around([last, ...item.blocks]);
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

const isFlow = (block: Block): block is Paragraph | Heading =>
  block.kind === 'paragraph' || block.kind === 'heading';
