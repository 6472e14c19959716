// A document in chapters: by its bookmarks, else by its headings, else as one flow.

import type { OutlineItem } from '../../contract/page-items.ts';
import { runsText } from '../../layout/lines/runs.ts';
import type { Block, Heading, LaidOutDocument } from '../../layout/model.ts';

/** A block, or the beginning of a page. */
export type ChapterItem = { block: Block } | { page: number };

export interface ContentsEntry {
  title: string;
  /** Where it leads: a page's beginning, or a heading by its number in the document. */
  target: { page: number } | { heading: number };
  children: ContentsEntry[];
}

export interface Chapter {
  title: string;
  items: ChapterItem[];
}

export interface Chapters {
  chapters: Chapter[];
  contents: ContentsEntry[];
  /** Headings by their number. */
  headings: Map<Heading, number>;
}

const MAX_ENTRIES = 2000;
const MAX_DEPTH = 4;
const MAX_TITLE = 200;

export function splitIntoChapters(document: LaidOutDocument, title: string, detect: boolean): Chapters {
  const items = document.pages.flatMap(({ number, blocks }): ChapterItem[] => [
    { page: number },
    ...blocks.map((block) => ({ block })),
  ]);
  const headings = new Map<Heading, number>();
  for (const item of items)
    if ('block' in item && item.block.kind === 'heading') headings.set(item.block, headings.size + 1);
  const pageAt = new Map(items.flatMap((item, at) => ('page' in item ? [[item.page, at] as const] : [])));
  const starts = detect ? (outlineStarts(document, items, pageAt) ?? headingStarts(items)) : [];
  const chapters = cut(items, starts, title);
  const contents =
    document.outline.length > 0 && detect
      ? outlineContents(document.outline, (title, page) => placeOf(items, pageAt, headings, title, page), 0)
      : headingContents(headings);
  const [first] = document.pages;
  const fallback: ContentsEntry[] = [{ title, target: { page: first?.number ?? 1 }, children: [] }];
  return { chapters, contents: contents.length > 0 ? contents : fallback, headings };
}

interface Start {
  at: number;
  title: string;
}

const plain = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');
const titled = (text: string): string => text.replace(/\s+/g, ' ').trim().slice(0, MAX_TITLE) || 'Untitled';

/** A chapter for each bookmark of the first level that leads to a page. */
function outlineStarts(
  document: LaidOutDocument,
  items: readonly ChapterItem[],
  pageAt: ReadonlyMap<number, number>,
): Start[] | undefined {
  const level = document.outline.length === 1 ? (document.outline[0]?.children ?? []) : [];
  const entries = level.length > 1 ? [...document.outline, ...level] : document.outline;
  const starts = entries.slice(0, MAX_ENTRIES).flatMap(({ title, page }): Start[] => {
    const from = page === undefined ? undefined : pageAt.get(page);
    if (from === undefined) return [];
    return [{ at: headingOnPage(items, from, title) ?? from, title: titled(title) }];
  });
  const unique = [...new Map(starts.map((start) => [start.at, start])).values()].sort((a, b) => a.at - b.at);
  return unique.length > 0 ? unique : undefined;
}

/** The heading of that name on the page that begins at a place. */
function headingOnPage(items: readonly ChapterItem[], from: number, title: string): number | undefined {
  const wanted = plain(title);
  for (let at = from + 1; at < items.length; at += 1) {
    const item = items[at];
    if (!item || 'page' in item) return undefined;
    if (item.block.kind !== 'heading') continue;
    const said = plain(runsText(item.block.runs));
    if (said !== '' && wanted !== '' && (said.includes(wanted) || wanted.includes(said))) return at;
  }
  return undefined;
}

/** A chapter for each heading of the highest level that has several. */
function headingStarts(items: readonly ChapterItem[]): Start[] {
  for (const level of [1, 2, 3]) {
    const starts = items.flatMap((item, at): Start[] =>
      'block' in item && item.block.kind === 'heading' && item.block.level <= level
        ? [{ at, title: titled(runsText(item.block.runs)) }]
        : [],
    );
    if (starts.length > 1) return starts.slice(0, MAX_ENTRIES);
  }
  return [];
}

function cut(items: readonly ChapterItem[], starts: readonly Start[], title: string): Chapter[] {
  const chapters: Chapter[] = [];
  let current: Chapter = { title, items: [] };
  let next = 0;
  items.forEach((item, at) => {
    const start = starts[next];
    if (start?.at === at) {
      next += 1;
      // Pages that have only begun belong to what follows; what stands before the first chapter is kept.
      const last = current.items.findLastIndex((each) => 'block' in each);
      const begun = current.items.splice(last + 1);
      if (last >= 0) chapters.push(current);
      current = { title: start.title, items: begun };
    }
    current.items.push(item);
  });
  return [...chapters, current];
}

function outlineContents(
  entries: readonly OutlineItem[],
  place: (title: string, page: number) => ContentsEntry['target'] | undefined,
  depth: number,
): ContentsEntry[] {
  if (depth >= MAX_DEPTH) return [];
  return entries.slice(0, MAX_ENTRIES).flatMap(({ title, page, children }): ContentsEntry[] => {
    const inner = outlineContents(children, place, depth + 1);
    const target = page === undefined ? undefined : place(title, page);
    return target === undefined ? inner : [{ title: titled(title), target, children: inner }];
  });
}

/** The heading of that name on the page, else the page: several bookmarks may lead to one page. */
function placeOf(
  items: readonly ChapterItem[],
  pageAt: ReadonlyMap<number, number>,
  headings: ReadonlyMap<Heading, number>,
  title: string,
  page: number,
): ContentsEntry['target'] | undefined {
  const from = pageAt.get(page);
  if (from === undefined) return undefined;
  const at = headingOnPage(items, from, title);
  const item = at === undefined ? undefined : items[at];
  const heading =
    item && 'block' in item && item.block.kind === 'heading' ? headings.get(item.block) : undefined;
  return heading === undefined ? { page } : { heading };
}

function headingContents(headings: ReadonlyMap<Heading, number>): ContentsEntry[] {
  const root: ContentsEntry[] = [];
  const open: { level: number; children: ContentsEntry[] }[] = [{ level: 0, children: root }];
  for (const [heading, number] of [...headings].slice(0, MAX_ENTRIES)) {
    while (open.length > 1 && ((open.at(-1)?.level ?? 0) >= heading.level || open.length > MAX_DEPTH))
      open.pop();
    const entry: ContentsEntry = {
      title: titled(runsText(heading.runs)),
      target: { heading: number },
      children: [],
    };
    open.at(-1)?.children.push(entry);
    open.push({ level: heading.level, children: entry.children });
  }
  return root;
}
