// How a page's blocks are to stand on a page of their own: margins, columns, and how tightly, so that what was on one
// page stays on one page. Other fonts may be wider than those of the document: room is left where there is some.
import type { Block, Box, Figure, Flow, Line, List, Page, Paragraph, Table } from '../layout/model.ts';
import { spreadOf } from './font-families.ts';

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

/** How much of the spaces, the pitch of lines and the size of letters is kept. */
export interface Tightness {
  space: number;
  pitch: number;
  size: number;
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

export const bottomOf = ({ y, height }: Box): number => y + height;
export const rightOf = ({ x, width }: Box): number => x + width;

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

function marginsOf(pages: readonly Page[]): Margins {
  const [first] = pages;
  const { width = 612, height = 792 } = first ?? {};
  const least = (values: number[], otherwise: number): number =>
    values.length === 0 ? otherwise : values.reduce((a, b) => Math.min(a, b));
  const full = pages.filter(({ blocks }) => blocks.some((block) => !isBehind(block, width * height)));
  const left = least(
    full.map(({ blocks }) =>
      least(
        blocks.map(({ box }) => box.x),
        width,
      ),
    ),
    56,
  );
  const right = least(
    full.map(({ blocks }) => width - most(blocks.map(({ box }) => rightOf(box)))),
    56,
  );
  const top = least(
    full.map(({ body }) => body.y),
    56,
  );
  const headers = pages.flatMap(({ furniture }) => furniture.header);
  const footers = pages.flatMap(({ furniture }) => furniture.footer);
  const headerTop = least(
    headers.map(({ box }) => box.y),
    28,
  );
  const headerEnd = most(headers.map(({ box }) => bottomOf(box)));
  const footerTop = least(
    footers.map(({ box }) => box.y),
    height,
  );
  const footerEnd = most(footers.map(({ box }) => bottomOf(box)));
  const bounded = (value: number, share: number): number => Math.min(Math.max(LEAST_MARGIN, value), share);
  return {
    left: bounded(left - 1, width * 0.45),
    // A little more room than the text had: lines of other fonts are longer.
    right: bounded(right - 4, width * 0.45),
    top: bounded(Math.max(top - 2, headers.length > 0 ? headerEnd : 0), height * 0.6),
    bottom: bounded(footers.length > 0 ? height - footerTop + 4 : LEAST_MARGIN, height * 0.4),
    header: bounded(headerTop - 2, height * 0.3),
    footer: bounded(footers.length > 0 ? height - footerEnd - 2 : LEAST_MARGIN, height * 0.3),
  };
}

const most = (values: readonly number[]): number => values.reduce((a, b) => Math.max(a, b), 0);

export const isBehind = (block: Block, pageArea: number): block is Figure =>
  block.kind === 'figure' && block.box.width * block.box.height > pageArea * COVERING;

function planPage(page: Page, margins: Margins, notes: number): PagePlan {
  const groups = groupsOf(page, margins);
  const room = page.height - margins.top - margins.bottom - notes - 2;
  const first = page.blocks.find((block) => !isBehind(block, page.width * page.height));
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
  { space: 1, pitch: 1, size: 1 },
  { space: 0.75, pitch: 1, size: 1 },
  { space: 0.5, pitch: 0.98, size: 1 },
  { space: 0.25, pitch: 0.95, size: 1 },
  { space: 0.1, pitch: 0.92, size: 0.97 },
  { space: 0, pitch: 0.9, size: 0.93 },
  { space: 0, pitch: 0.88, size: 0.87 },
  { space: 0, pitch: 0.88, size: 0.8 },
  { space: 0, pitch: 0.88, size: 0.7 },
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

/** Whether a block stands in the middle of its column. */
export function isCentred(group: Group, box: Box): boolean {
  const left = indentOf(group, box);
  const right = group.columnWidth - left - box.width;
  return left > group.columnWidth * 0.08 && Math.abs(left - right) < group.columnWidth * 0.06;
}

/** The distance of lines: as they stood, or what is usual for their size. */
export function pitchOf(lines: readonly Line[]): number {
  const size = sizeOf(lines);
  const steps: number[] = [];
  for (let i = 1; i < lines.length; i += 1) {
    const step = (lines[i]?.box.y ?? 0) - (lines[i - 1]?.box.y ?? 0);
    if (step > size * 0.7 && step < size * 2.5) steps.push(step);
  }
  steps.sort((a, b) => a - b);
  return Math.max(size, steps[steps.length >> 1] ?? size * 1.2);
}

export const sizeOf = (lines: readonly Line[]): number => {
  const sizes = lines.flatMap(({ runs }) =>
    runs.filter(({ text }) => text.trim() !== '').map(({ style }) => style.size),
  );
  sizes.sort((a, b) => a - b);
  return Math.min(1000, Math.max(1, sizes[Math.floor(sizes.length * 0.7)] ?? 10));
};

/** Space between a block and the one before it; nothing where they stand side by side. */
export function gapAbove(block: Block, before: Block | undefined): number {
  if (!before) return 0;
  const gap = block.box.y - bottomOf(before.box);
  const own = 'lines' in block ? pitchOf(block.lines) - sizeOf(block.lines) : 0;
  return Math.min(72, Math.max(0, gap - own));
}

function groupHeight(group: Group, page: Page, tight: Tightness): number {
  const area = page.width * page.height;
  let before: Block | undefined;
  let height = 0;
  let most = 0;
  for (const block of group.blocks) {
    if (isBehind(block, area)) continue;
    const own = blockHeight(block, group.columnWidth - indentOf(group, block.box), tight);
    height += own + gapAbove(block, before) * tight.space;
    most = Math.max(most, own);
    before = block;
  }
  // A column cannot be cut anywhere: the last lines of each may stay empty.
  return group.columns === 1 ? height : Math.max(height / group.columns + 14, Math.min(most, height));
}

export function blockHeight(block: Block, width: number, tight: Tightness): number {
  switch (block.kind) {
    case 'paragraph':
    case 'heading':
      return flowHeight(block, width, tight);
    case 'code':
      return block.lines.length * pitchOf(block.lines) * tight.pitch * tight.size;
    case 'list':
      return listHeight(block, width, tight);
    case 'table':
      return tableHeight(block, tight) + (block.caption ? flowHeight(block.caption, width, tight) : 0);
    case 'figure': {
      const { height } = figureSize(block, width, tight);
      return height + 3 + (block.caption ? flowHeight(block.caption, width, tight) : 0);
    }
  }
}

/** Text set in another font takes more room than it had. */
function spread(lines: readonly Line[]): number {
  const style = lines.find(({ runs }) => runs.length > 0)?.runs[0]?.style;
  return style ? spreadOf(style.font, style.monospace) : 1.1;
}

/** How long the text would be on one line. */
export const lengthOf = (lines: readonly Line[]): number =>
  spread(lines) * lines.reduce((sum, { box, turn }) => sum + (turn === 0 ? box.width : box.height) + 3, 0);

function flowHeight({ lines }: Pick<Flow, 'lines'>, width: number, tight: Tightness): number {
  const estimated = Math.max(1, Math.ceil((lengthOf(lines) * tight.size) / Math.max(20, width)));
  return estimated * pitchOf(lines) * tight.pitch * tight.size;
}

function listHeight({ items }: List, width: number, tight: Tightness): number {
  let before: Block | undefined;
  let height = 0;
  for (const block of items.flatMap(({ blocks }) => blocks)) {
    height += blockHeight(block, Math.max(40, width - 18), tight) + gapAbove(block, before) * tight.space;
    before = block;
  }
  return height;
}

function tableHeight({ rows, columnEdges }: Table, tight: Tightness): number {
  return rows.reduce((sum, { cells, height }) => {
    const tallest = cells.reduce((most, { column, columnSpan, rowSpan, blocks }) => {
      if (rowSpan > 1) return most;
      const width = Math.max(12, (columnEdges[column + columnSpan] ?? 0) - (columnEdges[column] ?? 0) - 4);
      const own = blocks.reduce((total, block) => total + cellBlockHeight(block, width, tight), 0);
      return Math.max(most, own);
    }, 0);
    return sum + Math.max(height * tight.space * 0.96, tallest) + 1.5;
  }, 0);
}

function cellBlockHeight(block: Paragraph | List, width: number, tight: Tightness): number {
  return blockHeight(block, width, tight);
}

/** A picture as large as it was, within its column. */
export function figureSize(
  { box }: Figure,
  width: number,
  tight: Tightness,
): { width: number; height: number } {
  const shrink = Math.min(1, width / Math.max(1, box.width)) * Math.min(1, tight.size);
  return { width: Math.max(1, box.width * shrink), height: Math.max(1, box.height * shrink) };
}
