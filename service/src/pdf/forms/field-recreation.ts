// A field of another kind in the place of one: same name, same boxes, same frame.

import type { PdfDocument } from '../document.ts';
import { Dict, name, PdfString, type Ref } from '../objects.ts';
import { nameBytes, textString } from '../text-strings.ts';
import { defaultAppearance } from './default-appearance.ts';
import { type Field, type FieldKind, FLAG } from './form-fields.ts';
import { labelOf } from './form-listing.ts';
import { editForm } from './form-repair.ts';

const NO_TOGGLE_TO_OFF = 1 << 14;

const KINDS: Readonly<Record<FieldKind, { type: string; flags: number }>> = {
  text: { type: 'Tx', flags: 0 },
  checkbox: { type: 'Btn', flags: 0 },
  radio: { type: 'Btn', flags: FLAG.radio | NO_TOGGLE_TO_OFF },
  button: { type: 'Btn', flags: FLAG.pushButton },
  combobox: { type: 'Ch', flags: FLAG.combo },
  listbox: { type: 'Ch', flags: 0 },
  signature: { type: 'Sig', flags: 0 },
};

/** What only a field of its old kind had. */
const OF_OLD_KIND = ['V', 'DV', 'Opt', 'I', 'TI', 'MaxLen', 'RV', 'DS', 'A', 'AA', 'AP', 'AS', 'Lock', 'SV'];

/** Read-only, required and not exported stay. */
const KEPT_FLAGS = 7;

/** Changes the kind; the field is empty afterwards and has to be drawn. `states` name the buttons' states. */
export function recreateField(
  doc: PdfDocument,
  field: Field,
  kind: FieldKind,
  states: readonly string[],
): Field {
  const label = labelOf(doc, field);
  const { type, flags } = KINDS[kind];
  const changed: Field = { ...field, kind, flags: (field.flags & KEPT_FLAGS) | flags };
  for (const ref of [field.ref, ...field.widgets]) {
    const dict = doc.edit(ref);
    for (const key of OF_OLD_KIND) dict.delete(key);
  }
  const dict = doc.edit(field.ref);
  dict.set('FT', name(type));
  dict.set('Ff', changed.flags);
  for (const [index, widget] of field.widgets.entries()) {
    if (widget.key !== field.ref.key) for (const key of ['FT', 'Ff']) doc.edit(widget).delete(key);
    prepareWidget(doc, widget, kind, label);
    if (kind === 'checkbox' || kind === 'radio') prepareStates(doc, widget, stateOf(kind, states, index));
  }
  if (kind === 'signature')
    editForm(doc).set('SigFlags', (doc.number(editForm(doc).get('SigFlags')) ?? 0) | 1);
  return changed;
}

function stateOf(kind: FieldKind, states: readonly string[], index: number): string {
  const wanted = states[index] ?? '';
  // Two buttons of one state would be on together; Off is no state to be on.
  const isUsable = wanted !== '' && wanted !== 'Off' && states.indexOf(wanted) === index;
  if (isUsable && Buffer.byteLength(wanted) <= 127) return nameBytes(wanted);
  return kind === 'checkbox' ? 'Yes' : String(index + 1);
}

/** The looks themselves are drawn later: a state is known by having one. */
function prepareStates(doc: PdfDocument, widget: Ref, state: string): void {
  const dict = doc.edit(widget);
  dict.set('AP', Dict.of({ N: Dict.of({ [state]: null }) }));
  dict.set('AS', name('Off'));
}

/** A mark is not a caption and the other way round; what would be invisible gets a frame. */
function prepareWidget(doc: PdfDocument, widget: Ref, kind: FieldKind, label: string): void {
  const look = new Dict(doc.dict(doc.dict(widget)?.get('MK')) ?? []);
  for (const key of ['CA', 'RC', 'AC', 'I', 'RI', 'IX', 'IF', 'TP']) look.delete(key);
  if (kind === 'button') {
    look.set('CA', textString(label));
    if (!look.has('BG')) look.set('BG', [0.85]);
  }
  if ((kind === 'checkbox' || kind === 'radio') && !look.has('BC')) look.set('BC', [0]);
  const dict = doc.edit(widget);
  if (look.size > 0) dict.set('MK', look);
  if (kind === 'signature') return;
  const font = defaultAppearance(doc, widget)?.font;
  if (font !== undefined && font !== 'ZaDb') return;
  dict.set('DA', new PdfString(Buffer.from('/Helv 0 Tf 0 g')));
  offerHelvetica(doc);
}

/** Viewers look for the font of a default appearance in the form's resources. */
function offerHelvetica(doc: PdfDocument): void {
  const form = editForm(doc);
  const resources = new Dict(doc.dict(form.get('DR')) ?? []);
  const fonts = new Dict(doc.dict(resources.get('Font')) ?? []);
  if (fonts.has('Helv')) return;
  const helvetica = Dict.of({
    Type: name('Font'),
    Subtype: name('Type1'),
    BaseFont: name('Helvetica'),
    Encoding: name('WinAnsiEncoding'),
  });
  fonts.set('Helv', doc.add(helvetica));
  form.set('DR', resources.set('Font', fonts) as Dict);
}
