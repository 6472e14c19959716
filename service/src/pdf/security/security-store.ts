// The document security store: what signatures of a document are judged by (ISO 32000-2, 12.8.4.3).
import type { PdfDocument } from '../document.ts';
import { momentOf, pdfDate } from '../metadata/pdf-dates.ts';
import { Dict, name, Ref, Stream } from '../objects.ts';
import { textString } from '../text-strings.ts';

export interface ProofOfSignature {
  /** SHA-1 of the signature's Contents, in hexadecimal digits. */
  key: string;
  certificates: Uint8Array[];
  crls: Uint8Array[];
  ocsps: Uint8Array[];
}

const LISTS = [
  ['Certs', 'Cert', 'certificates'],
  ['OCSPs', 'OCSP', 'ocsps'],
  ['CRLs', 'CRL', 'crls'],
] as const;

/** Adds to the store there is; what it holds already is not written again. */
export function addToSecurityStore(doc: PdfDocument, proofs: readonly ProofOfSignature[], now: Date): void {
  const held = doc.catalog.get('DSS');
  const store = new Dict(doc.dict(held) ?? []);
  store.set('Type', name('DSS'));
  const related = new Dict(doc.dict(store.get('VRI')) ?? []);
  const entries = proofs.map(() => Dict.of({ Type: name('VRI') }));
  for (const [all, own, kind] of LISTS) {
    const list = new StreamList(doc, store, all);
    proofs.forEach((proof, index) => {
      const refs = proof[kind].map((bytes) => list.add(bytes));
      if (refs.length > 0) entries[index]?.set(own, refs);
    });
    if (list.refs.length > 0) store.set(all, list.refs);
  }
  proofs.forEach(({ key }, index) => {
    const entry = entries[index];
    entry?.set('TU', textString(pdfDate(momentOf(now))));
    if (entry) related.set(key, entry);
  });
  store.set('VRI', related);
  const catalog = doc.edit(doc.catalogRef);
  if (held instanceof Ref && doc.dict(held)) doc.replace(held, store);
  else catalog.set('DSS', doc.add(store));
  announce(doc, catalog);
}

/** PDF 1.7 knows of it by an extension of ETSI's. */
function announce(doc: PdfDocument, catalog: Dict): void {
  const extensions = new Dict(doc.dict(catalog.get('Extensions')) ?? []);
  if (extensions.has('ESIC')) return;
  extensions.set('ESIC', Dict.of({ BaseVersion: name('1.7'), ExtensionLevel: 5 }));
  catalog.set('Extensions', extensions);
}

/** Streams of one list of the store, each once. */
class StreamList {
  readonly refs: Ref[];
  private readonly doc: PdfDocument;
  private readonly known = new Map<string, Ref>();

  constructor(doc: PdfDocument, store: Dict, key: string) {
    this.doc = doc;
    this.refs = (doc.array(store.get(key)) ?? []).filter((value) => value instanceof Ref);
    for (const ref of this.refs)
      if (doc.get(ref) instanceof Stream) this.known.set(mark(doc.streamData(ref).bytes), ref);
  }

  add(bytes: Uint8Array): Ref {
    const found = this.known.get(mark(bytes));
    if (found) return found;
    const ref = this.doc.addStream(new Dict(), bytes);
    this.known.set(mark(bytes), ref);
    this.refs.push(ref);
    return ref;
  }
}

const mark = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
