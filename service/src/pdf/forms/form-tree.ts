// The fields of a form as a tree (ISO 32000-1, 12.7.3): names, types and widgets.
import type { PdfDocument } from '../document.ts';
import { MAX_TREE_DEPTH } from '../object-graph.ts';
import type { Dict, PdfValue } from '../objects.ts';
import { Ref } from '../objects.ts';

export interface FormField {
  ref: Ref;
  /** The field's own part of its name; absent in broken files only. */
  partial: string | undefined;
  /** The full name: the parts from the root on, joined by periods. */
  name: string;
  /** Tx, Btn, Ch or Sig, inherited where the field has none of its own. */
  type: string | undefined;
  /** Fields below, with names of their own. */
  fields: FormField[];
  /** Where the field shows: itself, or its kids without a name. */
  widgets: Ref[];
}

/** What is beyond this many fields and widgets is not read. */
const MAX_FIELDS = 200_000;

export const formOf = (doc: PdfDocument, catalog = doc.catalog): Dict | undefined =>
  doc.dict(catalog.get('AcroForm'));

/** Root fields of a form. Each object is read once; what is no dictionary of its own is skipped. */
export function readFormTree(doc: PdfDocument, form: Dict | undefined = formOf(doc)): FormField[] {
  const seen = new Set<string>();
  const read = (
    values: readonly PdfValue[],
    above: { name: string; type: string | undefined },
    depth: number,
  ) => {
    const fields: FormField[] = [];
    const widgets: Ref[] = [];
    for (const value of values) {
      const dict = doc.dict(value);
      if (!(value instanceof Ref) || !dict || seen.has(value.key) || seen.size >= MAX_FIELDS) continue;
      seen.add(value.key);
      const partial = doc.text(dict.get('T'));
      const kids = doc.array(dict.get('Kids'));
      if (partial === undefined && !kids && depth > 0) {
        widgets.push(value);
        continue;
      }
      const type = doc.name(dict.get('FT')) ?? above.type;
      const name = [above.name, partial].filter((part) => part !== undefined && part !== '').join('.');
      const below =
        kids && depth < MAX_TREE_DEPTH
          ? read(kids, { name, type }, depth + 1)
          : { fields: [], widgets: [value] };
      fields.push({ ref: value, partial, name, type, ...below });
    }
    return { fields, widgets };
  };
  return read(doc.array(form?.get('Fields')) ?? [], { name: '', type: undefined }, 0).fields;
}

/** All fields of the trees, parents before their kids. */
export function* everyField(fields: readonly FormField[]): Generator<FormField> {
  for (const field of fields) {
    yield field;
    yield* everyField(field.fields);
  }
}
