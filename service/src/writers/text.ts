// Plain text: lines in reading order, as they stand on the page.
import { lineText } from '../layout/lines/line-text.ts';
import type { Region } from '../layout/lines/reading-order.ts';
import type { TextLine } from '../layout/lines/text-lines.ts';

/** A free line stands where more than this part of the size is free between two lines. */
const PARAGRAPH_GAP = 0.9;

/** The text of a page; lines end with \n. */
export const pageText = (regions: readonly Region[]): string => regions.map(regionText).join('\n');

function regionText({ rows }: Region): string {
  let text = '';
  let before: readonly TextLine[] | undefined;
  for (const row of rows) {
    if (before && isApart(before, row)) text += '\n';
    // What stands on one line with a wide gap between, as cells of a table do, is parted by a tab.
    const parts = row.map(lineText).filter((part) => part !== '');
    const rightToLeft = row.every((line) => line.direction === 'rtl');
    text += `${(rightToLeft ? parts.toReversed() : parts).join('\t')}\n`;
    before = row;
  }
  return text;
}

function isApart(above: readonly TextLine[], below: readonly TextLine[]): boolean {
  let bottom = -Infinity;
  for (const { box } of above) bottom = Math.max(bottom, box.y + box.height);
  let top = Infinity;
  let size = 0;
  for (const line of below) {
    top = Math.min(top, line.box.y);
    size = Math.max(size, line.size);
  }
  return top - bottom > PARAGRAPH_GAP * size;
}
