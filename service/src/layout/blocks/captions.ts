// Captions find their figures and tables.

import { runsText } from '../lines/runs.ts';
import type { Block, Figure, Flow, Paragraph, Table } from '../model.ts';
import { TABLE_CAPTION } from '../tables/table-caption.ts';
import type { BlockWithMarker } from './lists.ts';

const FIGURE_CAPTION =
  /^(?:fig(?:ure|\.)?|abb(?:ildung|\.)?|photo|image|chart|diagram|plate|exhibit|scheme|box|illustration)\s*\.?\s*[\dA-Z]/i;
/** How far a caption may be from what it belongs to, in points. */
const NEAR = 40;

/** Whether a line begins as captions of figures or tables do. */
export const isCaptionText = (text: string): boolean => FIGURE_CAPTION.test(text) || TABLE_CAPTION.test(text);

/** A caption next to its figure or table goes into it. */
export function attachCaptions(blocks: BlockWithMarker[]): BlockWithMarker[] {
  const taken = new Set<BlockWithMarker>();
  for (const [i, { block }] of blocks.entries()) {
    if (block.kind !== 'figure' && block.kind !== 'table') continue;
    const pattern = block.kind === 'figure' ? FIGURE_CAPTION : TABLE_CAPTION;
    const around = block.kind === 'figure' ? [blocks[i + 1], blocks[i - 1]] : [blocks[i - 1], blocks[i + 1]];
    const found = around.find((near) => near && !taken.has(near) && isCaption(near, block, pattern));
    if (!found) continue;
    taken.add(found);
    block.caption = flowOf(found.block as Paragraph);
  }
  return blocks.filter((marked) => !taken.has(marked));
}

function isCaption({ block }: BlockWithMarker, target: Figure | Table, pattern: RegExp): boolean {
  if (block.kind !== 'paragraph' && block.kind !== 'heading') return false;
  if (block.page !== target.page || !pattern.test(runsText(block.runs))) return false;
  return distance(block, target) < NEAR;
}

const distance = (a: Block, b: Block): number =>
  Math.max(a.box.y - b.box.y - b.box.height, b.box.y - a.box.y - a.box.height);

const flowOf = ({ runs, lines, align, direction }: Flow): Flow => ({ runs, lines, align, direction });
