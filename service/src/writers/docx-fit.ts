// How a page's blocks are to stand on a page of their own: in bands of columns, each at its place, and where other
// fonts take more room, as much tighter as is needed for what was on one page to stay on one page.
import type { Block, Code, Figure, Flow, Heading, List, ListItem, Page, Paragraph } from '../layout/model.ts';
import { type Band, bandsOf, type Column } from './docx-bands.ts';
import { behindText, isTurned } from './docx-behind.ts';
import {
  bottomOf,
  codeHeight,
  figureSize,
  flowBottom,
  flowHeight,
  flowTop,
  sizeOf,
  type Tightness,
  tableHeight,
} from './docx-heights.ts';
import { flowIndents, type Indents, itemIndents, type Place } from './docx-indents.ts';
import type { Letters } from './docx-letters.ts';
import { type Margins, marginsOf, roomOf } from './docx-margins.ts';
import { rowsApart } from './docx-set-lines.ts';
import { bandEnd, endBy, type LaidBand, type LaidBlock } from './docx-squeeze.ts';

export interface PagePlan {
  page: Page;
  margins: Margins;
  bands: Band[];
  tight: Tightness;
  /** Of everything that is a paragraph, a table or a picture, in lists as well. */
  places: ReadonlyMap<Block, Place>;
  /** Free space at the top of columns that stand side by side. */
  leads: ReadonlyMap<Column, number>;
}

export function planPages(
  pages: readonly Page[],
  letters: Letters,
  notesHeight: (page: Page) => number,
): PagePlan[] {
  const sizes = new Map<string, Page[]>();
  for (const page of pages) {
    const key = sizeKey(page);
    sizes.set(key, [...(sizes.get(key) ?? []), page]);
  }
  const margins = new Map([...sizes].map(([key, same]) => [key, marginsOf(same)]));
  return pages.map((page) =>
    planPage(page, margins.get(sizeKey(page)) ?? marginsOf([page]), letters, notesHeight(page)),
  );
}

const sizeKey = ({ width, height }: Page): string => `${Math.round(width)} ${Math.round(height)}`;

/** Spaces give way first, then the pitch, then the letters. */
const DEGREES: readonly Tightness[] = [
  { space: 1, pitch: 1, size: 1, narrow: true },
  { space: 0.7, pitch: 1, size: 1, narrow: true },
  { space: 0.4, pitch: 1, size: 1, narrow: false },
  { space: 0.25, pitch: 0.97, size: 1, narrow: false },
  { space: 0.1, pitch: 0.94, size: 0.98, narrow: false },
  { space: 0, pitch: 0.91, size: 0.95, narrow: false },
  { space: 0, pitch: 0.9, size: 0.9, narrow: false },
  { space: 0, pitch: 0.88, size: 0.84, narrow: false },
  { space: 0, pitch: 0.88, size: 0.77, narrow: false },
  { space: 0, pitch: 0.88, size: 0.7, narrow: false },
];

function planPage(page: Page, margins: Margins, letters: Letters, notes: number): PagePlan {
  const bands = bandsFor(page, margins, letters);
  const room = roomOf(page, margins);
  const bottom = room.bottom - notes;
  const plan = (tight: Tightness): { plan: PagePlan; end: number } => {
    const laid = layBands(bands, room.top, tight, letters);
    const end = endBy(laid, bottom);
    const leads = new Map(laid.flatMap((band, i) => takeLeads(band, bands[i]?.columns ?? [])));
    const places = new Map(
      laid.flatMap(({ columns }) => columns.flat().map(({ block, place }) => [block, place] as const)),
    );
    return { plan: { page, margins, bands, tight, places, leads }, end };
  };
  let end = bottom;
  for (const tight of DEGREES) {
    const made = plan(tight);
    if (made.end <= bottom) return made.plan;
    end = made.end;
  }
  const tightest = DEGREES.at(-1) as Tightness;
  const share = Math.max(0.2, Math.sqrt((bottom - room.top) / Math.max(1, end - room.top)));
  return plan({ ...tightest, size: tightest.size * share }).plan;
}

/**
 * Space before the first paragraph of a section stands above all its columns in one program and above the first in
 * another: columns begin with an empty paragraph instead.
 */
function takeLeads({ columns }: LaidBand, of: readonly Column[]): [Column, number][] {
  if (columns.length === 1) return [];
  return columns.flatMap(([first], i): [Column, number][] => {
    const column = of[i];
    if (!first || !column) return [];
    const lead = first.place.before;
    first.place.before = 0;
    return [[column, lead]];
  });
}

/** What is turned follows at the end; of pictures that stand behind the text, their captions are in it. */
function bandsFor(page: Page, margins: Margins, letters: Letters): Band[] {
  const blocks = page.blocks.flatMap((block): Block[] => {
    if (block.kind === 'paragraph') return rowsApart(block);
    if (block.kind !== 'figure' || !behindText(page).has(block)) return [block];
    return block.caption ? [captionBlock(block, block.caption)] : [];
  });
  const edges = { left: margins.left, right: page.width - margins.right };
  const turned = blocks.filter(isTurned);
  if (turned.length * 2 > blocks.length) return [{ columns: [{ ...edges, blocks }] }];
  const bands = bandsOf(
    blocks.filter((block) => !isTurned(block)),
    edges,
    directionOf(blocks),
  );
  const last = bands.at(-1)?.columns.at(-1);
  last?.blocks.push(...turned.map((block) => asAside(block, last.right - last.left, letters)));
  return bands;
}

