// Where a document's outline cuts it into chapters.

import { withoutUnseen } from '../../contract/unseen.ts';
import type { PdfDocument } from '../document.ts';
import { Dict } from '../objects.ts';
import { destinationOf, pageIndexes, pageIndexOf, readNamedDestinations } from '../structure/destinations.ts';
import { type OutlineNode, readOutline } from '../structure/outlines.ts';
import type { PageRun } from './page-parts.ts';

export interface Chapter extends PageRun {
  title: string;
}

export interface ChapterOptions {
  /** Deepest level of the outline that cuts; 0 is the top level. */
  deepest: number;
  /** Bookmarks on one page make parts of their own; else they make one, titles joined. */
  separate: boolean;
  /** Pages before the first bookmark are a part too. */
  frontMatter: boolean;
}

const FRONT_TITLE = 'front';
const MAX_TITLE = 100;

/** Runs of pages counted from 0; empty where no bookmark leads to a page. */
export function chaptersOf(doc: PdfDocument, { deepest, separate, frontMatter }: ChapterOptions): Chapter[] {
  const starts = readStarts(doc, deepest);
  const [first] = starts;
  if (!first) return [];
  const merged = separate ? starts : joinSamePage(starts);
  const all = frontMatter && first.page > 0 ? [{ page: 0, title: FRONT_TITLE }, ...merged] : merged;
  return all.map(({ page, title }, index) => {
    // "A part runs to the page before the next part's start, at least one page."
    const next = all[index + 1]?.page ?? doc.pageCount;
    return { from: page, to: Math.max(page + 1, next), title };
  });
}

interface Start {
  page: number;
  title: string;
}

function readStarts(doc: PdfDocument, deepest: number): Start[] {
  const named = readNamedDestinations(doc);
  const indexes = pageIndexes(doc);
  const starts: Start[] = [];
  const visit = (nodes: readonly OutlineNode[], depth: number): void => {
    for (const { title, dest, action, children } of nodes) {
      const destination = destinationOf(doc, named, Dict.of({ Dest: dest, A: action }));
      const page = destination && pageIndexOf(destination, indexes);
      if (page !== undefined) starts.push({ page, title });
      if (depth < deepest) visit(children, depth + 1);
    }
  };
  visit(readOutline(doc), 0);
  // An outline may jump about; parts follow the pages. Sorting keeps the order of bookmarks on one page.
  return starts.sort((a, b) => a.page - b.page);
}

function joinSamePage(starts: readonly Start[]): Start[] {
  const joined: Start[] = [];
  for (const { page, title } of starts) {
    const last = joined.at(-1);
    if (last?.page === page) last.title += ` ${title}`;
    else joined.push({ page, title });
  }
  return joined;
}

/** "<index from 0, padded to equal width> <title>.pdf" */
export function chapterFileNames(chapters: readonly Chapter[]): string[] {
  const width = String(Math.max(0, chapters.length - 1)).length;
  return chapters.map(({ title }, index) => {
    const clean = fileTitle(title);
    return `${String(index).padStart(width, '0')}${clean === '' ? '' : ` ${clean}`}.pdf`;
  });
}

/** "titles without / \ : * ? " < > | and control characters, at most 100 characters" */
function fileTitle(title: string): string {
  const clean = withoutUnseen(title.replace(/[/\\:*?"<>|]/g, ''))
    .normalize('NFC')
    .trim();
  return [...clean].slice(0, MAX_TITLE).join('').trim();
}
