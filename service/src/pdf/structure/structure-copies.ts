// Tags for copied pages: the elements of a page are copied along, beside the originals.
import { append } from '../../contract/maps.ts';
import type { PdfDocument } from '../document.ts';
import { Dict, isName, type PdfValue, Ref } from '../objects.ts';
import type { PageCopy } from '../page-tree/page-copies.ts';
import { buildNumberTree, type NumberEntry } from './number-tree.ts';
import { readStructure, type StructureElement, type StructureIndex } from './structure-tree.ts';

/** Beyond this many copied elements, further copies of pages stay without tags. */
const MAX_COPIES = 200_000;

const SEVERAL = 'several pages';

export function copyStructure(doc: PdfDocument, copies: readonly PageCopy[]): void {
  const held = doc.catalog.get('StructTreeRoot');
  if (copies.length === 0 || !(held instanceof Ref)) return;
  const index = readStructure(doc, new Set(doc.pages().map((ref) => ref.key)));
  if (!index) return;
  const copier = new StructureCopier(doc, index);
  for (const copy of copies) copier.copyPage(copy);
  copier.write(held);
}

class StructureCopier {
  private readonly doc: PdfDocument;
  private readonly index: StructureIndex;
  private readonly entries: NumberEntry[];
  private nextKey: number;
  private count = 0;
  private readonly extent = new Map<StructureElement, string | undefined>();
  /** Copies to be listed after an element, in order. */
  private readonly beside = new Map<StructureElement, Ref[]>();

  constructor(doc: PdfDocument, index: StructureIndex) {
    this.doc = doc;
    this.index = index;
    this.entries = [...index.parents.values()];
    this.nextKey = 1 + this.entries.reduce((highest, { key }) => Math.max(highest, key), -1);
    this.measure(index.root);
  }

  /** The one page all content below an element is on. */
  private measure(element: StructureElement): string | undefined {
    let page: string | undefined;
    for (const item of element.items) {
      const below = item.element ? this.measure(item.element) : item.page;
      if (below !== undefined) page = page === undefined || page === below ? below : SEVERAL;
    }
    page ??= element.page;
    this.extent.set(element, page);
    return page;
  }

  copyPage({ original, copy, annotations }: PageCopy): void {
    const made = new Map<StructureElement, Ref>();
    for (const element of this.index.byPage.get(original.key) ?? []) {
      const top = this.topOf(element, original.key);
      if (!top.ref || !top.parent || made.has(top) || this.count >= MAX_COPIES) continue;
      const ref = this.copyElement(top, top.parent.ref, { original, copy, annotations }, made);
      append(this.beside, top, ref);
    }
    this.listParents(original, copy, annotations, made);
  }

  /** The highest element above that holds nothing but this page; the document element itself is not doubled. */
  private topOf(element: StructureElement, page: string): StructureElement {
    let top = element;
    for (
      let above = top.parent;
      above?.parent?.parent && this.extent.get(above) === page;
      above = above.parent
    ) {
      top = above;
    }
    return top;
  }

  private copyElement(
    element: StructureElement,
    parent: Ref | undefined,
    page: PageCopy,
    made: Map<StructureElement, Ref>,
  ): Ref {
    this.count += 1;
    const dict = new Dict(element.dict);
    const ref = this.doc.add(dict);
    made.set(element, ref);
    dict.delete('ID');
    if (parent) dict.set('P', parent);
    dict.set('Pg', page.copy);
    const isWhole = this.extent.get(element) === page.original.key;
    const kids: PdfValue[] = [];
    for (const item of element.items) {
      if (item.element) {
        // Of an element over several pages, those below it that are on this page alone are copied by themselves.
        if (isWhole && !made.has(item.element)) kids.push(this.copyElement(item.element, ref, page, made));
      } else if (item.page === page.original.key) {
        const content = this.copyContent(item.value, page);
        if (content !== undefined) kids.push(content);
      }
    }
    dict.put('K', kids.length > 0 ? kids : undefined);
    return ref;
  }

  private copyContent(value: PdfValue, page: PageCopy): PdfValue | undefined {
    const content = this.doc.resolve(value);
    if (!(content instanceof Dict)) return typeof content === 'number' ? content : undefined;
    const copy = new Dict(content);
    if (copy.has('Pg')) copy.set('Pg', page.copy);
    if (!isName(copy.get('Type'), 'OBJR')) return copy;
    const object = copy.get('Obj');
    const annotation = object instanceof Ref ? page.annotations.get(object.key) : undefined;
    if (!annotation) return undefined;
    copy.set('Obj', annotation);
    return copy;
  }

  /** Pages and annotations name, by a number, what they belong to: copies get numbers of their own. */
  private listParents(
    original: Ref,
    copy: Ref,
    annotations: ReadonlyMap<string, Ref>,
    made: ReadonlyMap<StructureElement, Ref>,
  ): void {
    const copied = (value: PdfValue): PdfValue => {
      const element = value instanceof Ref ? this.index.byRef.get(value.key) : undefined;
      return (element && made.get(element)) ?? null;
    };
    const list = (holder: Ref, key: 'StructParents' | 'StructParent', number: PdfValue | undefined): void => {
      const entry = typeof number === 'number' ? this.index.parents.get(number) : undefined;
      if (!entry) return;
      const value = this.doc.array(entry.value)?.map(copied) ?? copied(entry.value);
      if (value === null) return;
      this.entries.push({ key: this.nextKey, value });
      this.doc.edit(holder).set(key, this.nextKey);
      this.nextKey += 1;
    };
    list(copy, 'StructParents', this.doc.dict(original)?.get('StructParents'));
    for (const [key, ref] of annotations) list(ref, 'StructParent', this.structParentOf(key));
  }

  private structParentOf(annotationKey: string): PdfValue | undefined {
    const [number, generation] = annotationKey.split(' ').map(Number);
    return this.doc.dict(new Ref(number ?? 0, generation))?.get('StructParent');
  }

  write(root: Ref): void {
    const parents = new Set([...this.beside.keys()].map((element) => element.parent));
    for (const parent of parents) {
      if (!parent?.ref) continue;
      const kids = parent.items.flatMap(({ value, element }) => [
        value,
        ...((element && this.beside.get(element)) ?? []),
      ]);
      this.doc.edit(parent.ref).set('K', kids);
    }
    const dict = this.doc.edit(root);
    dict.set('ParentTree', buildNumberTree(this.doc, this.entries));
    dict.set('ParentTreeNextKey', this.nextKey);
  }
}
