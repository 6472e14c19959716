// A signature field and its empty signature, added to a document (ISO 32000-2, 12.7.5.5 and 12.8.1).
import { addForm } from '../content/drawable.ts';
import type { PdfDocument } from '../document.ts';
import { formOf } from '../forms/form-tree.ts';
import { type Box, heightOf, widthOf } from '../geometry/boxes.ts';
import { claimsPartOne } from '../metadata/claims.ts';
import { momentOf, pdfDate } from '../metadata/pdf-dates.ts';
import { Dict, name, type PdfValue, Ref } from '../objects.ts';
import { textString } from '../text-strings.ts';
import type { EmptyField } from './empty-field.ts';
import { addAppearance, rectOn, type SignatureLook } from './signature-look.ts';

/** What may become of a certified document: 1 nothing, 2 forms and signatures, 3 annotations too. */
export type CertificationLevel = 1 | 2 | 3;

export interface NewSignature {
  subFilter: 'ETSI.CAdES.detached' | 'adbe.pkcs7.detached' | 'ETSI.RFC3161';
  /** What is absent is not written: a timestamp has nothing of it. */
  date?: Date | undefined;
  name?: string | undefined;
  reason?: string | undefined;
  location?: string | undefined;
  /** An empty field, or where a new one goes. */
  field: EmptyField | NewField;
  /** What the box shows; absent: the signature is not seen. */
  look?: SignatureLook | undefined;
  certification?: CertificationLevel | undefined;
}

export interface NewField {
  /** The page whose annotation the field is. */
  page: Ref;
  /** Absent: one that is free. */
  name?: string | undefined;
  /** On the page as displayed; absent: no box at all. */
  box?: Box | undefined;
}

/** Print and locked: nobody is meant to move it (ISO 32000-1, table 165). */
const WIDGET_FLAGS = 4 | 128;
/** The form has signatures, and is only to be appended to (table 219). */
const SIGNATURE_FLAGS = 1 | 2;

/** Adds the field; the reference is that of the signature dictionary, which lacks ByteRange and Contents. */
export function addSignature(doc: PdfDocument, wanted: NewSignature): Ref {
  const text = (value: string | undefined) => (value === undefined ? undefined : textString(value));
  const references = [
    ...(wanted.certification === undefined ? [] : [certifying(wanted.certification)]),
    ...('ref' in wanted.field ? locking(doc, wanted.field) : []),
  ];
  const signature = doc.add(
    Dict.of({
      Type: name(wanted.subFilter === 'ETSI.RFC3161' ? 'DocTimeStamp' : 'Sig'),
      Filter: name('Adobe.PPKLite'),
      SubFilter: name(wanted.subFilter),
      M: wanted.date && textString(pdfDate(momentOf(wanted.date))),
      Name: text(wanted.name),
      Reason: text(wanted.reason),
      Location: text(wanted.location),
      Reference: references.length > 0 ? references : undefined,
    }),
  );
  if ('ref' in wanted.field) fillField(doc, wanted.field, signature, wanted.look);
  else addField(doc, wanted.field, signature, wanted.look);
  if (wanted.certification !== undefined) certify(doc, signature);
  return signature;
}

function addField(doc: PdfDocument, field: NewField, signature: Ref, look: SignatureLook | undefined): void {
  const { page, box } = field;
  const size = box && { width: widthOf(box), height: heightOf(box) };
  const widget = doc.add(
    Dict.of({
      Type: name('Annot'),
      Subtype: name('Widget'),
      FT: name('Sig'),
      T: textString(field.name ?? freeFieldName(doc)),
      V: signature,
      P: page,
      F: WIDGET_FLAGS,
      Rect: box && look ? rectOn(doc, page, box) : [0, 0, 0, 0],
      AP: look && size ? Dict.of({ N: addAppearance(doc, page, size, look) }) : noAppearance(doc),
    }),
  );
  addToPage(doc, page, widget);
  addToForm(doc, widget);
}

