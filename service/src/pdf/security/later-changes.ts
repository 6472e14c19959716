// What became of a document after a revision of it was signed: the objects that were appended, told as what they are
// to a reader.
import type { PdfDocument } from '../document.ts';
import { Dict, type PdfObject, type PdfValue, Ref, Stream } from '../objects.ts';
import { formatValue } from '../syntax.ts';

export const LATER_CHANGES = [
  'signature',
  'document-timestamp',
  'validation-data',
  'form-fields',
  'annotations',
  'page-content',
  'pages',
  'attachments',
  'metadata',
  'other',
] as const;
export type LaterChange = (typeof LATER_CHANGES)[number];

const MAX_OBJECTS = 200_000;

/** `appended`: the bytes after the signed revision `before`, one character per byte. */
export function laterChanges(now: PdfDocument, before: PdfDocument, appended: string): LaterChange[] {
  const refs = appendedRefs(now, appended);
  const found = new Set<LaterChange>();
  for (const ref of refs) {
    const [was, is] = [before.get(ref), now.get(ref)];
    if (isSame(now, before, ref, was, is)) continue;
    // New entries of a list tell themselves what they are.
    if (keepsAll(was, is)) continue;
    for (const change of changesOf(now, dictOf(was), dictOf(is), ref)) found.add(change);
  }
  // Bytes that are no revision are still bytes nobody signed.
  if (refs.length === 0) found.add('other');
  return LATER_CHANGES.filter((change) => found.has(change));
}

/** Objects that stand in the appended bytes, by themselves or in an object stream. */
function appendedRefs(doc: PdfDocument, appended: string): Ref[] {
  const refs = new Map<string, Ref>();
  for (const match of appended.matchAll(/(?:^|[\s>])(\d{1,8})\s+(\d{1,5})\s+obj\b/g)) {
    if (refs.size >= MAX_OBJECTS) break;
    const ref = new Ref(Number(match[1]), Number(match[2]));
    const object = doc.get(ref);
    const type = object instanceof Stream ? doc.name(object.dict.get('Type')) : undefined;
    if (type === 'ObjStm' && object instanceof Stream) {
      for (const inner of packedRefs(doc, ref, object)) refs.set(inner.key, inner);
    } else if (type !== 'XRef') refs.set(ref.key, ref);
  }
  return [...refs.values()];
}

/** An object stream begins with pairs of number and place. */
function packedRefs(doc: PdfDocument, ref: Ref, { dict }: Stream): Ref[] {
  const first = doc.number(dict.get('First')) ?? 0;
  const head = Buffer.from(doc.streamData(ref).bytes.subarray(0, Math.max(0, first))).toString('latin1');
  return (head.match(/\d+/g) ?? []).flatMap((digits, index) =>
    index % 2 === 0 ? [new Ref(Number(digits))] : [],
  );
}

function isSame(now: PdfDocument, before: PdfDocument, ref: Ref, was: PdfObject, is: PdfObject): boolean {
  if (!(was instanceof Stream) || !(is instanceof Stream))
    return !(was instanceof Stream) && !(is instanceof Stream) && sameValue(was, is);
  return (
    sameValue(was.dict, is.dict) &&
    Buffer.from(before.rawStreamData(ref)).equals(Buffer.from(now.rawStreamData(ref)))
  );
}

const sameValue = (one: PdfValue | undefined, other: PdfValue | undefined): boolean =>
  formatValue(one ?? null) === formatValue(other ?? null);

/** Whether a list only grew. */
function keepsAll(was: PdfObject | undefined, is: PdfObject | undefined): boolean {
  if (!Array.isArray(is)) return false;
  const kept = new Set(is.map(formatValue));
  return (Array.isArray(was) ? was : []).every((item) => kept.has(formatValue(item)));
}

const dictOf = (object: PdfObject): Dict | undefined =>
  object instanceof Stream ? object.dict : object instanceof Dict ? object : undefined;

function changesOf(doc: PdfDocument, was: Dict | undefined, is: Dict | undefined, ref: Ref): LaterChange[] {
  const type = doc.name(is?.get('Type')) ?? doc.name(was?.get('Type')) ?? '';
  const subtype = doc.name(is?.get('Subtype'));
  if (type === 'Catalog') return changedKeys(was, is).map((key) => CATALOG_KEYS[key] ?? 'other');
  if (type === 'Page')
    return was ? changedKeys(was, is).map((key) => PAGE_KEYS[key] ?? 'page-content') : ['pages'];
  if (is?.has('FT') || subtype === 'Widget') return isSignature(doc, is) ? ['signature'] : ['form-fields'];
  if (type in TYPES) return TYPES[type] ?? [];
  if (is?.has('ByteRange') || type === 'Sig') return ['signature'];
  if (doc.trailer.get('Info') instanceof Ref && (doc.trailer.get('Info') as Ref).key === ref.key)
    return ['metadata'];
  if (is?.has('Fields') && is.has('SigFlags')) return [];
  if (is?.has('VRI') || is?.has('OCSPs') || is?.has('CRLs')) return ['validation-data'];
  // New parts are told by what shows them; an old one that differs may be anything.
  return was ? ['other'] : [];
}

const isSignature = (doc: PdfDocument, field: Dict | undefined): boolean =>
  field !== undefined && doc.name(doc.inherited(field, 'FT')) === 'Sig';

const TYPES: Readonly<Record<string, LaterChange[]>> = {
  DocTimeStamp: ['document-timestamp'],
  DSS: ['validation-data'],
  Annot: ['annotations'],
  Pages: ['pages'],
  Filespec: ['attachments'],
  EmbeddedFile: ['attachments'],
  Metadata: ['metadata'],
};

const CATALOG_KEYS: Readonly<Record<string, LaterChange>> = {
  DSS: 'validation-data',
  Extensions: 'metadata',
  Version: 'metadata',
  Metadata: 'metadata',
  Pages: 'pages',
  AF: 'attachments',
  Perms: 'signature',
};

const PAGE_KEYS: Readonly<Record<string, LaterChange>> = {
  Annots: 'annotations',
  Metadata: 'metadata',
  LastModified: 'metadata',
};

function changedKeys(was: Dict | undefined, is: Dict | undefined): string[] {
  const keys = new Set([...(was?.keys() ?? []), ...(is?.keys() ?? [])]);
  // The form's fields tell themselves what they are.
  return [...keys]
    .filter((key) => key !== 'AcroForm' && !keepsAll(was?.get(key) ?? null, is?.get(key)))
    .filter((key) => !sameValue(was?.get(key), is?.get(key)));
}
