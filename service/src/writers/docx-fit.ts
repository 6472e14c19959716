// How a page's blocks are to stand on a page of their own: margins, columns, and how tightly, so that what was on one
// page stays on one page. Other fonts may be wider than those of the document: room is left where there is some.
import type { Block, Box, Figure, Line, Page } from '../layout/model.ts';
import { blockHeight, bottomOf, gapAbove, pitchOf, rightOf, type Tightness } from './docx-heights.ts';

export interface Margins {
  left: number;
  right: number;
  top: number;
  bottom: number;
  header: number;
  footer: number;
}

/** Blocks that stand in as many columns. */
export interface Group {
  columns: number;
  blocks: Block[];
  /** Left edges of the columns, on the page. */
  lefts: number[];
  columnWidth: number;
}

export interface PagePlan {
  page: Page;
  margins: Margins;
  groups: Group[];
  tight: Tightness;
  /** Space above the first block. */
  lead: number;
}

const LEAST_MARGIN = 14;
const GUTTER = 6;
/** A picture that covers more of the page lies behind its text. */
const COVERING = 0.5;

/** Pages of one size share their margins, as documents do. */
export function planPages(pages: readonly Page[], notesHeight: (page: Page) => number): PagePlan[] {
  const sizes = new Map<string, Page[]>();
  for (const page of pages) {
    const key = sizeKey(page);
    sizes.set(key, [...(sizes.get(key) ?? []), page]);
  }
  const margins = new Map([...sizes].map(([key, same]) => [key, marginsOf(same)]));
  return pages.map((page) =>
    planPage(page, margins.get(sizeKey(page)) ?? marginsOf([page]), notesHeight(page)),
  );
}

const sizeKey = ({ width, height }: Page): string => `${Math.round(width)} ${Math.round(height)}`;

/** How high a page's running titles stand when their lines follow one another. */
const furnitureHeight = (lines: readonly Line[]): number =>
  rowsOf(lines).reduce((sum, row) => sum + pitchOf(row.slice(0, 1)), 0);

function marginsOf(pages: readonly Page[]): Margins {
  const [first] = pages;
  const { width = 612, height = 792 } = first ?? {};
  const least = (values: number[], otherwise: number): number =>
    values.length === 0 ? otherwise : values.reduce((a, b) => Math.min(a, b));
  const full = pages
    .map((page) => ({ page, blocks: page.blocks.filter((block) => !isPlaced(block, page)) }))
    .filter(({ blocks }) => blocks.length > 0);
  const left = least(
    full.flatMap(({ blocks }) => blocks.map(({ box }) => box.x)),
    56,
  );
  const right = least(
    full.flatMap(({ blocks }) => blocks.map(({ box }) => width - rightOf(box))),
    56,
  );
  const top = least(
    full.flatMap(({ blocks }) => blocks.map(({ box }) => box.y)),
    56,
  );
  const headers = pages.flatMap(({ furniture }) => furniture.header);
  const footed = pages.filter(({ furniture }) => furniture.footer.length > 0);
  const footers = footed.flatMap(({ furniture }) => furniture.footer);
  const footer = height - most(footers.map(({ box }) => bottomOf(box))) - 2;
  const footerHeight = least(
    footed.map(({ furniture }) => furnitureHeight(furniture.footer)),
    0,
  );
  const bounded = (value: number, largest: number): number =>
    Math.min(Math.max(LEAST_MARGIN, value), largest);
  const footerMargin = bounded(footers.length > 0 ? footer : LEAST_MARGIN, height * 0.3);
  return {
    left: bounded(left - 1, width * 0.45),
    // A little more room than the text had: lines of other fonts are longer.
    right: bounded(right - 4, width * 0.45),
    top: bounded(top - 2, height * 0.6),
    bottom: footers.length > 0 ? footerMargin + footerHeight + 2 : LEAST_MARGIN,
    header: bounded(
      least(
        headers.map(({ box }) => box.y),
        28,
      ) - 2,
      height * 0.3,
    ),
    footer: footerMargin,
  };
}

/** What is left of a page between its running titles: higher ones push the text away. */
function roomOf({ height, furniture }: Page, margins: Margins): number {
  const { header, footer } = furniture;
  const top = header.length > 0 ? margins.header + furnitureHeight(header) : 0;
  const bottom = footer.length > 0 ? margins.footer + furnitureHeight(footer) : 0;
  return (height - Math.max(margins.top, top) - Math.max(margins.bottom, bottom)) * 0.985 - 3;
}

const most = (values: readonly number[]): number => values.reduce((a, b) => Math.max(a, b), 0);

/** A picture that stands at its place on the page, out of the flow: it covers the page, or has text beside it. */
export function isPlaced(block: Block, page: Page): block is Figure {
  if (block.kind !== 'figure') return false;
  const { box } = block;
  if (box.width * box.height > page.width * page.height * COVERING) return true;
  const isInFurniture = [...page.furniture.header, ...page.furniture.footer].some((line) =>
    areBeside(line.box, box),
  );
  return (
    isInFurniture ||
    (page.columns === 1 && page.blocks.some((other) => other !== block && areBeside(other.box, box)))
  );
}

/** Boxes at one height that do not cover one another. */
function areBeside(a: Box, b: Box): boolean {
  const shared = Math.min(bottomOf(a), bottomOf(b)) - Math.max(a.y, b.y);
  const isApart = rightOf(a) <= b.x + 2 || rightOf(b) <= a.x + 2;
  return isApart && shared > 0.3 * Math.min(a.height, b.height);
}

