// Which page a destination leads to. What names mean is learnt once, while all pages are still there.

import type { PdfDocument } from '../document.ts';
import { type Dict, isName, Name, type PdfValue, Ref } from '../objects.ts';
import {
  destinationKey,
  type NamedDestinations,
  readNamedDestinations,
  resolveDestination,
} from './destinations.ts';
import type { NameEntry } from './name-tree.ts';

/** One of the two tables of named destinations, and which page each leads to. */
interface Table {
  pageOf: Map<string, string>;
  /** Under '' those that lead to no page. */
  byPage: Map<string, NameEntry[]>;
}

export class PageTargets {
  private readonly doc: PdfDocument;
  private readonly pages: readonly Ref[];
  private readonly pageKeys: ReadonlySet<string>;
  private readonly names: Table;
  private readonly strings: Table;

  constructor(doc: PdfDocument) {
    this.doc = doc;
    this.pages = doc.pages();
    this.pageKeys = new Set(this.pages.map((ref) => ref.key));
    const named = readNamedDestinations(doc);
    this.names = this.learn(named.names, named);
    this.strings = this.learn(named.strings, named);
  }

  /** The key of the page object; nothing where the destination leads to no page of the document. */
  pageOf(dest: PdfValue | undefined): string | undefined {
    const key = destinationKey(this.doc, dest);
    if (key === undefined)
      return this.pageOfArray(this.doc.array(dest) ?? this.doc.array(this.doc.dict(dest)?.get('D')));
    const [first, second] =
      this.doc.resolve(dest) instanceof Name ? [this.names, this.strings] : [this.strings, this.names];
    return first.pageOf.get(key) ?? second.pageOf.get(key);
  }

  isPage(key: string): boolean {
    return this.pageKeys.has(key);
  }

  /** Named destinations on these pages, and those that never led to a page. */
  namedOn(pages: readonly string[], table: 'names' | 'strings'): NameEntry[] {
    return ['', ...pages].flatMap((page) => this[table].byPage.get(page) ?? []);
  }

  /** Where a GoTo action leads. */
  pageOfAction(action: Dict): string | undefined {
    return isName(this.doc.resolve(action.get('S')), 'GoTo') ? this.pageOf(action.get('D')) : undefined;
  }

  private learn(entries: ReadonlyMap<string, PdfValue>, named: NamedDestinations): Table {
    const table: Table = { pageOf: new Map(), byPage: new Map() };
    for (const [key, value] of entries) {
      const page = resolveDestination(this.doc, named, value)?.page;
      const ref = typeof page === 'number' ? this.pages[page] : page;
      const pageKey = ref && this.pageKeys.has(ref.key) ? ref.key : '';
      if (pageKey !== '') table.pageOf.set(key, pageKey);
      const list = table.byPage.get(pageKey);
      const entry = { key, value };
      if (list) list.push(entry);
      else table.byPage.set(pageKey, [entry]);
    }
    return table;
  }

  private pageOfArray(array: PdfValue[] | undefined): string | undefined {
    const page = array?.[0];
    if (page instanceof Ref) return this.pageKeys.has(page.key) ? page.key : undefined;
    return typeof page === 'number' ? this.pages[page]?.key : undefined;
  }
}
