// A page as lines in reading order: all that plain text needs.

import type { PageDrawing } from '../page-items.ts';
import { readPageMarks, readPageWords } from '../page-items.ts';
import { readPlainLines } from './plain-lines.ts';
import { type Region, readingOrder } from './reading-order.ts';
import { readLines } from './text-lines.ts';
import { framesOf } from './upright-frames.ts';

/** Regions in reading order; what is turned otherwise than most of the page comes last. */
export function readPageRegions(drawing: PageDrawing): Region[] {
  const plain = readPlainLines(drawing);
  if (!plain) return readWordRegions(drawing);
  const others = plain.rest.length > 0 ? readLines(readPageWords(drawing, plain.rest)) : [];
  return readingOrder([...plain.lines, ...others]);
}

/** The same by way of words. */
export const readWordRegions = (drawing: PageDrawing): Region[] =>
  framesOf(readPageMarks(drawing)).flatMap(({ words }) => readingOrder(readLines(words)));