/** Lines that stand beside each other, from the left. */
export function rowsOf(lines: readonly Line[]): Line[][] {
  const rows: Line[][] = [];
  for (const line of lines.toSorted((a, b) => a.box.y - b.box.y)) {
    const row = rows.at(-1);
    const [first] = row ?? [];
    if (row && first && line.box.y < bottomOf(first.box) - first.box.height * 0.4) row.push(line);
    else rows.push([line]);
  }
  return rows.map((row) => row.toSorted((a, b) => a.box.x - b.box.x));
}

function planPage(page: Page, margins: Margins, notes: number): PagePlan {
  const groups = groupsOf(page, margins);
  const room = roomOf(page, margins) - notes;
  const first = page.blocks.find((block) => !isPlaced(block, page));
  const wantedLead = first ? Math.max(0, first.box.y - margins.top - 2) : 0;
  const heightAt = (tight: Tightness): number =>
    groups.reduce((sum, group) => sum + groupHeight(group, page, tight), 0);
  for (const tight of DEGREES) {
    const left = room - heightAt(tight);
    if (left >= 0) return { page, margins, groups, tight, lead: Math.min(wantedLead * tight.space, left) };
  }
  const tightest = DEGREES.at(-1) as Tightness;
  const share = Math.max(0.2, Math.sqrt(room / Math.max(1, heightAt(tightest))));
  return { page, margins, groups, tight: { ...tightest, size: tightest.size * share }, lead: 0 };
}

/** Spaces give way first, then the pitch, then the letters. */
const DEGREES: readonly Tightness[] = [
  { space: 1, pitch: 1, size: 1, narrow: true },
  { space: 0.75, pitch: 1, size: 1, narrow: false },
  { space: 0.5, pitch: 0.98, size: 1, narrow: false },
  { space: 0.25, pitch: 0.95, size: 1, narrow: false },
  { space: 0.1, pitch: 0.92, size: 0.97, narrow: false },
  { space: 0, pitch: 0.9, size: 0.93, narrow: false },
  { space: 0, pitch: 0.88, size: 0.87, narrow: false },
  { space: 0, pitch: 0.88, size: 0.8, narrow: false },
  { space: 0, pitch: 0.88, size: 0.7, narrow: false },
];

function groupsOf(page: Page, margins: Margins): Group[] {
  const width = page.width - margins.left - margins.right;
  const single = (blocks: Block[]): Group => ({
    columns: 1,
    blocks,
    lefts: [margins.left],
    columnWidth: width,
  });
  const columns = Math.min(6, Math.max(1, page.columns));
  if (columns === 1) return [single(page.blocks)];
  const share = page.body.width / columns;
  const columnOf = ({ x, width: wide }: Box): number =>
    Math.min(columns - 1, Math.max(0, Math.floor((x + Math.min(wide, share) / 2 - page.body.x) / share)));
  const isWide = ({ box }: Block): boolean => box.width > share * 1.2;
  const columnWidth = (width - GUTTER * 2 * (columns - 1)) / columns;
  const groups: Group[] = [];
  for (const block of page.blocks) {
    const wanted = isWide(block) ? 1 : columns;
    const last = groups.at(-1);
    if (last && last.columns === wanted) last.blocks.push(block);
    else if (wanted === 1) groups.push(single([block]));
    else groups.push({ columns, blocks: [block], lefts: [], columnWidth });
  }
  for (const group of groups) {
    if (group.columns === 1) continue;
    group.lefts = Array.from({ length: columns }, (_, column) => {
      const inColumn = group.blocks.filter(({ box }) => columnOf(box) === column);
      return inColumn.reduce((least, { box }) => Math.min(least, box.x), Number.POSITIVE_INFINITY);
    });
  }
  return groups;
}

/** How far a block stands in from the edge of its column. */
export function indentOf({ lefts, columnWidth }: Group, box: Box): number {
  const edge = lefts
    .filter((left) => left <= box.x + 1)
    .reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  return Number.isFinite(edge) ? Math.min(Math.max(0, box.x - edge), columnWidth * 0.6) : 0;
}

/** A narrow block of several lines keeps its width. */
export function rightIndent(group: Group, block: Block): number {
  if (block.kind !== 'paragraph' || block.lines.length < 3 || group.columns > 1) return 0;
  const edge = (group.lefts[0] ?? 0) + group.columnWidth;
  const free = edge - rightOf(block.box);
  return free > group.columnWidth * 0.06 ? Math.min(free - 6, group.columnWidth * 0.5) : 0;
}

/** Whether a block stands in the middle of its column. */
export function isCentred(group: Group, box: Box): boolean {
  const left = indentOf(group, box);
  const right = group.columnWidth - left - box.width;
  return left > group.columnWidth * 0.08 && Math.abs(left - right) < group.columnWidth * 0.06;
}

function groupHeight(group: Group, page: Page, tight: Tightness): number {
  let before: Block | undefined;
  let height = 0;
  let most = 0;
  for (const block of group.blocks) {
    if (isPlaced(block, page)) continue;
    const indents = indentOf(group, block.box) + (tight.narrow ? rightIndent(group, block) : 0);
    const own = blockHeight(block, group.columnWidth - indents, tight);
    height += own + gapAbove(block, before) * tight.space;
    most = Math.max(most, own);
    before = block;
  }
  // A column cannot be cut anywhere: the last lines of each may stay empty.
  return group.columns === 1 ? height : Math.max(height / group.columns + 14, Math.min(most, height));
}
