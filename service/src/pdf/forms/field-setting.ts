// Putting values into fields.
import type { PdfDocument } from '../document.ts';
import { name, type PdfValue, type Ref } from '../objects.ts';
import { textString } from '../text-strings.ts';
import type { FieldInput } from './field-input.ts';
import { type Button, buttonsOf } from './field-options.ts';
import { type Field, FLAG, isMultiSelect } from './form-fields.ts';

/** The value as V and DV write it; undefined: none. */
export function valueToWrite(field: Field, input: FieldInput): PdfValue | undefined {
  if (input.kind === 'text') return textString(input.text);
  if (input.kind === 'button') return input.button && name(input.button.state);
  const [first, ...others] = input.values.map(textString);
  return isMultiSelect(field) && others.length > 0 && first ? [first, ...others] : first;
}

export function setField(doc: PdfDocument, field: Field, input: FieldInput): void {
  const dict = doc.edit(field.ref);
  // Empty rather than absent: what is absent would be inherited.
  const empty = input.kind === 'button' ? name('Off') : textString('');
  dict.set('V', valueToWrite(field, input) ?? empty);
  // Rich text says the old value.
  dict.delete('RV');
  if (input.kind === 'button') setStates(doc, field, input.button);
  if (input.kind !== 'choice') return;
  dict.put('I', input.indexes.length > 0 && field.kind === 'listbox' ? input.indexes : undefined);
}

function setStates(doc: PdfDocument, field: Field, chosen: Button | undefined): void {
  const on = new Set(buttonsTogether(doc, field, chosen).map((widget) => widget.key));
  for (const { widget, state } of buttonsOf(doc, field))
    doc.edit(widget).set('AS', name(on.has(widget.key) ? state : 'Off'));
}

/** "a group of radio buttons ... that use the same value for the on state will turn on and off in unison". */
function buttonsTogether(doc: PdfDocument, field: Field, chosen: Button | undefined): Ref[] {
  if (!chosen) return [];
  const buttons = buttonsOf(doc, field);
  if (field.kind === 'radio' && !(field.flags & FLAG.radiosInUnison)) return [chosen.widget];
  return buttons
    .filter(({ state, exported }) =>
      field.kind === 'radio' ? exported === chosen.exported : state === chosen.state,
    )
    .map(({ widget }) => widget);
}
