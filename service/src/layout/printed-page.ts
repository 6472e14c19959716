// A page as it is printed: blocks and lines in reading order, nothing joined over pages, nothing left out.
import type { DrawnDocument } from '../contract/page-items.ts';
import { readBlocks } from './blocks/page-blocks.ts';
import { readLines } from './lines/text-lines.ts';
import { turnUpright } from './lines/upright-frames.ts';
import type { Block } from './model.ts';
import { type DrawnImage, readPageItems } from './page-items.ts';

export interface PrintedPage {
  /** From 1. */
  number: number;
  width: number;
  height: number;
  rotation: 0 | 90 | 180 | 270;
  blocks: Block[];
  images: DrawnImage[];
}

const NOTHING = { header: [], footer: [] };
const NO_WORDS: ReadonlySet<string> = new Set();

export function readPrintedPage(document: DrawnDocument, number: number): PrintedPage {
  const items = readPageItems(document.readPage(number - 1));
  const frames = turnUpright(items).map((frame) => ({ frame, lines: readLines(frame.words) }));
  const { width, height, rotation, links, images } = items;
  const page = readBlocks(
    { number, width, height, rotation, links, frames },
    NOTHING,
    NO_WORDS,
    'with markers',
  );
  return { number, width, height, rotation, images, blocks: page.blocks.map(({ block }) => block) };
}
