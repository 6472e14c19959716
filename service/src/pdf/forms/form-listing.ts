// A form as plain data: what its fields are, hold and can hold, and where they are seen.

import type { PdfDocument } from '../document.ts';
import { defaultAppearance } from './default-appearance.ts';
import { buttonsOf, optionsOf } from './field-options.ts';
import { FieldPlaces, inReadingOrder } from './field-places.ts';
import { type TemplateValue, templateValue, valueText } from './field-values.ts';
import { type Field, type FieldKind, FLAG, isMultiSelect, readFields } from './form-fields.ts';
import { repairForm } from './form-repair.ts';

export interface ListedField {
  name: string;
  label: string;
  type: FieldKind;
  value?: string;
  options: string[];
  required: boolean;
  pageIndex: number;
  multiSelect: boolean;
  tooltip?: string;
  pageOrder: number;
}

export interface ListedWidget {
  pageIndex: number;
  x: number;
  y: number;
  width: number;
  height: number;
  exportValue?: string;
  fontSize?: number;
}

export interface PlacedField {
  name: string;
  label: string;
  type: FieldKind;
  value?: string;
  options: string[];
  displayOptions: string[];
  required: boolean;
  readOnly: boolean;
  multiSelect: boolean;
  multiline: boolean;
  tooltip?: string;
  widgets: ListedWidget[];
}

export interface FormListing {
  fields: ListedField[];
  template: Record<string, TemplateValue>;
}

export function listFields(doc: PdfDocument): FormListing {
  repairForm(doc);
  const fields = readFields(doc);
  const order = pageOrders(doc, fields);
  // Names come from the document: no name may reach the object's own properties.
  const template: FormListing['template'] = Object.create(null);
  const listed = fields.map((field): ListedField => {
    const value = templateValue(doc, field);
    if (value !== undefined) template[field.name] = value;
    const { pageIndex, pageOrder } = order.get(field) ?? { pageIndex: -1, pageOrder: 0 };
    const text = valueText(doc, field);
    const tooltip = tooltipOf(doc, field);
    return {
      name: field.name,
      label: labelOf(doc, field),
      type: field.kind,
      ...(text === undefined ? {} : { value: text }),
      options: optionsOf(doc, field).map((option) => option.value),
      required: (field.flags & FLAG.required) !== 0,
      pageIndex,
      multiSelect: isMultiSelect(field),
      ...(tooltip === undefined ? {} : { tooltip }),
      pageOrder,
    };
  });
  return { fields: listed, template: { ...template } };
}

/** The page of each field's first widget, and the field's place in reading order there. */
function pageOrders(
  doc: PdfDocument,
  fields: readonly Field[],
): Map<Field, { pageIndex: number; pageOrder: number }> {
  const places = new FieldPlaces(doc);
  const first = new Map(fields.map((field) => [field, places.of(field)[0]]));
  const counts = new Map<number, number>();
  const orders = new Map<Field, { pageIndex: number; pageOrder: number }>();
  for (const field of inReadingOrder(fields, (each) => first.get(each))) {
    const pageIndex = first.get(field)?.pageIndex ?? -1;
    const pageOrder = counts.get(pageIndex) ?? 0;
    counts.set(pageIndex, pageOrder + 1);
    orders.set(field, { pageIndex, pageOrder });
  }
  return orders;
}

export function listPlacedFields(doc: PdfDocument): PlacedField[] {
  repairForm(doc);
  const places = new FieldPlaces(doc);
  const placed = readFields(doc).map((field) => ({ field, widgets: places.of(field) }));
  for (const each of placed) each.widgets = inReadingOrder(each.widgets, (widget) => widget);
  return inReadingOrder(placed, ({ widgets }) => widgets[0]).map(({ field, widgets }): PlacedField => {
    const exported = exportValues(doc, field);
    const options = optionsOf(doc, field);
    const value = valueText(doc, field);
    const tooltip = tooltipOf(doc, field);
    return {
      name: field.name,
      label: labelOf(doc, field),
      type: field.kind,
      ...(value === undefined ? {} : { value }),
      options: options.map((option) => option.value),
      displayOptions: options.map((option) => option.label),
      required: (field.flags & FLAG.required) !== 0,
      readOnly: (field.flags & FLAG.readOnly) !== 0,
      multiSelect: isMultiSelect(field),
      multiline: field.kind === 'text' && (field.flags & FLAG.multiline) !== 0,
      ...(tooltip === undefined ? {} : { tooltip }),
      widgets: widgets.map(({ widget, pageIndex, x, y, width, height }) => {
        const exportValue = exported.get(widget.key);
        const fontSize = defaultAppearance(doc, widget)?.size;
        return {
          pageIndex,
          x,
          y,
          width,
          height,
          ...(exportValue === undefined ? {} : { exportValue }),
          ...(fontSize === undefined ? {} : { fontSize }),
        };
      }),
    };
  });
}

/** By widget; only check boxes and radio buttons have one. */
function exportValues(doc: PdfDocument, field: Field): Map<string, string> {
  if (field.kind !== 'checkbox' && field.kind !== 'radio') return new Map();
  return new Map(buttonsOf(doc, field).map(({ widget, exported }) => [widget.key, exported]));
}

/** TU: "an alternate field name", which viewers show when the pointer rests on the field. */
function tooltipOf(doc: PdfDocument, field: Field): string | undefined {
  const texts = [field.ref, ...field.widgets].map((ref) => doc.text(doc.dict(ref)?.get('TU')));
  return texts.find((text) => text !== undefined && text.trim() !== '');
}

/** TM, the name for use outside the document; else the tooltip; else the field's own name in words. */
export function labelOf(doc: PdfDocument, field: Field): string {
  const mapped = doc.text(doc.dict(field.ref)?.get('TM'));
  if (mapped !== undefined && mapped.trim() !== '') return mapped;
  return tooltipOf(doc, field) ?? inWords(field.partial);
}

/** firstName, first_name and First-Name[0] read First Name. */
function inWords(name: string): string {
  const words = name
    .replace(/\[\d+\]$/, '')
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .split(/[\s_\-#]+/)
    .filter((word) => word !== '');
  const text = words.map((word) => word.replace(/^\p{Ll}/u, (first) => first.toUpperCase())).join(' ');
  return text === '' ? name : text;
}
