// Values of fields as plain data.
import type { PdfDocument } from '../document.ts';
import { Name, type PdfObject, PdfString, Ref, Stream } from '../objects.ts';
import { nameText, textOf } from '../text-strings.ts';
import { type Button, buttonsOf, optionsOf } from './field-options.ts';
import { attribute, type Field, isMultiSelect } from './form-fields.ts';

/** A value that form/fill takes back as it is. */
export type TemplateValue = string | boolean | string[];

/** The value as text: the state of a check box, several options joined by commas; undefined where there is none to have. */
export function valueText(doc: PdfDocument, field: Field): string | undefined {
  if (field.kind === 'button' || field.kind === 'signature') return undefined;
  if (field.kind === 'checkbox') return selectedButton(doc, field)?.exported ?? 'Off';
  if (field.kind === 'radio') return selectedButton(doc, field)?.exported ?? '';
  return selectedTexts(doc, field).join(',');
}

export function templateValue(doc: PdfDocument, field: Field): TemplateValue | undefined {
  if (field.kind === 'checkbox') return selectedButton(doc, field) !== undefined;
  if (isMultiSelect(field)) return selectedTexts(doc, field);
  return valueText(doc, field);
}

/** The button that is on; of several with one state the first. */
export function selectedButton(doc: PdfDocument, field: Field): Button | undefined {
  const buttons = buttonsOf(doc, field);
  const held = attribute(doc, field.ref, 'V');
  if (held instanceof Name) return buttons.find(({ state }) => state === held.value);
  if (held instanceof PdfString) {
    const text = textOf(held);
    return buttons.find(({ state, exported }) => exported === text || nameText(state) === text);
  }
  return buttons.find(({ widget, state }) => doc.name(doc.dict(widget)?.get('AS')) === state);
}

/** The text of a text field or combo box, the selected values of a list. */
export function selectedTexts(doc: PdfDocument, field: Field): string[] {
  const held = attribute(doc, field.ref, 'V');
  if (Array.isArray(held)) {
    const texts = held.flatMap((each) => doc.text(each) ?? []);
    return isMultiSelect(field) ? texts : texts.slice(0, 1);
  }
  const text = textIn(doc, field.ref, held);
  if (field.kind === 'text') return [text ?? ''];
  if (text !== undefined && text !== '') return [text];
  return field.kind === 'combobox' ? [] : selectedByIndex(doc, field);
}

/** A list may tell its selection by I alone. */
function selectedByIndex(doc: PdfDocument, field: Field): string[] {
  const indexes = doc.array(attribute(doc, field.ref, 'I')) ?? [];
  if (indexes.length === 0) return [];
  const options = optionsOf(doc, field);
  const texts = indexes.flatMap((index) => options[doc.number(index) ?? -1]?.value ?? []);
  return isMultiSelect(field) ? texts : texts.slice(0, 1);
}

/** Long texts are kept in streams. Line ends are written in several ways. */
function textIn(doc: PdfDocument, field: Ref, held: PdfObject): string | undefined {
  if (held instanceof PdfString) return plainLines(textOf(held));
  if (held instanceof Name) return nameText(held.value);
  if (typeof held === 'number') return String(held);
  if (!(held instanceof Stream)) return undefined;
  const ref = holderOf(doc, field, 'V');
  return ref ? plainLines(textOf(new PdfString(doc.streamData(ref).bytes))) : undefined;
}

const plainLines = (text: string): string => text.replace(/\r\n?/g, '\n');

/** The reference under which an attribute is held, here or above. */
function holderOf(doc: PdfDocument, ref: Ref, key: string): Ref | undefined {
  let dict = doc.dict(ref);
  for (let depth = 0; dict && depth < 100; depth += 1) {
    const value = dict.get(key);
    if (value instanceof Ref && doc.resolve(value) instanceof Stream) return value;
    dict = doc.dict(dict.get('Parent'));
  }
  return undefined;
}
