// Forms as they should be: every field an object of its own, every widget's field listed.
import type { PdfDocument } from '../document.ts';
import { MAX_TREE_DEPTH } from '../object-graph.ts';
import { Dict, isName, type PdfValue, Ref } from '../objects.ts';
import { formOf } from './form-tree.ts';

/**
 * Fields written into a list become objects; fields that only their widgets know are listed. Without a form
 * dictionary nothing happens.
 */
export function repairForm(doc: PdfDocument): void {
  const form = formOf(doc);
  if (!form) return;
  const listed = fieldList(doc, form);
  const known = new Set<string>();
  ownObjects(doc, listed.values, known, 0);
  const found = unlistedRoots(doc, known);
  if (listed.changed || found.length > 0) editForm(doc).set('Fields', [...listed.values, ...found]);
}

/** The form dictionary, to be changed. */
export function editForm(doc: PdfDocument): Dict {
  const held = doc.catalog.get('AcroForm');
  if (held instanceof Ref && doc.dict(held)) return doc.edit(held);
  const catalog = doc.edit(doc.catalogRef);
  const form = doc.dict(held) ?? new Dict();
  catalog.set('AcroForm', form);
  return form;
}

interface FieldList {
  values: PdfValue[];
  changed: boolean;
}

function fieldList(doc: PdfDocument, holder: Dict, key = 'Fields'): FieldList {
  let changed = false;
  const values = (doc.array(holder.get(key)) ?? []).map((value) => {
    if (!(value instanceof Dict)) return value;
    changed = true;
    return doc.add(value);
  });
  return { values, changed };
}

function ownObjects(doc: PdfDocument, fields: readonly PdfValue[], known: Set<string>, depth: number): void {
  if (depth > MAX_TREE_DEPTH) return;
  for (const field of fields) {
    const dict = doc.dict(field);
    if (!(field instanceof Ref) || !dict || known.has(field.key)) continue;
    known.add(field.key);
    if (!dict.has('Kids')) continue;
    const kids = fieldList(doc, dict, 'Kids');
    if (kids.changed) doc.edit(field).set('Kids', kids.values);
    for (const kid of kids.changed ? kids.values : [])
      if (kid instanceof Ref && doc.dict(kid)) doc.edit(kid).set('Parent', field);
    ownObjects(doc, kids.values, known, depth + 1);
  }
}

/** The topmost fields of widgets on pages that the form does not lead to. */
function unlistedRoots(doc: PdfDocument, known: ReadonlySet<string>): Ref[] {
  const roots = new Map<string, Ref>();
  for (const page of doc.pages()) {
    for (const annotation of doc.array(doc.dict(page)?.get('Annots')) ?? []) {
      if (!(annotation instanceof Ref) || known.has(annotation.key)) continue;
      const dict = doc.dict(annotation);
      if (!dict || !isName(doc.resolve(dict.get('Subtype')), 'Widget')) continue;
      const root = rootOf(doc, annotation);
      if (!known.has(root.key) && isField(doc, root)) roots.set(root.key, root);
    }
  }
  return [...roots.values()];
}

function rootOf(doc: PdfDocument, widget: Ref): Ref {
  let root = widget;
  for (let depth = 0; depth < MAX_TREE_DEPTH; depth += 1) {
    const parent = doc.dict(root)?.get('Parent');
    if (!(parent instanceof Ref) || !doc.dict(parent)) return root;
    root = parent;
  }
  return root;
}

const isField = (doc: PdfDocument, ref: Ref): boolean => {
  const dict = doc.dict(ref);
  return dict !== undefined && (dict.has('T') || dict.has('FT')) && !dict.has('Pages');
};
