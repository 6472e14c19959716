// Filling a form: values by name, the look of fields renewed.
import { Problem } from '../../contract/problems.ts';
import type { PdfDocument } from '../document.ts';
import { Dict, Stream } from '../objects.ts';
import { FieldAppearances } from './field-appearance.ts';
import { type FieldInput, type GivenValue, inputFor } from './field-input.ts';
import { setField } from './field-setting.ts';
import type { LayOut } from './field-typesetting.ts';
import { templateValue } from './field-values.ts';
import { type Field, readFields } from './form-fields.ts';
import { editForm, repairForm } from './form-repair.ts';
import { formOf } from './form-tree.ts';

/** The fields of a document's form; refused where there are none. */
export function fieldsOfForm(doc: PdfDocument): Field[] {
  repairForm(doc);
  const fields = readFields(doc);
  if (fields.length === 0) throw new Problem('nothing_found', 'The document has no form fields.');
  return fields;
}

/** Later values for a field win. `source` is the parameter that brought them. The names that no field has come back. */
export function fillForm(
  doc: PdfDocument,
  given: Iterable<readonly [string, GivenValue]>,
  source: string,
  layOut: LayOut,
): string[] {
  const fields = fieldsOfForm(doc);
  const unknown = new Set<string>();
  const inputs = new Map<Field, FieldInput | undefined>();
  const named = namedFields(fields);
  for (const [name, value] of given) {
    const meant = named(name);
    if (meant.length === 0) unknown.add(name);
    // "buttons and signatures are ignored": they are drawn as if they had not been named.
    for (const field of meant.filter(holdsValue))
      inputs.set(field, isPresentValue(doc, field, value) ? undefined : inputFor(doc, field, value, source));
  }
  const appearances = new FieldAppearances(doc, layOut);
  for (const [field, input] of inputs) {
    if (input) setField(doc, field, input);
    appearances.draw(field);
  }
  renewOthers(doc, fields, new Set(inputs.keys()), appearances);
  appearances.finish();
  settleForm(doc);
  return [...unknown];
}

const holdsValue = ({ kind }: Field): boolean => kind !== 'button' && kind !== 'signature';

/** A template sent back is taken, even where a form holds what it would not take: an option it does not have. */
function isPresentValue(doc: PdfDocument, field: Field, value: GivenValue): boolean {
  const present = templateValue(doc, field);
  if (!Array.isArray(present)) return value === present;
  return Array.isArray(value) && JSON.stringify(value) === JSON.stringify(present);
}

/** "values by full name, else by partial name"; one name may stand for several fields. */
function namedFields(fields: readonly Field[]): (name: string) => readonly Field[] {
  const full = Map.groupBy(fields, (field) => field.name);
  const partial = Map.groupBy(fields, (field) => field.partial);
  return (name) => full.get(name) ?? partial.get(name) ?? [];
}

/** Where viewers were asked to draw the fields themselves, every look may be out of date. */
function renewOthers(
  doc: PdfDocument,
  fields: readonly Field[],
  done: ReadonlySet<Field>,
  appearances: FieldAppearances,
): void {
  const all = doc.boolean(formOf(doc)?.get('NeedAppearances')) === true;
  for (const field of fields) {
    // The look of a button is its author's: an image, an icon.
    const outdated = (all && field.kind !== 'button') || lacksLook(doc, field);
    if (outdated && !done.has(field)) drawIfPossible(field, appearances);
  }
}

/** Draws fields that have no look yet, and all where viewers were asked to draw them. */
export function completeAppearances(doc: PdfDocument, layOut: LayOut): void {
  repairForm(doc);
  const appearances = new FieldAppearances(doc, layOut);
  renewOthers(doc, readFields(doc), new Set(), appearances);
  appearances.finish();
}

/** A value that no font can show was not sent by this caller: it keeps the look it has. */
function drawIfPossible(field: Field, appearances: FieldAppearances): void {
  try {
    appearances.draw(field);
  } catch (error) {
    if (!(error instanceof Problem) || error.reason !== 'invalid_parameter') throw error;
  }
}

const lacksLook = (doc: PdfDocument, field: Field): boolean =>
  field.widgets.some((widget) => {
    const normal = doc.resolve(doc.dict(doc.dict(widget)?.get('AP'))?.get('N'));
    return !(normal instanceof Stream) && !(normal instanceof Dict && normal.size > 0);
  });

/** The looks are there now. */
function settleForm(doc: PdfDocument): void {
  editForm(doc).delete('NeedAppearances');
  dropXfa(doc);
}

/** XFA tells of the form as it was; so do usage rights, and viewers refuse to save what differs from them. */
export function dropXfa(doc: PdfDocument): void {
  editForm(doc).delete('XFA');
  const catalog = doc.edit(doc.catalogRef);
  catalog.delete('NeedsRendering');
  const rights = doc.dict(catalog.get('Perms'));
  if (!rights?.has('UR') && !rights?.has('UR3')) return;
  const left = new Dict([...rights].filter(([key]) => key !== 'UR' && key !== 'UR3'));
  catalog.put('Perms', left.size > 0 ? left : undefined);
}
