// Annotations that go, with the form fields that have no other place.
import type { PdfDocument } from '../document.ts';
import { FieldTree } from '../forms/field-tree.ts';
import { Dict, isName, type PdfValue, Ref } from '../objects.ts';

/** Removes annotations of the pages and tells the keys of those that were objects of their own. */
export function removeAnnotations(
  doc: PdfDocument,
  isGone: (annotation: Dict, page: Ref) => boolean,
): ReadonlySet<string> {
  const placed = new Map<string, Ref>();
  const widgets: Ref[] = [];
  const lists = doc.pages().map((page) => {
    const held = doc.array(doc.dict(page)?.get('Annots')) ?? [];
    for (const each of held) {
      if (!(each instanceof Ref) || !(doc.get(each) instanceof Dict)) continue;
      placed.set(each.key, each);
      if (isName(doc.resolve(doc.dict(each)?.get('Subtype')), 'Widget')) widgets.push(each);
    }
    return { page, held, kept: held.filter((each) => !isGoneAnnotation(doc, each, page, isGone)) };
  });
  const shown = new Set(lists.flatMap(({ kept }) => kept.flatMap(keyOf)));
  const gone = new Set([...placed.keys()].filter((key) => !shown.has(key)));
  if (lists.every(({ held, kept }) => held.length === kept.length)) return gone;
  // Windows of notes and answers to them go with the notes.
  const belongsToGone = (value: PdfValue): boolean => {
    const dict = doc.dict(value);
    const parent = isName(doc.resolve(dict?.get('Subtype')), 'Popup')
      ? dict?.get('Parent')
      : dict?.get('IRT');
    return parent instanceof Ref && gone.has(parent.key);
  };
  const fields = new FieldTree(doc, widgets);
  for (const { page, held, kept } of lists) {
    const left = kept.filter((each) => !belongsToGone(each));
    for (const each of kept) if (belongsToGone(each)) for (const key of keyOf(each)) gone.add(key);
    if (left.length === held.length) continue;
    doc.edit(page).put('Annots', left.length > 0 ? left : undefined);
  }
  for (const key of gone) {
    const ref = placed.get(key);
    if (ref) doc.replace(ref, null);
  }
  const left = new Set([...placed.keys()].filter((key) => !gone.has(key)));
  fields.keep(doc.edit(doc.catalogRef), left, (key) => placed.has(key));
  return gone;
}

const keyOf = (value: PdfValue): string[] => (value instanceof Ref ? [value.key] : []);

function isGoneAnnotation(
  doc: PdfDocument,
  value: PdfValue,
  page: Ref,
  isGone: (annotation: Dict, page: Ref) => boolean,
): boolean {
  const dict = doc.resolve(value);
  return dict instanceof Dict && isGone(dict, page);
}
