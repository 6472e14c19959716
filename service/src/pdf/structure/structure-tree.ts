// The structure tree (tags), to be cut down to what stands on some pages as often as wished. Read once into
// elements that know their pages, so that one page of a large document costs only that page's elements.
import type { PdfDocument } from '../document.ts';
import { Dict, isName, type PdfValue, Ref } from '../objects.ts';
import { readNameTree } from './name-tree.ts';
import { readNumberTree } from './number-tree.ts';

export interface StructureElement {
  /** Absent: written inside its parent. */
  ref: Ref | undefined;
  dict: Dict;
  parent: StructureElement | undefined;
  items: StructureItem[];
  /** The page of the first content below. */
  page: string | undefined;
  /** Keys in the tree of element ids. */
  ids: string[];
}

/** What stands under K: an element, or content on a page. */
export interface StructureItem {
  value: PdfValue;
  element?: StructureElement;
  page?: string;
  /** The annotation or XObject that an object reference names. */
  object?: string;
}

/** An entry of the parent tree: what a page, an annotation or an XObject belongs to. */
export interface ParentEntry {
  key: number;
  value: PdfValue;
}

const MAX_ELEMENTS = 1_000_000;
const MAX_DEPTH = 300;

export interface StructureIndex {
  root: StructureElement;
  byRef: ReadonlyMap<string, StructureElement>;
  /** Elements with content of their own on a page. */
  byPage: ReadonlyMap<string, readonly StructureElement[]>;
  parents: ReadonlyMap<number, ParentEntry>;
}

export function readStructure(doc: PdfDocument, pages: ReadonlySet<string>): StructureIndex | undefined {
  const held = doc.catalog.get('StructTreeRoot');
  const dict = doc.dict(held);
  if (!dict) return undefined;
  const reader = new StructureReader(doc, pages);
  const root = reader.read(held instanceof Ref ? held : undefined, dict);
  for (const { key, value } of readNameTree(doc, dict.get('IDTree'))) {
    if (value instanceof Ref) reader.byRef.get(value.key)?.ids.push(key);
  }
  const parents = new Map<number, ParentEntry>();
  for (const { key, value } of readNumberTree(doc, dict.get('ParentTree'))) parents.set(key, { key, value });
  return { root, byRef: reader.byRef, byPage: reader.byPage, parents };
}

class StructureReader {
  readonly byRef = new Map<string, StructureElement>();
  readonly byPage = new Map<string, StructureElement[]>();
  private readonly doc: PdfDocument;
  private readonly pages: ReadonlySet<string>;
  private lastPage: string | undefined;
  private count = 0;

  constructor(doc: PdfDocument, pages: ReadonlySet<string>) {
    this.doc = doc;
    this.pages = pages;
  }

  read(ref: Ref | undefined, dict: Dict): StructureElement {
    return this.element(ref, dict, undefined, undefined, 0);
  }

  private element(
    ref: Ref | undefined,
    dict: Dict,
    parent: StructureElement | undefined,
    pageAbove: string | undefined,
    depth: number,
  ): StructureElement {
    this.count += 1;
    const made: StructureElement = { ref, dict: new Dict(dict), parent, items: [], page: undefined, ids: [] };
    if (ref) this.byRef.set(ref.key, made);
    const page = this.pageKey(dict.get('Pg')) ?? pageAbove;
    const kids = this.doc.resolve(dict.get('K'));
    for (const kid of Array.isArray(kids) ? kids : kids === null ? [] : [dict.get('K') ?? null]) {
      const item = this.item(kid, made, page, depth);
      if (item) made.items.push(item);
    }
    const firstPage = made.items
      .map((item) => item.element?.page ?? item.page)
      .find((each) => each !== undefined);
    // An element without content stands where its neighbours stand.
    made.page = firstPage ?? page ?? this.lastPage;
    if (made.items.length === 0) this.note(made, made.page);
    return made;
  }

  private item(
    value: PdfValue,
    parent: StructureElement,
    page: string | undefined,
    depth: number,
  ): StructureItem | undefined {
    const resolved = this.doc.resolve(value);
    if (typeof resolved === 'number') return this.content(parent, { value: resolved }, page);
    if (!(resolved instanceof Dict)) return undefined;
    const type = resolved.get('Type');
    if (isName(type, 'MCR') || isName(type, 'OBJR')) {
      const object = resolved.get('Obj');
      const item = { value, ...(object instanceof Ref ? { object: object.key } : {}) };
      return this.content(parent, item, this.pageKey(resolved.get('Pg')) ?? page);
    }
    const ref = value instanceof Ref ? value : undefined;
    if ((ref && this.byRef.has(ref.key)) || depth >= MAX_DEPTH || this.count >= MAX_ELEMENTS)
      return undefined;
    return { value, element: this.element(ref, resolved, parent, page, depth + 1) };
  }

  private content(parent: StructureElement, item: StructureItem, page: string | undefined): StructureItem {
    const where = page ?? this.lastPage;
    this.lastPage = where;
    this.note(parent, where);
    return where === undefined ? item : { ...item, page: where };
  }

  private note(element: StructureElement, page: string | undefined): void {
    if (page === undefined) return;
    const list = this.byPage.get(page);
    if (!list) this.byPage.set(page, [element]);
    else if (list.at(-1) !== element) list.push(element);
  }

  private pageKey(value: PdfValue | undefined): string | undefined {
    return value instanceof Ref && this.pages.has(value.key) ? value.key : undefined;
  }
}
