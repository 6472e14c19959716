// Signatures of a document as it holds them: fields of type Sig with a value, and what certifies or locks it.
import type { PdfDocument } from '../document.ts';
import { everyField, readFormTree } from '../forms/form-tree.ts';
import { Dict, isName, type PdfObject, PdfString, Ref, Stream } from '../objects.ts';
import type { FieldLock, Restrictions } from './change-permissions.ts';
import type { Permission } from './revision-change.ts';

export interface DocumentSignature {
  /** The full name of its field. */
  field: string;
  /** The object that the field is. */
  fieldRef: Ref | undefined;
  /** The object that the dictionary is, or the field in which it is written; undefined where neither is an object. */
  holder: Ref | undefined;
  /** Whether the dictionary is written in its field. */
  isDirect: boolean;
  dict: Dict;
  /** Such as adbe.pkcs7.detached. */
  subFilter: string;
  /** Empty where it is not made of whole numbers. */
  byteRange: number[];
  contents: Uint8Array;
  /** Certificates beside the signature: adbe.x509.rsa_sha1 keeps them there. */
  certificates: Uint8Array[];
  name: string | undefined;
  reason: string | undefined;
  location: string | undefined;
  /** As written: a PDF date. */
  date: string | undefined;
  /** What it allows to become of the document. */
  restrictions: Restrictions;
}

/** More are not read. */
const MAX_SIGNATURES = 1000;

/** In the order of the form, then those that only pages know. */
export function readSignatures(doc: PdfDocument): DocumentSignature[] {
  const found: DocumentSignature[] = [];
  const seen = new Set<string | Dict>();
  for (const field of signatureFields(doc)) {
    const value = field.dict.get('V');
    const dict = doc.dict(value);
    if (!dict || found.length >= MAX_SIGNATURES) continue;
    const mark = value instanceof Ref ? value.key : dict;
    if (seen.has(mark)) continue;
    seen.add(mark);
    const isDirect = !(value instanceof Ref);
    const holder = value instanceof Ref ? value : field.ref;
    found.push({
      field: field.name,
      fieldRef: field.ref,
      holder,
      isDirect,
      ...readSignature(doc, dict),
      restrictions: readRestrictions(doc, dict, doc.dict(field.dict.get('Lock'))),
    });
  }
  return found;
}

export interface SignatureField {
  name: string;
  ref: Ref | undefined;
  dict: Dict;
}

/** Signature fields, signed or not. */
function* signatureFields(doc: PdfDocument): Generator<SignatureField> {
  const known = new Set<string>();
  for (const field of everyField(readFormTree(doc))) {
    known.add(field.ref.key);
    for (const widget of field.widgets) known.add(widget.key);
    const dict = doc.dict(field.ref);
    if (dict && field.type === 'Sig') yield { name: field.name, ref: field.ref, dict };
  }
  for (const page of doc.pages()) {
    for (const annotation of doc.array(doc.dict(page)?.get('Annots')) ?? []) {
      const dict = doc.dict(annotation);
      if (!dict || (annotation instanceof Ref && known.has(annotation.key))) continue;
      const ref = annotation instanceof Ref ? annotation : undefined;
      if (isName(doc.resolve(dict.get('FT')), 'Sig'))
        yield { name: doc.text(dict.get('T')) ?? '', ref, dict };
    }
  }
}

function readSignature(
  doc: PdfDocument,
  dict: Dict,
): Omit<DocumentSignature, 'field' | 'fieldRef' | 'holder' | 'isDirect' | 'restrictions'> {
  const range = (doc.array(dict.get('ByteRange')) ?? []).map((each) => doc.number(each) ?? Number.NaN);
  const cert = doc.resolve(dict.get('Cert'));
  return {
    dict,
    subFilter: doc.name(dict.get('SubFilter')) ?? '',
    byteRange: range.every(Number.isSafeInteger) ? range : [],
    contents: bytesOf(doc.resolve(dict.get('Contents'))) ?? new Uint8Array(),
    certificates: (Array.isArray(cert) ? cert : [cert]).flatMap((each) => bytesOf(doc.resolve(each)) ?? []),
    name: doc.text(dict.get('Name')),
    reason: doc.text(dict.get('Reason')),
    location: doc.text(dict.get('Location')),
    date: doc.text(dict.get('M')),
  };
}

