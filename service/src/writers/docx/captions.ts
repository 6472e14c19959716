// Captions are paragraphs above or below what they belong to.

import { computeOnce } from '../../contract/maps.ts';
import { boxAroundLines } from '../../layout/lines/rows.ts';
import { runsText } from '../../layout/lines/runs.ts';
import type { Block, Figure, Paragraph, Table } from '../../layout/model.ts';

const captions = new WeakSet<object>();
const parts = new WeakMap<Block, Block[]>();

export const isCaption = (block: object): boolean => captions.has(block);

/** A block and its caption, in the order they stand in. */
export function splitCaption(block: Block): Block[] {
  if ((block.kind !== 'table' && block.kind !== 'figure') || !block.caption) return [block];
  return computeOnce(parts, block, () => takenApart(block));
}

function takenApart({ caption, ...rest }: Table | Figure): Block[] {
  if (!caption) return [rest];
  // What is written under an image also tells what it shows.
  const block: Block =
    rest.kind === 'figure' ? { ...rest, alternative: rest.alternative ?? runsText(caption.runs) } : rest;
  const paragraph: Paragraph = {
    ...caption,
    kind: 'paragraph',
    box: caption.lines.length > 0 ? boxAroundLines(caption.lines) : block.box,
    page: block.page,
    firstLineIndent: 0,
    indent: 0,
    spaceBefore: 0,
  };
  captions.add(paragraph);
  return paragraph.box.y < block.box.y ? [paragraph, block] : [block, paragraph];
}
