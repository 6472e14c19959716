// The outline as callers see it: titles, page numbers, children. And back.
import { Problem } from '../../contract/problems.ts';
import type { PdfDocument } from '../document.ts';
import { Dict } from '../objects.ts';
import { destinationOf, pageIndexes, pageIndexOf, readNamedDestinations, topOfPage } from './destinations.ts';
import { type OutlineNode, readOutline } from './outlines.ts';

export interface Bookmark {
  title: string;
  /** From 1. */
  pageNumber: number;
  children: Bookmark[];
}

export function readBookmarks(doc: PdfDocument): Bookmark[] {
  const outline = readOutline(doc);
  if (outline.length === 0) return [];
  const named = readNamedDestinations(doc);
  const indexes = pageIndexes(doc);
  const read = ({ title, dest, action, children }: OutlineNode): Bookmark => {
    const destination = destinationOf(doc, named, Dict.of({ Dest: dest, A: action }));
    const index = destination && pageIndexOf(destination, indexes);
    // Operations, extract-bookmarks: "an entry without destination has pageNumber 1".
    return { title, pageNumber: (index ?? 0) + 1, children: children.map(read) };
  };
  return outline.map(read);
}

/** Bookmarks as outline entries, closed, each leading to the top of its page. */
export function outlineOf(doc: PdfDocument, bookmarks: readonly Bookmark[], place: string): OutlineNode[] {
  const pages = doc.pages();
  const node = ({ title, pageNumber, children }: Bookmark, at: string): OutlineNode => {
    const page = pages[pageNumber - 1];
    if (!page) {
      const detail = `${at}.pageNumber is ${pageNumber}; the document has ${pages.length} page${pages.length === 1 ? '' : 's'}.`;
      throw new Problem('page_out_of_range', detail);
    }
    return { title, dest: topOfPage(doc, page), open: false, children: nodes(children, `${at}.children`) };
  };
  const nodes = (list: readonly Bookmark[], at: string) =>
    list.map((each, index) => node(each, `${at}[${index}]`));
  return nodes(bookmarks, place);
}
