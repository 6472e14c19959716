// Cutting the structure tree down to the pages that remain.
import { append } from '../../contract/maps.ts';
import type { PdfDocument } from '../document.ts';
import { Dict, type PdfValue, Ref } from '../objects.ts';
import { buildNameTree, type NameEntry } from './name-tree.ts';
import { buildNumberTree } from './number-tree.ts';
import type { ParentEntry, StructureElement, StructureIndex, StructureItem } from './structure-tree.ts';

export interface StructureKept {
  pages: readonly string[];
  isKept(pageKey: string): boolean;
  /** Annotations of any page that are not shown any more. */
  isAnnotationGone(key: string): boolean;
  /** StructParents of the pages and StructParent of the annotations that remain. */
  parentKeys: Iterable<number>;
}

export class StructurePruner {
  private readonly doc: PdfDocument;
  private readonly index: StructureIndex;
  /** Entries of the parent tree that belong to neither page nor annotation, by the page of their element. */
  private readonly otherParents = new Map<string, ParentEntry[]>();

  /** `ownKeys` are the parent-tree keys of all pages and annotations. */
  constructor(doc: PdfDocument, index: StructureIndex, ownKeys: ReadonlySet<number>) {
    this.doc = doc;
    this.index = index;
    for (const entry of index.parents.values()) {
      const page = ownKeys.has(entry.key) ? undefined : this.pageOfEntry(entry);
      if (page === undefined) continue;
      append(this.otherParents, page, entry);
    }
  }

  private pageOfEntry({ value }: ParentEntry): string | undefined {
    const refs = this.doc.array(value) ?? [value];
    for (const ref of refs) {
      const page = ref instanceof Ref ? this.index.byRef.get(ref.key)?.page : undefined;
      if (page !== undefined) return page;
    }
    return undefined;
  }

  /** Leaves the elements with content on the pages, and tells which they are. */
  keep(catalog: Dict, kept: StructureKept): ReadonlySet<string> {
    const marked = this.mark(kept);
    const ids: NameEntry[] = [];
    const keys = new Set<string>();
    for (const element of marked) {
      if (!element.ref) continue;
      keys.add(element.ref.key);
      for (const key of element.ids) ids.push({ key, value: element.ref });
    }
    for (const element of marked) {
      if (element.ref && element !== this.index.root)
        this.doc.replace(element.ref, this.build(element, marked, kept));
    }
    const root = this.build(this.index.root, marked, kept);
    root.set('ParentTree', this.parentTree(kept, keys));
    root.put('IDTree', ids.length > 0 ? buildNameTree(this.doc, ids) : undefined);
    const held = catalog.get('StructTreeRoot');
    if (held instanceof Ref) this.doc.replace(held, root);
    else catalog.set('StructTreeRoot', root);
    return keys;
  }

  private mark(kept: StructureKept): Set<StructureElement> {
    const marked = new Set<StructureElement>([this.index.root]);
    for (const page of kept.pages) {
      for (const element of this.index.byPage.get(page) ?? []) {
        if (!this.hasOwnOn(element, kept)) continue;
        for (let at: StructureElement | undefined = element; at && !marked.has(at); at = at.parent)
          marked.add(at);
      }
    }
    return marked;
  }

  private hasOwnOn(element: StructureElement, kept: StructureKept): boolean {
    return element.items.length === 0 || element.items.some((item) => !item.element && stays(item, kept));
  }

  private build(element: StructureElement, marked: ReadonlySet<StructureElement>, kept: StructureKept): Dict {
    const dict = new Dict(element.dict);
    const items: PdfValue[] = [];
    for (const item of element.items) {
      if (!item.element) {
        if (stays(item, kept)) items.push(item.value);
      } else if (marked.has(item.element)) {
        items.push(item.element.ref ?? this.build(item.element, marked, kept));
      }
    }
    dict.put('K', items.length > 0 ? items : undefined);
    const page = dict.get('Pg');
    if (page instanceof Ref && !kept.isKept(page.key)) dict.delete('Pg');
    this.pruneReferences(dict, marked);
    return dict;
  }

  /** Elements may refer to others (footnotes, continued tables); references to gone ones go. */
  private pruneReferences(dict: Dict, marked: ReadonlySet<StructureElement>): void {
    const references = this.doc.array(dict.get('Ref'));
    if (!references) return;
    const left = references.filter((ref) => {
      const element = ref instanceof Ref ? this.index.byRef.get(ref.key) : undefined;
      return element !== undefined && marked.has(element);
    });
    dict.put('Ref', left.length > 0 ? left : undefined);
  }

  private parentTree(kept: StructureKept, marked: ReadonlySet<string>): Ref {
    const entries: ParentEntry[] = [];
    const add = (entry: ParentEntry | undefined): void => {
      const value = entry && this.parentValue(entry.value, marked);
      if (entry && value !== undefined) entries.push({ key: entry.key, value });
    };
    for (const key of kept.parentKeys) add(this.index.parents.get(key));
    for (const page of kept.pages) this.otherParents.get(page)?.forEach(add);
    return buildNumberTree(this.doc, entries);
  }

  private parentValue(value: PdfValue, marked: ReadonlySet<string>): PdfValue | undefined {
    const list = this.doc.array(value);
    const left = (ref: PdfValue): PdfValue => (ref instanceof Ref && marked.has(ref.key) ? ref : null);
    if (list) return list.map(left);
    return left(value) ?? undefined;
  }
}

function stays(item: StructureItem, kept: StructureKept): boolean {
  if (item.object !== undefined && kept.isAnnotationGone(item.object)) return false;
  return item.page === undefined || kept.isKept(item.page);
}
