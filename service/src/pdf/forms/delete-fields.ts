// Taking fields out of a form: with their widgets, with all fields below, and with parents left empty.
import type { PdfDocument } from '../document.ts';
import { type PdfValue, Ref } from '../objects.ts';
import { FlattenedTags } from '../structure/structure-flattening.ts';
import { dropXfa } from './fill-form.ts';
import { editForm } from './form-repair.ts';
import { everyField, type FormField, readFormTree } from './form-tree.ts';

/** Deletes fields by full name; unknown names change nothing. */
export function deleteFields(doc: PdfDocument, names: ReadonlySet<string>): void {
  const gone = new Map<string, Ref>();
  const roots = readFormTree(doc).filter((field) => keep(doc, field, names, gone));
  if (gone.size === 0) return;
  const stays = (value: PdfValue): boolean => !(value instanceof Ref) || !gone.has(value.key);
  removeWidgets(doc, gone, stays);
  const form = editForm(doc);
  form.set('Fields', (doc.array(form.get('Fields')) ?? []).filter(stays));
  const order = doc.array(form.get('CO'))?.filter(stays);
  if (order) form.set('CO', order);
  dropXfa(doc);
  if (roots.length === 0) doc.edit(doc.catalogRef).delete('AcroForm');
  else if (![...everyField(roots)].some((field) => field.type === 'Sig' && !gone.has(field.ref.key)))
    form.delete('SigFlags');
  for (const ref of gone.values()) doc.replace(ref, null);
}

/** Whether the field stays; what does not is gathered. */
function keep(
  doc: PdfDocument,
  field: FormField,
  names: ReadonlySet<string>,
  gone: Map<string, Ref>,
): boolean {
  if (names.has(field.name)) {
    for (const each of everyField([field]))
      for (const ref of [each.ref, ...each.widgets]) gone.set(ref.key, ref);
    return false;
  }
  const left = field.fields.filter((kid) => keep(doc, kid, names, gone));
  if (left.length === field.fields.length) return true;
  if (left.length === 0 && field.widgets.length === 0) {
    gone.set(field.ref.key, field.ref);
    return false;
  }
  const kids = doc.array(doc.dict(field.ref)?.get('Kids')) ?? [];
  doc.edit(field.ref).set(
    'Kids',
    kids.filter((kid) => !(kid instanceof Ref) || !gone.has(kid.key)),
  );
  field.fields = left;
  return true;
}

function removeWidgets(
  doc: PdfDocument,
  gone: ReadonlyMap<string, Ref>,
  stays: (value: PdfValue) => boolean,
): void {
  const tags = new FlattenedTags(doc);
  for (const page of doc.pages()) {
    const annotations = doc.array(doc.dict(page)?.get('Annots'));
    const left = annotations?.filter(stays);
    if (!annotations || !left || left.length === annotations.length) continue;
    doc.edit(page).put('Annots', left.length > 0 ? left : undefined);
  }
  for (const ref of gone.values()) tags.forget(ref);
  tags.finish();
}