/** Part 1 of PDF/A wants every field to have an appearance, though nothing is seen of this one. */
const noAppearance = (doc: PdfDocument): Dict | undefined =>
  claimsPartOne(doc) ? Dict.of({ N: addForm(doc, [0, 0, 0, 0], '', {}) }) : undefined;

/** The field keeps its place; only its value and its look are new. */
function fillField(
  doc: PdfDocument,
  { ref, widget, page, size }: EmptyField,
  signature: Ref,
  look: SignatureLook | undefined,
): void {
  doc.edit(ref).set('V', signature);
  if (look) {
    const dict = doc.edit(widget);
    dict.set('AP', Dict.of({ N: addAppearance(doc, page, size, look) }));
    dict.set('F', (doc.number(dict.get('F')) ?? 0) | WIDGET_FLAGS);
  }
  addToForm(doc, undefined);
}

/** ISO 32000-2, 12.8.2.2. */
const certifying = (level: CertificationLevel): Dict =>
  Dict.of({
    Type: name('SigRef'),
    TransformMethod: name('DocMDP'),
    TransformParams: Dict.of({ Type: name('TransformParams'), P: level, V: name('1.2') }),
  });

function certify(doc: PdfDocument, signature: Ref): void {
  const permissions = new Dict(doc.dict(doc.catalog.get('Perms')) ?? []);
  permissions.set('DocMDP', signature);
  doc.edit(doc.catalogRef).set('Perms', permissions);
}

/** What the author of the field wanted locked by its signature (12.8.2.4). */
function locking(doc: PdfDocument, { lock }: EmptyField): Dict[] {
  const action = doc.name(lock?.get('Action'));
  if (!lock || action === undefined) return [];
  const params = Dict.of({ Type: name('TransformParams'), Action: name(action), V: name('1.2') });
  const fields = doc.array(lock.get('Fields'));
  if (fields) params.set('Fields', [...fields]);
  return [
    Dict.of({
      Type: name('SigRef'),
      TransformMethod: name('FieldMDP'),
      Data: doc.catalogRef,
      TransformParams: params,
    }),
  ];
}

function freeFieldName(doc: PdfDocument): string {
  const taken = new Set<string | undefined>();
  for (const field of doc.array(formOf(doc)?.get('Fields')) ?? [])
    taken.add(doc.text(doc.dict(field)?.get('T')));
  let number = 1;
  while (taken.has(`Signature${number}`)) number += 1;
  return `Signature${number}`;
}

/** Lists that are objects of their own are changed there, so that the page stays as it is. */
function addToPage(doc: PdfDocument, page: Ref, widget: Ref): void {
  const held = doc.dict(page)?.get('Annots');
  const list = [...(doc.array(held) ?? []), widget];
  if (held instanceof Ref && doc.array(held)) doc.replace(held, list);
  else doc.edit(page).set('Annots', list);
}

/** Without a field the form is only told that there are signatures. */
function addToForm(doc: PdfDocument, field: Ref | undefined): void {
  const held = doc.catalog.get('AcroForm');
  const found = formOf(doc);
  const flags = (doc.number(found?.get('SigFlags')) ?? 0) | SIGNATURE_FLAGS;
  if (!field && doc.number(found?.get('SigFlags')) === flags) return;
  const form = found && held instanceof Ref ? doc.edit(held) : new Dict(found ?? []);
  if (field) addToFields(doc, form, field);
  form.set('SigFlags', flags);
  if (found && held instanceof Ref) return;
  doc.edit(doc.catalogRef).set('AcroForm', form);
}

function addToFields(doc: PdfDocument, form: Dict, field: Ref): void {
  const fields: PdfValue | undefined = form.get('Fields');
  const list = [...(doc.array(fields) ?? []), field];
  if (fields instanceof Ref && doc.array(fields)) doc.replace(fields, list);
  else form.set('Fields', list);
}
