// A page as lines in reading order: all that plain text needs.
import { framesOf } from './frames.ts';
import type { PageDrawing } from './page-marks.ts';
import { readPageMarks } from './page-marks.ts';
import { type Region, readingOrder } from './reading-order.ts';
import { readLines } from './text-lines.ts';

/** Regions in reading order; what is turned otherwise than most of the page comes last. */
export const readPageRegions = (drawing: PageDrawing): Region[] =>
  framesOf(readPageMarks(drawing)).flatMap(({ words }) => readingOrder(readLines(words)));
