// Tags follow pages that became form XObjects: content is told by the form it stands in (ISO 32000-1, 14.7.4.2).
import type { PdfDocument } from '../document.ts';
import { Dict, isName, name, type PdfValue, Ref } from '../objects.ts';
import type { StructureElement, StructureIndex, StructureItem } from './structure-tree.ts';

export interface TaggedMove {
  sheet: Ref;
  form: Ref;
}

/** Call after the forms are made: each takes over the key under which its page stood in the parent tree. */
export function moveStructure(
  doc: PdfDocument,
  index: StructureIndex,
  moveOf: (pageKey: string) => TaggedMove | undefined,
): void {
  const build = (element: StructureElement): Dict => {
    const dict = new Dict(element.dict);
    const items = element.items.map((item) => {
      if (!item.element) return movedItem(doc, item, moveOf);
      if (!item.element.ref) return build(item.element);
      doc.replace(item.element.ref, build(item.element));
      return item.element.ref;
    });
    if (items.length > 0) dict.set('K', items);
    const page = dict.get('Pg');
    const sheet = page instanceof Ref ? moveOf(page.key)?.sheet : undefined;
    if (sheet) dict.set('Pg', sheet);
    return dict;
  };
  const held = doc.catalog.get('StructTreeRoot');
  const root = build(index.root);
  if (held instanceof Ref) doc.replace(held, root);
  else doc.edit(doc.catalogRef).set('StructTreeRoot', root);
}

function movedItem(
  doc: PdfDocument,
  { value, page }: StructureItem,
  moveOf: (pageKey: string) => TaggedMove | undefined,
): PdfValue {
  const move = page === undefined ? undefined : moveOf(page);
  if (!move) return value;
  if (typeof value === 'number')
    return Dict.of({ Type: name('MCR'), Pg: move.sheet, Stm: move.form, MCID: value });
  const reference = new Dict(doc.dict(value) ?? []);
  reference.set('Pg', move.sheet);
  // Content that stands in a form of the page already is told by that form.
  if (isName(reference.get('Type'), 'MCR') && !reference.has('Stm')) reference.set('Stm', move.form);
  return reference;
}
