// Changing fields of a form: names, labels, kinds, flags, options, defaults.
import { invalidParameter, Problem } from '../../contract/problems.ts';
import type { PdfDocument } from '../document.ts';
import { Ref } from '../objects.ts';
import { textString } from '../text-strings.ts';
import { FieldAppearances } from './field-appearance.ts';
import { type GivenScalar, inputFor } from './field-input.ts';
import { buttonsOf, choiceOptions } from './field-options.ts';
import { recreateField } from './field-recreation.ts';
import { setField, valueToWrite } from './field-setting.ts';
import type { LayOut } from './field-typesetting.ts';
import { selectedTexts } from './field-values.ts';
import { dropXfa, fieldsOfForm } from './fill-form.ts';
import { type Field, type FieldKind, FLAG } from './form-fields.ts';
import { everyField, readFormTree } from './form-tree.ts';

/** Absent or null: left as it is. */
export interface FieldUpdate {
  targetName: string;
  name?: string | null | undefined;
  label?: string | null | undefined;
  type?: FieldKind | null | undefined;
  required?: boolean | null | undefined;
  multiSelect?: boolean | null | undefined;
  options?: string[] | null | undefined;
  defaultValue?: GivenScalar | null | undefined;
  tooltip?: string | null | undefined;
}

/** Targets are names as the document has them before any update. `source` is the parameter's name. */
export function modifyFields(
  doc: PdfDocument,
  updates: readonly FieldUpdate[],
  source: string,
  layOut: LayOut,
): void {
  const byName = Map.groupBy(fieldsOfForm(doc), (field) => field.name);
  const taken = new Set([...everyField(readFormTree(doc))].map((field) => field.name));
  const appearances = new FieldAppearances(doc, layOut);
  for (const [index, update] of updates.entries()) {
    const place = `${source}[${index}]`;
    const targets = byName.get(update.targetName) ?? [];
    // Fields of one name are one field to their reader: they are renamed together.
    const renamed = targets[0] && renaming(targets[0], update.name, taken, place);
    for (const [at, target] of targets.entries()) {
      if (renamed !== undefined) doc.edit(namedHolder(doc, target.ref)).set('T', textString(renamed));
      const changed = modifyField(doc, target, update, place, appearances);
      targets[at] = renamed === undefined ? changed : { ...changed, partial: renamed };
    }
  }
  appearances.finish();
  dropXfa(doc);
}

/** The new last part of the field's name. */
function renaming(
  field: Field,
  wanted: string | null | undefined,
  taken: Set<string>,
  place: string,
): string | undefined {
  if (wanted === null || wanted === undefined) return undefined;
  const above = field.name.slice(0, Math.max(0, field.name.length - field.partial.length - 1));
  const inGroup = above !== '' && wanted.startsWith(`${above}.`);
  const partial = inGroup ? wanted.slice(above.length + 1) : wanted;
  if (partial === '' || partial.includes('.'))
    throw invalidParameter(
      `${place}.name must be a name without periods${above === '' ? '' : `, alone or after ${JSON.stringify(`${above}.`)}`}.`,
    );
  const full = above === '' ? partial : `${above}.${partial}`;
  if (full === field.name) return undefined;
  if (taken.has(full))
    throw invalidParameter(`${place}.name: the form has a field ${JSON.stringify(full)} already.`);
  taken.delete(field.name);
  taken.add(full);
  return partial;
}

/** Where the last part of the name is written: at the field, or above where the field is a widget of another. */
function namedHolder(doc: PdfDocument, ref: Ref): Ref {
  const parent = doc.dict(ref)?.get('Parent');
  const isNamed = doc.text(doc.dict(ref)?.get('T')) !== undefined;
  return isNamed || !(parent instanceof Ref) || !doc.dict(parent) ? ref : parent;
}

