// Answers of responders (RFC 6960), and what one says of a certificate.
import { createHash } from 'node:crypto';
import { context, type DerNode, readDer, TAG } from '../../contract/der.ts';
import { hashOf, signatureAlgorithm, strengthOf, verifies } from './algorithms.ts';
import { type Certificate, isValidAt, readCertificate } from './certificate.ts';
import { hasStrangeDemand, readExtensions } from './extensions.ts';
import { OID } from './oids.ts';
import { pathFault } from './path-rules.ts';
import { readSafely, timeIn, unusable, type Word, withdrawnSince } from './revocation-words.ts';

export function wordOfResponder(bytes: Uint8Array, certificate: Certificate, issuer: Certificate): Word {
  return readSafely(() => readAnswer(bytes, certificate, issuer));
}

/** Extensions whose meaning is kept to here. */
const UNDERSTOOD: ReadonlySet<string> = new Set([
  OID.ocspNonce,
  OID.ocspArchiveCutoff,
  OID.crlReason,
  OID.invalidityDate,
]);

interface Answer {
  /** What is signed. */
  data: DerNode;
  responderId: DerNode;
  produced: Date;
  singles: readonly DerNode[];
  extensions: DerNode | undefined;
}

function partsOf(basic: DerNode): Answer {
  const data = basic.child(0, TAG.sequence);
  const start = data.child(0).tag === context(0) ? 1 : 0;
  return {
    data,
    responderId: data.child(start),
    produced: data.child(start + 1, TAG.generalizedTime).time(),
    singles: data.child(start + 2, TAG.sequence).children,
    extensions: data.children[start + 3],
  };
}

function readAnswer(bytes: Uint8Array, certificate: Certificate, issuer: Certificate): Word {
  const basic = basicResponse(bytes);
  if (typeof basic === 'string') return unusable(basic);
  const answer = partsOf(basic);
  const about = answer.singles.filter((each) => isAbout(each.child(0), certificate, issuer));
  if (about.length === 0) return undefined;
  const signer = signerOf(basic, answer, issuer);
  if (typeof signer === 'string') return unusable(signer);
  const extensions = readExtensions(answer.extensions);
  if (hasStrangeDemand(extensions, UNDERSTOOD)) return unusable(STRANGE);
  const responder = signer === issuer ? undefined : signer;
  const echo = extensions.byId.get(OID.ocspNonce);
  const nonce = echo && (echo.value?.octets() ?? Buffer.alloc(0));
  const words = about.map((single) => readSingle(single, { responder, nonce }));
  // Where it contradicts itself, the worse counts.
  return (
    words.find((word) => typeof word?.says === 'object') ??
    words.find((word) => word?.says !== 'good') ??
    words[0]
  );
}

const STRANGE = 'The answer asks for what is not understood here.';

function readSingle(
  single: DerNode,
  source: { responder: Certificate | undefined; nonce: Buffer | undefined },
): Word {
  const status = single.child(1);
  const extensions = readExtensions(single.children.slice(3).find(({ tag }) => tag === context(1)));
  if (hasStrangeDemand(extensions, UNDERSTOOD)) return unusable(STRANGE);
  const told = {
    from: single.child(2).time(),
    until: single.children[3]?.tag === context(0) ? single.child(3).child(0).time() : undefined,
    endedAfter: timeIn(extensions.byId.get(OID.ocspArchiveCutoff)?.value),
    ...source,
  };
  if (status.tag === context(0, false)) return { says: 'good', ...told };
  return status.tag === context(1)
    ? { says: { revokedAt: withdrawnSince(status.child(0).time(), extensions) }, ...told }
    : { says: 'unknown', ...told };
}

/** RFC 6960, 4.2.1. */
const REFUSALS = new Map([
  [1, 'The responder could not read the request.'],
  [2, 'The responder has a fault of its own.'],
  [3, 'The responder asks to be asked later.'],
  [5, 'The responder answers signed requests only.'],
  [6, 'The responder does not answer for this certificate.'],
]);

/** Stores hold whole answers or only their inner part. Why not, where it is a refusal. */
function basicResponse(bytes: Uint8Array): DerNode | string {
  const root = readDer(bytes).expect(TAG.sequence);
  if (root.child(0).tag !== TAG.enumerated) return root;
  const status = root.child(0).number();
  if (status !== 0) return REFUSALS.get(status) ?? 'The responder refused to answer.';
  const inner = root.child(1, context(0)).child(0, TAG.sequence);
  return inner.child(0).oid() === OID.ocspBasic
    ? readDer(inner.child(1).octets())
    : 'The answer is of an unknown kind.';
}

const keyBytes = ({ keyInfo }: Certificate): Buffer => readDer(keyInfo).child(1).bits();

function isAbout(id: DerNode, { serial }: Certificate, issuer: Certificate): boolean {
  const hash = hashOf(id.child(0));
  const print = (bytes: Uint8Array) => createHash(hash).update(bytes).digest();
  return (
    id.child(3).content.equals(serial) &&
    id.child(1).octets().equals(print(issuer.subject.raw)) &&
    id
      .child(2)
      .octets()
      .equals(print(keyBytes(issuer)))
  );
}

/** Certificates that came with an answer. */
const carried = (basic: DerNode): Certificate[] =>
  (basic.find(context(0))?.child(0).children ?? []).map(({ raw }) => readCertificate(raw));

/** The issuer, or a responder that the issuer appointed; else why it is neither. */
function signerOf(basic: DerNode, answer: Answer, issuer: Certificate): Certificate | string {
  const algorithm = signatureAlgorithm(basic.child(1));
  const signature = basic.child(2).bits();
  const signed = ({ key }: Certificate): boolean =>
    key !== undefined &&
    strengthOf(algorithm, key) !== 'broken' &&
    verifies(algorithm, key, [answer.data.raw], signature);
  const named = [issuer, ...carried(basic)].filter((one) => isNamed(answer.responderId, one));
  const signer = named.find(signed);
  if (!signer) return 'The answer was not signed by the responder that it names.';
  if (signer === issuer || signer.keyInfo.equals(issuer.keyInfo)) return issuer;
  return appointmentFault(signer, issuer, answer.produced) ?? signer;
}

/** RFC 6960, 4.2.1: by its name, or by a hash of its key. */
function isNamed(id: DerNode, certificate: Certificate): boolean {
  if (id.tag === context(1)) return id.child(0).raw.equals(certificate.subject.raw);
  return (
    id.tag === context(2) &&
    id
      .child(0)
      .octets()
      .equals(createHash('sha1').update(keyBytes(certificate)).digest())
  );
}

/** RFC 6960, 4.2.2.2: "MUST be issued directly by the CA that is identified in the request", for this use. */
function appointmentFault(one: Certificate, issuer: Certificate, produced: Date): string | undefined {
  if (!one.issuer.raw.equals(issuer.subject.raw) || !one.isSignedBy(issuer))
    return 'The responder was not appointed by the issuer of the certificate.';
  if (!one.purposes?.includes(OID.ocspSigning)) return 'The certificate of the responder is not for answers.';
  if (!isValidAt(one, produced)) return 'The certificate of the responder was not valid when it answered.';
  return pathFault([one, issuer], 'answer') && 'The certificate of the responder cannot be relied on.';
}

/** Certificates of responders that an answer brings; none where it cannot be read. */
export function responderCertificates(bytes: Uint8Array): Certificate[] {
  try {
    const basic = basicResponse(bytes);
    return typeof basic === 'string' ? [] : carried(basic);
  } catch {
    return [];
  }
}
