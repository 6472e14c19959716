// A page as it is printed: blocks and lines in reading order, nothing joined over pages, nothing left out.
import type { DrawnDocument } from '../contract/page-items.ts';
import { blocksOf } from './blocks/page-blocks.ts';
import { readLines } from './lines/text-lines.ts';
import { framesOf } from './lines/upright-frames.ts';
import type { Block } from './model.ts';
import { type DrawnPicture, readPageMarks } from './page-items.ts';

export interface PrintedPage {
  /** From 1. */
  number: number;
  width: number;
  height: number;
  rotation: 0 | 90 | 180 | 270;
  blocks: Block[];
  pictures: DrawnPicture[];
}

const NOTHING = { header: [], footer: [] };
const NO_WORDS: ReadonlySet<string> = new Set();

export function readPrintedPage(document: DrawnDocument, number: number): PrintedPage {
  const marks = readPageMarks(document.drawing(number - 1));
  const frames = framesOf(marks).map((frame) => ({ frame, lines: readLines(frame.words) }));
  const { width, height, rotation, links, pictures } = marks;
  const page = blocksOf(
    { number, width, height, rotation, links, frames },
    NOTHING,
    NO_WORDS,
    'with markers',
  );
  return { number, width, height, rotation, pictures, blocks: page.blocks.map(({ block }) => block) };
}