function modifyField(
  doc: PdfDocument,
  target: Field,
  update: FieldUpdate,
  place: string,
  appearances: FieldAppearances,
): Field {
  const { type, options, multiSelect, required, defaultValue } = update;
  setText(doc, target, 'TM', update.label);
  setText(doc, target, 'TU', update.tooltip);
  const isNew = type !== null && type !== undefined && type !== target.kind;
  const before = isNew && isTextual(target.kind) ? selectedTexts(doc, target)[0] : undefined;
  let field = isNew ? recreateField(doc, target, type, options ?? []) : target;
  if (typeof required === 'boolean') field = setFlag(doc, field, FLAG.required, required);
  if (typeof multiSelect === 'boolean' && field.kind === 'listbox')
    field = setFlag(doc, field, FLAG.multiSelect, multiSelect);
  if (options) setOptions(doc, field, options, `${place}.options`);
  if (defaultValue !== null && defaultValue !== undefined)
    setDefault(doc, field, defaultValue, isNew, `${place}.defaultValue`);
  if (isNew && before !== undefined && isTextual(field.kind) && !doc.dict(field.ref)?.has('V'))
    keepText(doc, field, before);
  if (!isNew && (options || typeof multiSelect === 'boolean')) keepFitting(doc, field);
  if (isNew || options || typeof multiSelect === 'boolean') appearances.draw(field);
  return field;
}

const isTextual = (kind: FieldKind): boolean => kind === 'text' || kind === 'combobox' || kind === 'listbox';

/** "blank label, tooltip or defaultValue clears." */
function setText(doc: PdfDocument, field: Field, key: 'TM' | 'TU', text: string | null | undefined): void {
  if (text === null || text === undefined) return;
  if (text.trim() !== '') doc.edit(field.ref).set(key, textString(text));
  else for (const ref of [field.ref, ...field.widgets]) doc.edit(ref).delete(key);
}

function setFlag(doc: PdfDocument, field: Field, flag: number, on: boolean): Field {
  const flags = on ? field.flags | flag : field.flags & ~flag;
  doc.edit(field.ref).set('Ff', flags);
  return { ...field, flags };
}

/** Choices take any options; buttons are as many as they are. Other fields have none. */
function setOptions(doc: PdfDocument, field: Field, options: readonly string[], place: string): void {
  const texts = options.map(textString);
  if (field.kind === 'combobox' || field.kind === 'listbox') {
    doc.edit(field.ref).set('Opt', texts);
    return;
  }
  if (field.kind !== 'radio' && field.kind !== 'checkbox') return;
  const count = buttonsOf(doc, field).length;
  if (options.length !== count)
    throw invalidParameter(
      `${place}: the form field ${JSON.stringify(field.name)} has ${count} button(s) and takes as many options.`,
    );
  doc.edit(field.ref).set('Opt', texts);
}

/** A new field starts with its default value. */
function setDefault(doc: PdfDocument, field: Field, given: GivenScalar, isNew: boolean, place: string): void {
  if (String(given).trim() === '') {
    doc.edit(field.ref).delete('DV');
    return;
  }
  const input = inputFor(doc, field, given, place);
  if (!input) return;
  const value = valueToWrite(field, input);
  if (value === undefined) doc.edit(field.ref).delete('DV');
  else doc.edit(field.ref).set('DV', value);
  if (isNew) setField(doc, field, input);
}

/** The text of before stays where the new kind can hold it. */
function keepText(doc: PdfDocument, field: Field, text: string): void {
  try {
    const input = inputFor(doc, field, text, '');
    if (input) setField(doc, field, input);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
  }
}

/** Values that are options no more are dropped; of several, where one is allowed, the first stays. */
function keepFitting(doc: PdfDocument, field: Field): void {
  const isFree = field.kind === 'combobox' && (field.flags & FLAG.edit) !== 0;
  if ((field.kind !== 'combobox' && field.kind !== 'listbox') || isFree) return;
  const values = new Set(choiceOptions(doc, field.ref).map(({ value }) => value));
  const fitting = selectedTexts(doc, field).filter((text) => values.has(text));
  const input = inputFor(doc, field, fitting, '');
  if (input) setField(doc, field, input);
  const standard = doc.text(doc.dict(field.ref)?.get('DV'));
  if (standard !== undefined && !values.has(standard)) doc.edit(field.ref).delete('DV');
}
