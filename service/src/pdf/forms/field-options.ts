// What a field can be set to: options of choices, states of check boxes and radio buttons.
import type { PdfDocument } from '../document.ts';
import { Dict, type Ref, Stream } from '../objects.ts';
import { nameText } from '../text-strings.ts';
import { attribute, type Field } from './form-fields.ts';

export interface Option {
  /** What the field's value is. */
  value: string;
  /** What is shown. */
  label: string;
}

export interface Button {
  widget: Ref;
  /** The name of its state when it is on, as bytes. */
  state: string;
  /** What the field's value is when it is on. */
  exported: string;
}

/** Options beyond these are not read. */
const MAX_OPTIONS = 100_000;

export function optionsOf(doc: PdfDocument, field: Field): Option[] {
  if (field.kind === 'combobox' || field.kind === 'listbox') return choiceOptions(doc, field.ref);
  if (field.kind !== 'checkbox' && field.kind !== 'radio') return [];
  const values = new Set(buttonsOf(doc, field).map(({ exported }) => exported));
  return [...values].map((value) => ({ value, label: value }));
}

/** Opt: texts, or pairs of the value and the text to be shown. */
export function choiceOptions(doc: PdfDocument, ref: Ref): Option[] {
  const options = doc.array(attribute(doc, ref, 'Opt')) ?? [];
  return options.slice(0, MAX_OPTIONS).flatMap((option) => {
    const pair = doc.array(option);
    const value = doc.text(pair ? pair[0] : option);
    const label = pair ? (doc.text(pair[1]) ?? value) : value;
    return value === undefined || label === undefined ? [] : [{ value, label }];
  });
}

/** The buttons of a check box or radio field, one per widget. */
export function buttonsOf(doc: PdfDocument, field: Field): Button[] {
  const exports = doc.array(attribute(doc, field.ref, 'Opt')) ?? [];
  return field.widgets.map((widget, index) => {
    const state = onState(doc, widget) ?? defaultState(doc, field, index);
    return { widget, state, exported: doc.text(exports[index]) ?? nameText(state) };
  });
}

/** The state other than Off that the widget has an appearance for. */
function onState(doc: PdfDocument, widget: Ref): string | undefined {
  const dict = doc.dict(widget);
  const current = doc.name(dict?.get('AS'));
  const appearances = doc.dict(dict?.get('AP'));
  const states = ['N', 'D'].flatMap((key) => {
    const held = doc.resolve(appearances?.get(key));
    return held instanceof Dict && !(held instanceof Stream) ? [...held.keys()] : [];
  });
  const on = states.filter((state) => state !== 'Off');
  if (current !== undefined && on.includes(current)) return current;
  return on[0] ?? (current === 'Off' ? undefined : current);
}

/** Where nothing is drawn, what the field's own values tell; else the usual words. */
function defaultState(doc: PdfDocument, field: Field, index: number): string {
  if (field.kind === 'radio') return String(index);
  const named = ['V', 'DV'].map((key) => doc.name(attribute(doc, field.ref, key)));
  return named.find((state) => state !== undefined && state !== '' && state !== 'Off') ?? 'Yes';
}
