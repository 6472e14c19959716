// Signature fields go, what they showed stays as page content.

import { drawAppearances } from '../annotations/flatten-appearances.ts';
import type { PdfDocument } from '../document.ts';
import { formOf } from '../forms/form-tree.ts';
import { MAX_TREE_DEPTH } from '../object-graph.ts';
import { Dict, isName, type PdfValue, Ref } from '../objects.ts';

/**
 * Removes signature fields, Perms and DSS; visible appearances are drawn on their pages. `signedOnly` leaves
 * fields that nobody has signed. Tells whether there was anything to remove.
 */
export function flattenSignatures(doc: PdfDocument, { signedOnly = false } = {}): boolean {
  const isSignature: FieldTest = (field) =>
    isName(doc.inherited(field, 'FT'), 'Sig') && !(signedOnly && doc.inherited(field, 'V') === null);
  const form = formOf(doc);
  const catalog = doc.catalog;
  const certified = catalog.has('Perms') || catalog.has('DSS');
  let changed = form ? removeFields(doc, form, isSignature) : false;
  for (const page of doc.pages()) if (flattenPage(doc, page, isSignature)) changed = true;
  if (!changed && !certified) return false;
  const edited = doc.edit(doc.catalogRef);
  for (const key of ['Perms', 'DSS', 'Legal']) edited.delete(key);
  return true;
}

type FieldTest = (field: Dict) => boolean;

/** The form without signature fields, or no form where none is left. */
function removeFields(doc: PdfDocument, form: Dict, isSignature: FieldTest): boolean {
  const seen = new Set<string>();
  let changed = false;
  const keep = (values: readonly PdfValue[], depth: number): PdfValue[] =>
    values.filter((value) => {
      const dict = doc.dict(value);
      if (!dict || depth > MAX_TREE_DEPTH) return true;
      if (value instanceof Ref) {
        if (seen.has(value.key)) return true;
        seen.add(value.key);
      }
      if (isSignature(dict)) {
        changed = true;
        return false;
      }
      const kids = doc.array(dict.get('Kids'));
      if (!kids) return true;
      const left = keep(kids, depth + 1);
      if (left.length === kids.length) return true;
      if (value instanceof Ref) doc.edit(value).set('Kids', left);
      return left.length > 0;
    });
  const fields = doc.array(form.get('Fields')) ?? [];
  const left = keep(fields, 0);
  if (!changed) return false;
  const catalog = doc.edit(doc.catalogRef);
  if (left.length === 0 && !form.has('XFA')) {
    catalog.delete('AcroForm');
    return true;
  }
  const copy = new Dict(form);
  copy.set('Fields', left);
  copy.delete('SigFlags');
  const order = doc.array(copy.get('CO'))?.filter((field) => !isSignature(doc.dict(field) ?? new Dict()));
  if (order) copy.set('CO', order);
  catalog.set('AcroForm', doc.add(copy));
  return true;
}

function flattenPage(doc: PdfDocument, page: Ref, isSignature: FieldTest): boolean {
  const annotations = doc.array(doc.dict(page)?.get('Annots')) ?? [];
  const left: PdfValue[] = [];
  const gone: [PdfValue, Dict][] = [];
  for (const annotation of annotations) {
    const dict = doc.dict(annotation);
    if (dict && isName(doc.resolve(dict.get('Subtype')), 'Widget') && isSignature(dict))
      gone.push([annotation, dict]);
    else left.push(annotation);
  }
  if (gone.length === 0) return false;
  drawAppearances(
    doc,
    page,
    gone.map(([, dict]) => dict),
  );
  // Tags may still lead to the widget; its signature must not stay with them.
  for (const [widget] of gone) if (widget instanceof Ref) doc.replace(widget, null);
  if (left.length === 0) doc.edit(page).delete('Annots');
  else doc.edit(page).set('Annots', left);
  return true;
}