const bytesOf = (value: PdfObject): Uint8Array | undefined =>
  value instanceof PdfString ? value.bytes : undefined;

/** What the document brings to judge its signatures by (ISO 32000-2, 12.8.4.3). */
export interface SecurityStore {
  certificates: Uint8Array[];
  crls: Uint8Array[];
  ocsps: Uint8Array[];
}

const MAX_EVIDENCE = 500;

export function readSecurityStore(doc: PdfDocument): SecurityStore {
  const store = doc.dict(doc.catalog.get('DSS')) ?? new Dict();
  // Some writers name evidence only beside the signature that it is for.
  const each = [...(doc.dict(store.get('VRI')) ?? [])]
    .slice(0, MAX_EVIDENCE)
    .flatMap(([, related]) => doc.dict(related) ?? []);
  const streams = (all: string, related: string): Uint8Array[] => {
    const refs = [store.get(all), ...each.map((one) => one.get(related))]
      .flatMap((list) => doc.array(list)?.slice(0, MAX_EVIDENCE) ?? [])
      .filter((value) => value instanceof Ref);
    const known = new Map(refs.map((ref) => [ref.key, ref]));
    return [...known.values()]
      .slice(0, MAX_EVIDENCE)
      .flatMap((ref) => (doc.get(ref) instanceof Stream ? [doc.streamData(ref).bytes] : []));
  };
  return {
    certificates: streams('Certs', 'Cert'),
    crls: streams('CRLs', 'CRL'),
    ocsps: streams('OCSPs', 'OCSP'),
  };
}

/** What the certification of a document allows; undefined where it is not certified. */
export function certificationOf(doc: PdfDocument): Permission | undefined {
  const certification = doc.dict(doc.dict(doc.catalog.get('Perms'))?.get('DocMDP'));
  return certification && readRestrictions(doc, certification, undefined).permission;
}

/** Whether a certification, or a lock that came with a signature, allows no change at all (ISO 32000-2, 12.8.2.2). */
export function forbidsChanges(doc: PdfDocument): boolean {
  if (certificationOf(doc) === 1) return true;
  return readSignatures(doc).some(({ restrictions }) => restrictions.permission === 1);
}

/** More references of a signature, or names in a lock, are not read. */
const MAX_REFERENCES = 100;
const MAX_LOCKED_FIELDS = 10_000;

/** What a signature restricts: by itself, and by the lock that its field held ready for it. */
function readRestrictions(doc: PdfDocument, signature: Dict, lock: Dict | undefined): Restrictions {
  const permissions: Permission[] = [];
  const locks: FieldLock[] = [];
  for (const reference of (doc.array(signature.get('Reference')) ?? []).slice(0, MAX_REFERENCES)) {
    const dict = doc.dict(reference);
    const method = doc.name(dict?.get('TransformMethod'));
    const params = doc.dict(dict?.get('TransformParams'));
    if (method === 'DocMDP') permissions.push(permissionOf(doc, params) ?? 2);
    if (method === 'FieldMDP') locks.push(...lockOf(doc, params));
  }
  const locked = permissionOf(doc, lock);
  if (locked !== undefined) permissions.push(locked);
  locks.push(...lockOf(doc, lock));
  return {
    permission: permissions.length > 0 ? (Math.min(...permissions) as Permission) : undefined,
    locks,
  };
}

/** 1 none, 2 forms and signatures, 3 annotations too; what is none of these permits nothing. */
function permissionOf(doc: PdfDocument, dict: Dict | undefined): Permission | undefined {
  const given = doc.resolve(dict?.get('P'));
  if (given === null) return undefined;
  return given === 2 || given === 3 ? given : 1;
}

function lockOf(doc: PdfDocument, dict: Dict | undefined): FieldLock[] {
  const action = doc.name(dict?.get('Action'));
  if (action !== 'All' && action !== 'Include' && action !== 'Exclude') return [];
  const fields = (doc.array(dict?.get('Fields')) ?? []).slice(0, MAX_LOCKED_FIELDS);
  return [{ action, fields: fields.flatMap((each) => doc.text(each) ?? []) }];
}
