// Tags of annotations that become page content: what named the annotation names the content (ISO 32000-1, 14.7.4).
import type { PdfDocument } from '../document.ts';
import { Dict, name, type PdfValue, Ref } from '../objects.ts';
import { buildNumberTree, readNumberTree } from './number-tree.ts';

export class FlattenedTags {
  private readonly doc: PdfDocument;
  private readonly root: Dict | undefined;
  private readonly parents = new Map<number, PdfValue>();
  private changed = false;

  constructor(doc: PdfDocument) {
    this.doc = doc;
    this.root = doc.dict(doc.catalog.get('StructTreeRoot'));
    if (!this.root) return;
    for (const { key, value } of readNumberTree(doc, this.root.get('ParentTree')))
      this.parents.set(key, value);
  }

  /** The number for marked content on the page that stands for the annotation; undefined: it has no tag. */
  contentNumber(page: Ref, annotation: Ref): number | undefined {
    const element = this.elementOf(annotation);
    if (!element) return undefined;
    const list = this.listOf(page);
    const number = list.length;
    list.push(element);
    this.replaceKid(element, annotation, Dict.of({ Type: name('MCR'), Pg: page, MCID: number }));
    return number;
  }

  /** Nothing is drawn for the annotation: its tag loses it. */
  forget(annotation: Ref): void {
    const element = this.elementOf(annotation);
    if (element) this.replaceKid(element, annotation, undefined);
  }

  finish(): void {
    if (!this.root || !this.changed) return;
    const entries = [...this.parents].map(([key, value]) => ({ key, value }));
    const root = new Dict(this.root);
    root.set('ParentTree', buildNumberTree(this.doc, entries));
    root.set('ParentTreeNextKey', this.nextKey());
    const held = this.doc.catalog.get('StructTreeRoot');
    if (held instanceof Ref) this.doc.replace(held, root);
    else this.doc.edit(this.doc.catalogRef).set('StructTreeRoot', root);
  }

  private elementOf(annotation: Ref): Ref | undefined {
    const key = this.doc.number(this.doc.dict(annotation)?.get('StructParent'));
    const element = key === undefined ? undefined : this.parents.get(key);
    return element instanceof Ref && this.doc.dict(element) ? element : undefined;
  }

  private replaceKid(element: Ref, annotation: Ref, instead: Dict | undefined): void {
    const { doc } = this;
    this.changed = true;
    const key = doc.number(doc.dict(annotation)?.get('StructParent'));
    if (key !== undefined) this.parents.delete(key);
    const held = doc.dict(element)?.get('K');
    const kids = doc.array(held) ?? (held === undefined ? [] : [held]);
    const left = kids.flatMap((kid): PdfValue[] => {
      const object = doc.dict(kid)?.get('Obj');
      if (!(object instanceof Ref) || object.key !== annotation.key) return [kid];
      return instead ? [instead] : [];
    });
    doc.edit(element).set('K', left);
  }

  /** The elements of a page's content by number. */
  private listOf(page: Ref): PdfValue[] {
    const { doc } = this;
    let key = doc.number(doc.dict(page)?.get('StructParents'));
    if (key === undefined) {
      key = this.nextKey();
      doc.edit(page).set('StructParents', key);
    }
    const list = [...(doc.array(this.parents.get(key)) ?? [])];
    this.parents.set(key, list);
    return list;
  }

  private nextKey(): number {
    let next = this.doc.number(this.root?.get('ParentTreeNextKey')) ?? 0;
    for (const key of this.parents.keys()) next = Math.max(next, key + 1);
    return next;
  }
}
