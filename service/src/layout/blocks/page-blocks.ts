// One page: lines in reading order become blocks.

import { type Region, readingOrder } from '../lines/reading-order.ts';
import { boxAroundLines } from '../lines/rows.ts';
import { buildModelLine, type PageContext } from '../lines/runs.ts';
import type { TextLine } from '../lines/text-lines.ts';
import type { Frame } from '../lines/upright-frames.ts';
import type { Box, HeadersAndFooters, Line } from '../model.ts';
import type { PageLink } from '../page-items.ts';
import type { BlockWithMarker } from './lists.ts';
import { breakParagraphs } from './paragraph-breaks.ts';
import { buildCode, buildParagraph } from './paragraphs.ts';

/** What was read of a page, before it is known which of it repeats on other pages. */
export interface PageLines {
  number: number;
  width: number;
  height: number;
  rotation: 0 | 90 | 180 | 270;
  links: readonly PageLink[];
  /** The first is the way most of the page is written. */
  frames: { frame: Frame; lines: TextLine[] }[];
}

export interface PageBlocks {
  number: number;
  width: number;
  height: number;
  rotation: 0 | 90 | 180 | 270;
  body: Box;
  columns: number;
  blocks: BlockWithMarker[];
  headersAndFooters: HeadersAndFooters;
}

export function readBlocks(
  page: PageLines,
  repeating: { header: readonly TextLine[]; footer: readonly TextLine[] },
  compounds: ReadonlySet<string>,
  markers: 'apart' | 'with markers' = 'apart',
): PageBlocks {
  const left = new Set([...repeating.header, ...repeating.footer]);
  const blocks: BlockWithMarker[] = [];
  let columns = 1;
  for (const [k, { frame, lines }] of page.frames.entries()) {
    const regions = readingOrder(lines.filter((line) => !left.has(line)));
    if (k === 0) columns = usualColumns(regions);
    const context = contextOf(page, frame);
    for (const region of regions)
      blocks.push(...regionBlocks(region, context, page.number, compounds, markers));
  }
  const main = page.frames[0];
  const written = (lines: readonly TextLine[]): Line[] =>
    main ? lines.map((line) => buildModelLine(line, contextOf(page, main.frame))) : [];
  const { number, width, height, rotation } = page;
  return {
    number,
    width,
    height,
    rotation,
    columns,
    blocks,
    body:
      blocks.length > 0 ? boxAroundLines(blocks.map(({ block }) => block)) : { x: 0, y: 0, width, height },
    headersAndFooters: { header: written(repeating.header), footer: written(repeating.footer) },
  };
}

function contextOf({ links }: PageLines, { turn, forth, back }: Frame): PageContext {
  return { turn, back, links: turn === 0 ? links : links.map((link) => ({ ...link, box: forth(link.box) })) };
}

/** As many as stand side by side where most of the text is. */
function usualColumns(regions: readonly Region[]): number {
  const textOf = ({ rows }: Region): number => rows.flat().reduce((sum, { length }) => sum + length, 0);
  const all = regions.reduce((sum, region) => sum + textOf(region), 0);
  const inColumns = regions.filter(({ columns }) => columns > 1);
  if (inColumns.reduce((sum, region) => sum + textOf(region), 0) * 2 < all) return 1;
  const widest = Math.max(...inColumns.map(({ box }) => box.width));
  const span = boxAroundLines(regions).width;
  return Math.max(2, Math.min(6, Math.round(span / Math.max(1, widest))));
}

function regionBlocks(
  region: Region,
  page: PageContext,
  number: number,
  compounds: ReadonlySet<string>,
  markers: 'apart' | 'with markers',
): BlockWithMarker[] {
  const blocks: BlockWithMarker[] = [];
  let rows: TextLine[][] = [];
  const flush = (): void => {
    for (const found of breakParagraphs({ ...region, rows })) {
      // Printed pages keep bullets and numbers as text.
      const draft = markers === 'apart' ? found : { ...found, marker: undefined };
      const block = draft.code
        ? buildCode(draft, page, number)
        : buildParagraph(draft, page, number, compounds);
      blocks.push({ block, marker: draft.marker });
    }
    rows = [];
  };
  for (const row of region.rows) {
    const object = row[0]?.object;
    if (!object) {
      rows.push(row);
      continue;
    }
    flush();
    blocks.push({ block: object, marker: undefined });
  }
  flush();
  return blocks;
}
