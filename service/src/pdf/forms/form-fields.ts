// The fields a form is filled by: those with a value of their own, with what they inherit (ISO 32000-1, 12.7.3).
import type { PdfDocument } from '../document.ts';
import { isName, type PdfObject, type Ref } from '../objects.ts';
import { everyField, type FormField, readFormTree } from './form-tree.ts';

export const FIELD_KINDS = [
  'text',
  'checkbox',
  'combobox',
  'listbox',
  'radio',
  'button',
  'signature',
] as const;
export type FieldKind = (typeof FIELD_KINDS)[number];

/** Bits of Ff (tables 221, 226, 228 and 230). */
export const FLAG = {
  readOnly: 1,
  required: 1 << 1,
  multiline: 1 << 12,
  password: 1 << 13,
  radio: 1 << 15,
  pushButton: 1 << 16,
  combo: 1 << 17,
  edit: 1 << 18,
  fileSelect: 1 << 20,
  multiSelect: 1 << 21,
  comb: 1 << 24,
  radiosInUnison: 1 << 25,
} as const;

export interface Field {
  ref: Ref;
  /** The full name. */
  name: string;
  /** Its last part. */
  partial: string;
  kind: FieldKind;
  /** Ff, its own or inherited. */
  flags: number;
  widgets: Ref[];
}

/** Fields in the order of the form. What has no known type is no field. */
export function readFields(doc: PdfDocument, tree: readonly FormField[] = readFormTree(doc)): Field[] {
  const fields: Field[] = [];
  for (const node of everyField(tree)) {
    if (node.fields.length > 0 && node.widgets.length === 0) continue;
    const flags = flagsOf(doc, node.ref);
    const kind = kindOf(node.type, flags);
    if (!kind) continue;
    const partial = node.partial ?? node.name.split('.').at(-1) ?? '';
    fields.push({ ref: node.ref, name: node.name, partial, kind, flags, widgets: widgetsOf(doc, node) });
  }
  return fields;
}

/** A field whose list of kids is empty may be its own widget. */
function widgetsOf(doc: PdfDocument, { ref, widgets, fields }: FormField): Ref[] {
  if (widgets.length > 0 || fields.length > 0) return widgets;
  return isName(doc.resolve(doc.dict(ref)?.get('Subtype')), 'Widget') ? [ref] : [];
}

function kindOf(type: string | undefined, flags: number): FieldKind | undefined {
  if (type === 'Tx') return 'text';
  if (type === 'Sig') return 'signature';
  if (type === 'Ch') return flags & FLAG.combo ? 'combobox' : 'listbox';
  if (type !== 'Btn') return undefined;
  if (flags & FLAG.pushButton) return 'button';
  return flags & FLAG.radio ? 'radio' : 'checkbox';
}

/** An attribute of a field or widget, its own or inherited from the fields above. */
export function attribute(doc: PdfDocument, ref: Ref, key: string): PdfObject {
  const dict = doc.dict(ref);
  return dict ? doc.inherited(dict, key) : null;
}

function flagsOf(doc: PdfDocument, ref: Ref): number {
  const flags = doc.number(attribute(doc, ref, 'Ff')) ?? 0;
  return Number.isSafeInteger(flags) ? flags | 0 : 0;
}

export const isMultiSelect = ({ kind, flags }: Field): boolean =>
  kind === 'listbox' && (flags & FLAG.multiSelect) !== 0;
