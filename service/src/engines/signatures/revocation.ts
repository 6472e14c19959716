// Whether a certificate was withdrawn, by what came with the document: lists (RFC 5280) and answers of
// responders (RFC 6960). Nothing is fetched.
import { createHash } from 'node:crypto';
import { hashOf, signatureAlgorithm, verifies } from './algorithms.ts';
import { type Certificate, readCertificate } from './certificate.ts';
import { context, type DerNode, readDer, TAG } from './der.ts';
import { OID } from './oids.ts';

export type RevocationStatus = 'not-checked' | 'good' | 'revoked' | 'soft-fail' | 'unknown';

export interface RevocationData {
  crls: readonly Uint8Array[];
  ocsps: readonly Uint8Array[];
}

/** What one piece of evidence says; undefined where it is about other certificates. */
type Word = 'good' | 'unknown' | 'unusable' | { revokedAt: Date } | undefined;

/** `provenAt`: when a trusted clock saw the signature; what was withdrawn later does not touch it. */
export function revocationStatus(
  certificate: Certificate,
  issuer: Certificate | undefined,
  { crls, ocsps }: RevocationData,
  provenAt: Date | undefined,
): RevocationStatus {
  if (crls.length + ocsps.length === 0) return 'not-checked';
  if (!issuer) return 'unknown';
  const words = [
    ...crls.map((list) => readSafely(() => wordOfList(list, certificate, issuer))),
    ...ocsps.map((answer) => readSafely(() => wordOfResponder(answer, certificate, issuer))),
  ].filter((word) => word !== undefined);
  const revoked = words.filter((word) => typeof word === 'object');
  if (revoked.some(({ revokedAt }) => provenAt === undefined || revokedAt <= provenAt)) return 'revoked';
  if (revoked.length > 0 || words.includes('good')) return 'good';
  return words.includes('unusable') ? 'soft-fail' : 'unknown';
}

function readSafely(read: () => Word): Word {
  try {
    return read();
  } catch {
    return 'unusable';
  }
}

function wordOfList(bytes: Uint8Array, { issuer: name, serial }: Certificate, issuer: Certificate): Word {
  const list = readDer(bytes).expect(TAG.sequence);
  const tbs = list.child(0, TAG.sequence);
  const parts = tbs.children.filter(({ tag }) => tag !== TAG.integer);
  if (!parts[1]?.raw.equals(name.raw)) return undefined;
  if (!issuer.key) return 'unusable';
  if (!verifies(signatureAlgorithm(list.child(1)), issuer.key, [tbs.raw], list.child(2).bits()))
    return 'unusable';
  // After signature, issuer and the dates stand the entries, if there are any.
  const entries = parts.slice(2).find(({ tag }) => tag === TAG.sequence);
  const found = entries?.children.find((entry) => entry.child(0).content.equals(serial));
  return found ? { revokedAt: found.child(1).time() } : 'good';
}

function wordOfResponder(bytes: Uint8Array, certificate: Certificate, issuer: Certificate): Word {
  const basic = basicResponse(bytes);
  if (!basic) return 'unusable';
  const data = basic.child(0, TAG.sequence);
  const responses = data.children.findLast(({ tag }) => tag === TAG.sequence);
  const single = responses?.children.find((each) => isAbout(each.child(0), certificate, issuer));
  if (!single) return undefined;
  if (!isGenuine(basic, data, issuer)) return 'unusable';
  const status = single.child(1);
  if (status.tag === context(0, false)) return 'good';
  return status.tag === context(1) ? { revokedAt: status.child(0).time() } : 'unknown';
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

/** Signed by the issuer, or by a responder that the issuer appointed. */
function isGenuine(basic: DerNode, data: DerNode, issuer: Certificate): boolean {
  const appointed = (basic.find(context(0))?.child(0).children ?? [])
    .map(({ raw }) => readCertificate(raw))
    .filter((one) => one.purposes?.includes(OID.ocspSigning) && one.isSignedBy(issuer));
  const algorithm = signatureAlgorithm(basic.child(1));
  const signature = basic.child(2).bits();
  return [issuer, ...appointed].some(({ key }) => key && verifies(algorithm, key, [data.raw], signature));
}
