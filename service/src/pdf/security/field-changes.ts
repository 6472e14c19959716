// What became of the fields of a form: filled in, signed, or made into something else.
import type { PdfDocument } from '../document.ts';
import { everyField, type FormField, formOf, readFormTree } from '../forms/form-tree.ts';
import { Dict, isName, type PdfObject, Ref } from '../objects.ts';
import { equalValues } from './equal-values.ts';
import { type RevisionComparison, shownKey } from './incremental-update-comparison.ts';
import { type LaterChange, type Permission, type RevisionChange, signatureKey } from './revision-change.ts';

type Report = (change: RevisionChange) => void;

/** The fields of one revision, those that only pages know included. */
export interface RevisionFields {
  fields: ReadonlyMap<string, FormField>;
  /** Fields and widgets by the object they are, with the page they show on. */
  pages: ReadonlyMap<string, number>;
}

export function fieldsOf(doc: PdfDocument): RevisionFields {
  const fields = new Map<string, FormField>();
  const known = new Set<string>();
  for (const field of everyField(readFormTree(doc))) {
    fields.set(field.ref.key, field);
    for (const { key } of [field.ref, ...field.widgets]) known.add(key);
  }
  const pages = new Map<string, number>();
  for (const [index, page] of doc.pages().entries()) {
    for (const ref of doc.array(doc.dict(page)?.get('Annots')) ?? []) {
      if (!(ref instanceof Ref)) continue;
      const dict = doc.dict(ref);
      if (!known.has(ref.key) && !isName(doc.resolve(dict?.get('Subtype')), 'Widget') && !dict?.has('FT'))
        continue;
      if (!pages.has(ref.key)) pages.set(ref.key, index + 1);
      if (known.has(ref.key)) continue;
      const partial = doc.text(dict?.get('T'));
      const type = doc.name(dict?.get('FT'));
      fields.set(ref.key, { ref, partial, name: partial ?? '', type, fields: [], widgets: [ref] });
    }
  }
  return { fields, pages };
}

/** Entries that filling in a field may change. */
const FILLING: ReadonlySet<string> = new Set('V AP AS RV I TI M DA Q Ff'.split(' '));
/** Entries that signing one may change as well. */
const SIGNING: ReadonlySet<string> = new Set([...FILLING, 'F', 'MK', 'Lock', 'BS', 'DV', 'NM', 'TU']);
/** Entries that tell where the field stands: told by what stands there. */
const PLACE: ReadonlySet<string> = new Set('Parent P Kids StructParent Type'.split(' '));
/** Invisible, Hidden, NoView (ISO 32000-2, table 167). */
const UNSEEN_FLAGS = 1 | 2 | 32;

export function fieldChanges(
  comparison: RevisionComparison,
  was: RevisionFields,
  is: RevisionFields,
  report: Report,
): void {
  for (const [key, field] of was.fields) {
    const later = is.fields.get(key);
    if (later) oneField(comparison, field, is, report);
    else
      report({
        kind: 'form-fields',
        detail: 'A form field was taken away.',
        field: field.name,
        page: was.pages.get(key),
        needs: 4,
      });
  }
  for (const [key, field] of is.fields) if (!was.fields.has(key)) newField(comparison.now, field, is, report);
  formChanges(comparison, report);
}

function oneField(
  comparison: RevisionComparison,
  field: FormField,
  is: RevisionFields,
  report: Report,
): void {
  const { signed: then, now } = comparison;
  const later = is.fields.get(field.ref.key) ?? field;
  const name = field.name;
  const page = pageOf(later, is);
  const [value, newValue] = [then.dict(field.ref)?.get('V'), now.dict(field.ref)?.get('V')];
  const isSignature = (field.type ?? later.type) === 'Sig';
  const wasSigned = isSignature && then.dict(value) !== undefined;
  const isSigned = isSignature && now.dict(newValue) !== undefined;
  const tell = (kind: LaterChange, detail: string, needs: Permission, more?: Partial<RevisionChange>) =>
    report({ kind, detail, field: name, page, needs, ...more });
  const changed = new Set(
    [field.ref, ...field.widgets].flatMap((ref) =>
      comparison
        .changedKeys(
          withoutSignature(then.dict(ref), isSignature),
          withoutSignature(now.dict(ref), isSignature),
        )
        .filter((key) => !PLACE.has(key) && !isHarmless(then, now, ref, key)),
    ),
  );
  if (wasSigned) {
    const isSame = equalValues(value, newValue) && equalValues(then.dict(value), now.dict(newValue));
    if (!isSame) tell('signature', 'A signature was replaced or taken away.', 4);
    for (const key of changed) tell('signature', `${shownKey(key)} of a signed field was changed.`, 4);
  } else if (isSigned) {
    for (const key of changed)
      if (!SIGNING.has(key)) tell('form-fields', `${shownKey(key)} of a form field was changed.`, 4);
    const kind = kindOfSignature(now, newValue);
    tell(
      kind,
      kind === 'signature' ? 'The field was signed.' : 'The field got a document timestamp.',
      kind === 'signature' ? 2 : 1,
      { signedBy: holderOf(field, newValue) },
    );
  } else {
    const filled = [...changed].filter((key) => FILLING.has(key));
    if (filled.length > 0) tell('form-fields', 'The field was filled in.', 2);
    for (const key of changed)
      if (!filled.includes(key)) tell('form-fields', `${shownKey(key)} of a form field was changed.`, 4);
  }
  const widgets = new Set(field.widgets.map(({ key }) => key));
  // A field that was empty may get its widget when it is signed; any other would be seen where nothing was.
  for (const ref of later.widgets)
    if (!widgets.has(ref.key))
      tell('form-fields', 'The field is shown at another place, too.', isSigned && !wasSigned ? 3 : 4);
}

