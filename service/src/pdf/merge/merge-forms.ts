// Forms of several documents become one form (ISO 32000-1, 12.7).
import type { PdfDocument } from '../document.ts';
import { everyField, type FormField, formOf, readFormTree } from '../forms/form-tree.ts';
import { Dict, type PdfValue, type Ref } from '../objects.ts';
import { sameValue } from '../same-value.ts';
import { textString } from '../text-strings.ts';
import { mergeFormResources, renameFonts } from './merge-form-resources.ts';
import type { MergePart } from './merge-part.ts';

interface FieldLevel {
  nodes: Map<string, FieldNode>;
  /** Where to go on looking for a free name. */
  nextSuffix: Map<string, number>;
}
interface FieldNode {
  ref: Ref;
  /** Absent: a field without named fields below. */
  below?: FieldLevel;
}

/** What fields take from the field above (ISO 32000-1, table 220 and following). */
const INHERITABLE = ['FT', 'Ff', 'V', 'DV', 'DA', 'Q', 'MaxLen'];

export function mergeForms(doc: PdfDocument, parts: readonly MergePart[]): void {
  const forms = parts.map((part) => formOf(doc, part.catalog));
  if (parts.length < 2 || forms.every((form) => form === undefined)) return;
  const merged = new Dict(forms[0] ?? []);
  // XFA describes the pages of one document only: viewers that know it would show those and nothing else.
  merged.delete('XFA');
  const fields = [...(doc.array(merged.get('Fields')) ?? [])];
  const top = levelOf(readFormTree(doc, forms[0]));
  parts.forEach((part, index) => {
    const form = forms[index];
    if (index > 0 && form) addForm(doc, { merged, fields, top }, part, form);
  });
  merged.set('Fields', fields);
  doc.edit(doc.catalogRef).set('AcroForm', doc.add(merged));
}

interface Target {
  merged: Dict;
  fields: PdfValue[];
  top: FieldLevel;
}

function addForm(doc: PdfDocument, { merged, fields, top }: Target, part: MergePart, form: Dict): void {
  const roots = readFormTree(doc, form);
  const renames = mergeFormResources(doc, merged, form);
  // Defaults of the form hold for its own fields only, and may name a font that has another name now.
  for (const key of ['DA', 'Q']) {
    const same = renames.size === 0 && sameValue(doc, merged.get(key), form.get(key));
    if (form.has(key) && !same) giveDefault(doc, roots, form, key);
  }
  if (renames.size > 0) renameFonts(doc, part, [...everyField(roots)], form.get('DR'), renames);
  attach(doc, top, roots, undefined, fields);
  const order = doc.array(form.get('CO'));
  if (order) merged.set('CO', [...(doc.array(merged.get('CO')) ?? []), ...order]);
  if (doc.boolean(form.get('NeedAppearances'))) merged.set('NeedAppearances', true);
  const flags = (doc.number(merged.get('SigFlags')) ?? 0) | (doc.number(form.get('SigFlags')) ?? 0);
  if (flags !== 0) merged.set('SigFlags', flags);
}

function levelOf(fields: readonly FormField[]): FieldLevel {
  const level: FieldLevel = { nodes: new Map(), nextSuffix: new Map() };
  for (const field of fields) remember(level, field.partial, field);
  return level;
}

function remember(level: FieldLevel, partial: string | undefined, field: FormField): void {
  if (partial === undefined || level.nodes.has(partial)) return;
  const below = field.fields.length > 0 ? { below: levelOf(field.fields) } : {};
  level.nodes.set(partial, { ref: field.ref, ...below });
}

/** Hangs fields of a part below `parent`, renaming where another part has the name (`name_2`, `name_3` ...). */
function attach(
  doc: PdfDocument,
  level: FieldLevel,
  fields: readonly FormField[],
  parent: Ref | undefined,
  kids: PdfValue[],
): void {
  // Fields of equal names within one document are one field: only what earlier documents brought can clash.
  const names = new Map<string, string>();
  const own = new Set(fields.map((field) => field.partial));
  const added: [string | undefined, FormField][] = [];
  for (const field of fields) {
    const { partial, ref } = field;
    const existing = partial === undefined ? undefined : level.nodes.get(partial);
    if (existing?.below && mayJoin(doc, existing.ref, field)) {
      join(doc, existing.ref, existing.below, field);
      continue;
    }
    const name = existing && partial !== undefined ? newName(level, names, own, partial) : partial;
    if (name !== undefined && name !== partial) doc.edit(ref).set('T', textString(name));
    if (parent) doc.edit(ref).set('Parent', parent);
    kids.push(ref);
    added.push([name, field]);
  }
  for (const [name, field] of added) remember(level, name, field);
}

function newName(
  level: FieldLevel,
  names: Map<string, string>,
  siblings: ReadonlySet<string | undefined>,
  partial: string,
): string {
  const known = names.get(partial);
  if (known !== undefined) return known;
  let n = level.nextSuffix.get(partial) ?? 2;
  const taken = (name: string) => level.nodes.has(name) || siblings.has(name);
  while (taken(`${partial}_${n}`)) n += 1;
  level.nextSuffix.set(partial, n + 1);
  names.set(partial, `${partial}_${n}`);
  return `${partial}_${n}`;
}

/** Two parents of one name hold the fields of both, unless the first would lend the others its values. */
function mayJoin(doc: PdfDocument, existing: Ref, field: FormField): boolean {
  if (field.fields.length === 0 || field.widgets.length > 0) return false;
  const dict = doc.dict(existing);
  return dict !== undefined && INHERITABLE.every((key) => !dict.has(key));
}

function join(doc: PdfDocument, existing: Ref, below: FieldLevel, field: FormField): void {
  const own = doc.dict(field.ref) ?? new Dict();
  for (const kid of field.fields) copyMissing(doc, kid.ref, own, INHERITABLE);
  const kids = [...(doc.array(doc.dict(existing)?.get('Kids')) ?? [])];
  attach(doc, below, field.fields, existing, kids);
  doc.edit(existing).set('Kids', kids);
}

/** Gives a default to fields without named fields below, so that parents of one name can still be joined. */
function giveDefault(doc: PdfDocument, fields: readonly FormField[], form: Dict, key: string): void {
  for (const field of fields) {
    if (doc.dict(field.ref)?.has(key)) continue;
    if (field.fields.length > 0) giveDefault(doc, field.fields, form, key);
    else copyMissing(doc, field.ref, form, [key]);
  }
}

function copyMissing(doc: PdfDocument, ref: Ref, from: Dict, keys: readonly string[]): void {
  for (const key of keys) {
    const value = from.get(key);
    if (value !== undefined && !doc.dict(ref)?.has(key)) doc.edit(ref).set(key, value);
  }
}
