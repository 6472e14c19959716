// What one piece of evidence says of one certificate: a list of withdrawn ones (RFC 5280, 5), or the answer of a
// responder (RFC 6960).
import { createHash } from 'node:crypto';
import { context, type DerNode, readDer, TAG } from '../../contract/der.ts';
import { hashOf, signatureAlgorithm, verifies } from './algorithms.ts';
import { listPlaces, placeNames } from './authority-addresses.ts';
import { type Certificate, isValidAt, readCertificate } from './certificate.ts';
import { readExtensions } from './extensions.ts';
import { OID } from './oids.ts';

/** Undefined where it is about other certificates. */
export type Word = 'unusable' | Told | undefined;

export interface Told {
  says: 'good' | 'unknown' | { revokedAt: Date };
  /** When it was known, and until when nothing newer was to be expected. */
  from: Date;
  until: Date | undefined;
}

export function wordOfList(bytes: Uint8Array, certificate: Certificate, issuer: Certificate): Word {
  return readSafely(() => readList(bytes, certificate, issuer));
}

export function wordOfResponder(bytes: Uint8Array, certificate: Certificate, issuer: Certificate): Word {
  return readSafely(() => readAnswer(bytes, certificate, issuer));
}

function readSafely(read: () => Word): Word {
  try {
    return read();
  } catch {
    return 'unusable';
  }
}

function readList(bytes: Uint8Array, certificate: Certificate, issuer: Certificate): Word {
  const list = readDer(bytes).expect(TAG.sequence);
  const tbs = list.child(0, TAG.sequence);
  const parts = tbs.children.filter(({ tag }) => tag !== TAG.integer);
  if (!parts[1]?.raw.equals(certificate.issuer.raw)) return undefined;
  const scope = scopeOf(tbs.find(context(0)), certificate);
  if (scope === 'others') return undefined;
  const mayIssueLists = !issuer.usages || issuer.usages.includes('CRL Signing');
  if (!issuer.key || !mayIssueLists) return 'unusable';
  if (!verifies(signatureAlgorithm(list.child(1)), issuer.key, [tbs.raw], list.child(2).bits()))
    return 'unusable';
  const [from, until] = parts.filter(({ tag }) => tag === TAG.utcTime || tag === TAG.generalizedTime);
  if (!from) return 'unusable';
  const times = { from: from.time(), until: until?.time() };
  // After signature, issuer and the dates stand the entries, if there are any.
  const entries = parts.slice(2).find(({ tag }) => tag === TAG.sequence);
  for (const entry of entries?.eachChild() ?? []) {
    if (entry.child(0).content.equals(certificate.serial))
      return { says: { revokedAt: entry.child(1).time() }, ...times };
  }
  return scope === 'part' ? 'unusable' : { says: 'good', ...times };
}

/** Extensions of lists whose meaning is kept to here. */
const UNDERSTOOD: ReadonlySet<string> = new Set([OID.issuingDistributionPoint, OID.authorityKeyId]);

/** Whether a list is about certificates like this one; of a part of them its silence says nothing. */
function scopeOf(field: DerNode | undefined, certificate: Certificate): 'all' | 'part' | 'others' {
  const { byId } = readExtensions(field);
  const hasStrange = [...byId].some(([id, { critical }]) => critical && !UNDERSTOOD.has(id));
  const point = byId.get(OID.issuingDistributionPoint)?.value;
  const says = (number: number): boolean => (point?.find(context(number, false))?.content[0] ?? 0) !== 0;
  if (says(5) || (says(1) && certificate.isAuthority) || (says(2) && !certificate.isAuthority))
    return 'others';
  // Lists that others keep (4) name the issuer entry by entry; some tell of some reasons only (3).
  if (says(4)) return 'others';
  const names = placeNames(point?.find(context(0)));
  const own = listPlaces(certificate);
  if (names.length > 0 && !names.some((name) => own.includes(name))) return 'others';
  return hasStrange || point?.find(context(3, false)) ? 'part' : 'all';
}

function readAnswer(bytes: Uint8Array, certificate: Certificate, issuer: Certificate): Word {
  const basic = basicResponse(bytes);
  if (!basic) return 'unusable';
  const data = basic.child(0, TAG.sequence);
  const responses = data.children.findLast(({ tag }) => tag === TAG.sequence);
  const single = responses?.children.find((each) => isAbout(each.child(0), certificate, issuer));
  if (!single) return undefined;
  const produced = data.find(TAG.generalizedTime);
  if (!produced || !isGenuine(basic, data, issuer, produced.time())) return 'unusable';
  const status = single.child(1);
  const times = {
    from: single.child(2).time(),
    until: single.children[3]?.tag === context(0) ? single.child(3).child(0).time() : undefined,
  };
  if (status.tag === context(0, false)) return { says: 'good', ...times };
  return status.tag === context(1)
    ? { says: { revokedAt: status.child(0).time() }, ...times }
    : { says: 'unknown', ...times };
}

/** Stores hold whole answers or only their inner part. */
function basicResponse(bytes: Uint8Array): DerNode | undefined {
  const root = readDer(bytes).expect(TAG.sequence);
  if (root.child(0).tag !== TAG.enumerated) return root;
  if (root.child(0).number() !== 0) return undefined;
  const inner = root.child(1, context(0)).child(0, TAG.sequence);
  return inner.child(0).oid() === OID.ocspBasic ? readDer(inner.child(1).octets()) : undefined;
}

function isAbout(id: DerNode, { serial }: Certificate, issuer: Certificate): boolean {
  const hash = hashOf(id.child(0));
  const print = (bytes: Uint8Array) => createHash(hash).update(bytes).digest();
  return (
    id.child(3).content.equals(serial) &&
    id.child(1).octets().equals(print(issuer.subject.raw)) &&
    id
      .child(2)
      .octets()
      .equals(print(readDer(issuer.keyInfo).child(1).bits()))
  );
}

/** Certificates that came with an answer. */
const carried = (basic: DerNode): Certificate[] =>
  (basic.find(context(0))?.child(0).children ?? []).map(({ raw }) => readCertificate(raw));

/** Signed by the issuer, or by a responder that the issuer appointed. */
function isGenuine(basic: DerNode, data: DerNode, issuer: Certificate, produced: Date): boolean {
  const appointed = carried(basic).filter(
    (one) => one.purposes?.includes(OID.ocspSigning) && isValidAt(one, produced) && one.isSignedBy(issuer),
  );
  const algorithm = signatureAlgorithm(basic.child(1));
  const signature = basic.child(2).bits();
  return [issuer, ...appointed].some(({ key }) => key && verifies(algorithm, key, [data.raw], signature));
}

/** Certificates of responders that an answer brings; none where it cannot be read. */
export function responderCertificates(bytes: Uint8Array): Certificate[] {
  try {
    const basic = basicResponse(bytes);
    return basic ? carried(basic) : [];
  } catch {
    return [];
  }
}
