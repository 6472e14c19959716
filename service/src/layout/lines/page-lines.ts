// A page as lines in reading order: all that plain text needs.

import type { DrawnPage } from '../page-items.ts';
import { readPageItems, readPageWords } from '../page-items.ts';
import { readPlainLines } from './plain-lines.ts';
import { type Region, readingOrder } from './reading-order.ts';
import { readLines } from './text-lines.ts';
import { turnUpright } from './upright-frames.ts';

/** Regions in reading order; what is turned otherwise than most of the page comes last. */
export function readPageRegions(drawn: DrawnPage): Region[] {
  const plain = readPlainLines(drawn);
  if (!plain) return readWordRegions(drawn);
  const others = plain.rest.length > 0 ? readLines(readPageWords(drawn, plain.rest)) : [];
  return readingOrder([...plain.lines, ...others]);
}

/** The same by way of words. */
export const readWordRegions = (drawn: DrawnPage): Region[] =>
  turnUpright(readPageItems(drawn)).flatMap(({ words }) => readingOrder(readLines(words)));