function directionOf(blocks: readonly Block[]): 'ltr' | 'rtl' {
  const toLeft = blocks.filter((block) => isFlow(block) && block.direction === 'rtl').length;
  return toLeft * 2 > blocks.filter(isFlow).length ? 'rtl' : 'ltr';
}

function captionBlock({ box, page }: Figure, caption: Flow): Paragraph {
  const [first] = caption.lines;
  return {
    ...caption,
    kind: 'paragraph',
    box: first ? { ...first.box, height: flowBottom(caption) - first.box.y } : box,
    page,
    firstLineIndent: 0,
    indent: 0,
    spaceBefore: 0,
  };
}

/** Writing across or along the page may be of any size. */
const ASIDE_SIZE = 10;

function asAside(block: Block, width: number, letters: Letters): Block {
  if (!isFlow(block)) return block;
  const [first] = block.lines;
  const share = Math.min(
    1,
    ASIDE_SIZE / sizeOf(block.lines),
    width / Math.max(1, letters.lengthOf(block.runs) + 1),
  );
  if (share === 1 || !first) return block;
  const runs = block.runs.map((run) => ({
    ...run,
    style: { ...run.style, size: run.style.size * Math.max(0.2, share) },
  }));
  return { ...block, runs, lines: [{ ...first, runs }] };
}

function layBands(bands: readonly Band[], top: number, tight: Tightness, letters: Letters): LaidBand[] {
  let start = top;
  return bands.map(({ columns }) => {
    const band = { start, columns: columns.map((column) => layColumn(column, start, tight, letters)) };
    start = bandEnd(band);
    return band;
  });
}

/** Blocks keep their place on the page so far as what stands above them leaves it free. */
function layColumn(column: Column, top: number, tight: Tightness, letters: Letters): LaidBlock[] {
  const columnWidth = column.right - column.left;
  let cursor = top;
  let above: number | undefined;
  return column.blocks.flatMap(leavesOf).map((leaf) => {
    const { block } = leaf;
    const indents = indentsOf(leaf, column, tight, letters);
    const width = Math.max(10, columnWidth - indents.left - indents.right);
    const wanted = isTurned(block) ? cursor : topOf(block);
    const gap = above === undefined || isTurned(block) ? 0 : Math.max(0, Math.min(wanted - above, MOST_GAP));
    const least = gap * tight.space;
    const before = Math.max(wanted - cursor, least, 0);
    const height = heightOf(block, width, indents, tight, letters);
    cursor += before + height;
    above = sourceBottom(block);
    return { block, least, height, place: { ...indents, before, columnWidth, columnLeft: column.left } };
  });
}

/** Space that is kept between blocks although those above took more room than they had. */
const MOST_GAP = 36;

interface Leaf {
  block: Exclude<Block, List>;
  /** Of a list, where it begins one. */
  item?: ListItem;
  /** It stands in a list, but begins no item. */
  inItem?: ListItem;
}

function leavesOf(block: Block): Leaf[] {
  if (block.kind !== 'list') return [{ block }];
  return block.items.flatMap((item) =>
    item.blocks.flatMap((inner, at): Leaf[] => {
      if (inner.kind === 'list') return leavesOf(inner);
      return [at === 0 ? { block: inner, item } : { block: inner, inItem: item }];
    }),
  );
}

function indentsOf({ block, item }: Leaf, column: Column, tight: Tightness, letters: Letters): Indents {
  if (isTurned(block)) return { left: 0, right: 0, firstLine: 0, align: 'left' };
  if (item && block.kind === 'paragraph') return itemIndents(block, item, column, letters);
  if (isFlow(block)) return flowIndents(block, column, tight.narrow, letters);
  return { left: block.box.x - column.left, right: 0, firstLine: 0, align: 'left' };
}

const isFlow = (block: Block): block is Paragraph | Heading =>
  block.kind === 'paragraph' || block.kind === 'heading';

function topOf(block: Exclude<Block, List>): number {
  if (block.kind === 'table')
    return block.caption && isAbove(block.caption, block.box.y) ? flowTop(block.caption) : block.box.y;
  return block.kind === 'figure' ? block.box.y : flowTop(block);
}

const isAbove = ({ lines }: Flow, y: number): boolean => (lines[0]?.box.y ?? y) < y;

function sourceBottom(block: Exclude<Block, List>): number {
  if (block.kind !== 'table' && block.kind !== 'figure') return flowBottom(block);
  const bottom = bottomOf(block.box);
  return block.caption && !isAbove(block.caption, block.box.y)
    ? Math.max(bottom, flowBottom(block.caption))
    : bottom;
}

/** With its caption. */
function heightOf(
  block: Paragraph | Heading | Code | Figure | Extract<Block, { kind: 'table' }>,
  width: number,
  indents: Indents,
  tight: Tightness,
  letters: Letters,
): number {
  switch (block.kind) {
    case 'paragraph':
    case 'heading':
      return flowHeight(block, width, tight, letters, indents);
    case 'code':
      return codeHeight(block.lines, width, tight, letters);
    case 'table':
      return (
        tableHeight(block, tight, letters) +
        1 +
        (block.caption ? flowHeight(block.caption, width, tight, letters) : 0)
      );
    case 'figure': {
      const { height } = figureSize(block, width, tight);
      return height + 2 + (block.caption ? flowHeight(block.caption, width, tight, letters) : 0);
    }
  }
}
