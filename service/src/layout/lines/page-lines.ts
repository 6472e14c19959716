// A page as lines in reading order: all that plain text needs.

import { withFormulas } from '../formulas/formula-words.ts';
import { hasMath } from '../formulas/math-words.ts';
import { findFormulas } from '../formulas/page-formulas.ts';
import type { DrawnPage } from '../page-items.ts';
import { readPageItems, readPageWords } from '../page-items.ts';
import { readFlowingLines } from './drop-caps.ts';
import { readPlainLines } from './plain-lines.ts';
import { type Region, readingOrder } from './reading-order.ts';
import { turnUpright } from './upright-frames.ts';

/** Regions in reading order; what is turned otherwise than most of the page comes last. */
export function readPageRegions(drawn: DrawnPage): Region[] {
  const plain = readPlainLines(drawn);
  if (!plain) return readWordRegions(drawn);
  const others = plain.rest.length > 0 ? readFlowingLines(readPageWords(drawn, plain.rest)) : [];
  return readingOrder([...plain.lines, ...others]);
}

/**
 * The same of a page that may have formulas, which are read as they are built; `readAll` reads the page again with the
 * lines that are drawn on it.
 */
export function readPageWithFormulas(text: DrawnPage, readAll: () => DrawnPage): Region[] {
  if (!hasMath(text.glyphs)) return readPageRegions(text);
  const drawn = readAll();
  const items = readPageItems(drawn);
  const { inline, displayed } = findFormulas(drawn, items.words);
  // A letter alone is read as it stands.
  const known = [...inline, ...displayed].filter(({ formula }) => formula && formula.node.kind !== 'sign');
  if (known.length === 0) return readPageRegions(drawn);
  const words = withFormulas(items.words, known);
  return turnUpright({ ...items, words }).flatMap((frame) => readingOrder(readFlowingLines(frame.words)));
}

/** The same by way of words. */
export const readWordRegions = (drawn: DrawnPage): Region[] =>
  turnUpright(readPageItems(drawn)).flatMap(({ words }) => readingOrder(readFlowingLines(words)));