const withoutSignature = (dict: Dict | undefined, isSignature: boolean): Dict | undefined => {
  if (!isSignature || !dict?.has('V')) return dict;
  const rest = new Dict(dict);
  rest.delete('V');
  return rest;
};

/** Flags that say only that it is printed. */
function isHarmless(then: PdfDocument, now: PdfDocument, ref: Ref, key: string): boolean {
  return key === 'F' && unseen(then, ref) === unseen(now, ref);
}

const unseen = (doc: PdfDocument, ref: Ref): number =>
  (doc.number(doc.dict(ref)?.get('F')) ?? 0) & UNSEEN_FLAGS;

function newField(now: PdfDocument, field: FormField, is: RevisionFields, report: Report): void {
  const page = pageOf(field, is);
  const value = now.dict(field.ref)?.get('V');
  if (field.type !== 'Sig' || field.fields.length > 0) {
    report({ kind: 'form-fields', detail: 'A form field was added.', field: field.name, page, needs: 4 });
    return;
  }
  const isSigned = now.dict(value) !== undefined;
  const kind = isSigned ? kindOfSignature(now, value) : 'signature';
  // Whoever certified the document decided where signatures are seen: a new one could hide what stands there.
  const isSeen = field.widgets.some(
    (ref) => page !== undefined && hasArea(now, ref) && unseen(now, ref) === 0,
  );
  const detail = `A ${isSeen ? 'visible' : 'hidden'} ${isSigned ? (kind === 'signature' ? 'signature' : 'document timestamp') : 'signature field'} was added.`;
  const needs = isSeen ? 3 : kind === 'signature' ? 2 : 1;
  const change: RevisionChange = { kind, detail, page, needs, field: field.name };
  // What a field shows that nobody signed can be anything.
  const mayCover = !isSigned && isSeen && field.widgets.some((ref) => hasLook(now, ref));
  report(isSigned ? { ...change, signedBy: holderOf(field, value) } : { ...change, mayCover });
}

const holderOf = ({ ref }: FormField, value: PdfObject | undefined): string =>
  signatureKey(ref, value instanceof Ref ? value : ref);

/** Whether something is drawn, or can be made of what a viewer is told to draw. */
const hasLook = (doc: PdfDocument, ref: Ref): boolean =>
  ['AP', 'MK', 'BS', 'Border'].some((key) => doc.dict(ref)?.has(key));

function hasArea(doc: PdfDocument, ref: Ref): boolean {
  const [left = 0, bottom = 0, right = 0, top = 0] = (doc.array(doc.dict(ref)?.get('Rect')) ?? []).map(
    (each) => doc.number(each) ?? 0,
  );
  return left !== right && bottom !== top;
}

function kindOfSignature(doc: PdfDocument, value: PdfObject | undefined): 'signature' | 'document-timestamp' {
  const dict = doc.dict(value);
  return doc.name(dict?.get('SubFilter')) === 'ETSI.RFC3161' ? 'document-timestamp' : 'signature';
}

const pageOf = (field: FormField, { pages }: RevisionFields): number | undefined =>
  [field.ref, ...field.widgets].map(({ key }) => pages.get(key)).find((page) => page !== undefined);

/** Entries of the form itself that filling in changes. */
const FORM_FILLING: ReadonlySet<string> = new Set(['DA', 'Q', 'NeedAppearances']);

function formChanges(comparison: RevisionComparison, report: Report): void {
  const { signed: then, now } = comparison;
  const [was, is] = [formOf(then), formOf(now)];
  const tell = (key: string, needs: Permission) =>
    report({ kind: 'form-fields', detail: `${shownKey(key)} of the form was changed.`, needs });
  if (was && !is) report({ kind: 'form-fields', detail: 'The form was taken away.', needs: 4 });
  for (const key of comparison.changedKeys(withoutFields(was), withoutFields(is))) {
    if (FORM_FILLING.has(key)) tell(key, 2);
    else if (key === 'DR') {
      if (!comparison.keepsResources(was?.get(key), is?.get(key))) tell(key, 4);
    } else tell(key, key === 'XFA' && keepsTemplate(comparison, was?.get(key), is?.get(key)) ? 2 : 4);
  }
}

const withoutFields = (form: Dict | undefined): Dict =>
  new Dict([...(form ?? [])].filter(([key]) => key !== 'Fields' && key !== 'SigFlags'));

/** Packets of a form in XML that hold what was filled in. */
const DATA_PACKETS: ReadonlySet<string | undefined> = new Set(['datasets', 'form']);

function keepsTemplate(
  comparison: RevisionComparison,
  was: PdfObject | undefined,
  is: PdfObject | undefined,
): boolean {
  const [one, other] = [comparison.signed.array(was), comparison.now.array(is)];
  if (!one || !other || one.length !== other.length) return false;
  return one.every(
    (item, index) =>
      comparison.same(item, other[index]) ||
      (index % 2 === 1 && DATA_PACKETS.has(comparison.signed.text(one[index - 1]))),
  );
}
