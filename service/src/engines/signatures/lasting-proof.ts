// What a signature needs to be judged when nobody can be asked any more (ETSI EN 319 142-1, B-LT): the certificates of
// signer and timestamp authority up to their roots, and the word that none of them was withdrawn.
import { createHash } from 'node:crypto';
import { MalformedDer } from '../../contract/der.ts';
import type { Egress } from '../../contract/egress.ts';
import { openBytes } from '../../contract/file-bytes.ts';
import type { Content } from '../../contract/files.ts';
import { invalidParameter, Problem } from '../../contract/problems.ts';
import type { ProofOfSignature } from '../../pdf/security/security-store.ts';
import type { DocumentSignature, SecurityStore } from '../../pdf/security/signature-fields.ts';
import { UnknownAlgorithm } from './algorithms.ts';
import { askForIssuers, askForStatus } from './authority-asking.ts';
import { type AuthorityFetches, authorityFetches } from './authority-fetching.ts';
import { signedBytes, UnsoundRange } from './byte-range.ts';
import { type Certificate, certificateIn, isSame, isSelfSigned } from './certificate.ts';
import { readSignedMessage, type SignedMessage } from './cms.ts';
import { OID } from './oids.ts';
import { responderCertificates, wordOfResponder } from './responder-answer.ts';
import { isGoodAt, type RevocationData } from './revocation.ts';
import { wordOfList } from './revocation-list.ts';
import { systemTrust } from './trust-store.ts';

interface Known {
  /** Certificates that may be issuers. */
  certificates: Certificate[];
  data: { crls: Uint8Array[]; ocsps: Uint8Array[] };
  fetches: AuthorityFetches;
}

/** Proofs for each of these signatures; what the document brings already is asked of nobody again. */
export async function gatherProofs(
  content: Content,
  signatures: readonly DocumentSignature[],
  store: SecurityStore,
  egress: Egress | undefined,
): Promise<ProofOfSignature[]> {
  if (!egress) throw new Problem('url_fetch_failed', 'Nothing can be fetched here.');
  const messages = readMessages(content, signatures);
  const known: Known = {
    certificates: [
      ...store.certificates.flatMap(certificateIn),
      ...messages.flatMap(({ parts }) => parts.flatMap(({ certificates }) => certificates)),
    ],
    data: { crls: [...store.crls], ocsps: [...store.ocsps] },
    fetches: authorityFetches(egress),
  };
  const proofs: ProofOfSignature[] = [];
  for (const { key, parts } of messages) {
    const proof: ProofOfSignature = { key, certificates: [], crls: [], ocsps: [] };
    for (const { signer } of parts) if (signer.certificate) await prove(signer.certificate, known, proof);
    proofs.push(proof);
  }
  return proofs;
}

interface KeyedMessage {
  /** As the document names it: SHA-1 of Contents. */
  key: string;
  /** The message of the signer and that of its timestamp. */
  parts: SignedMessage[];
}

function readMessages(content: Content, signatures: readonly DocumentSignature[]): KeyedMessage[] {
  const source = openBytes(content);
  try {
    return signatures.map(({ byteRange, field }) => {
      try {
        const { contents } = signedBytes(source, byteRange);
        const message = readSignedMessage(contents);
        const token = message.signer.unsigned.get(OID.timeStampToken);
        const key = createHash('sha1').update(contents).digest('hex').toUpperCase();
        return { key, parts: [message, ...(token ? [readSignedMessage(token.raw)] : [])] };
      } catch (error) {
        const isTheirs = [UnsoundRange, MalformedDer, UnknownAlgorithm].some((kind) => error instanceof kind);
        if (!isTheirs) throw error;
        throw invalidParameter(`fileInput: the signature in ${field} cannot be read.`);
      }
    });
  } finally {
    source.close();
  }
}

const MAX_PATH = 12;

/** From a certificate up to its root, each with its evidence. */
async function prove(first: Certificate, known: Known, proof: ProofOfSignature): Promise<void> {
  let certificate = first;
  for (let step = 0; step < MAX_PATH; step += 1) {
    addTo(proof.certificates, certificate.raw);
    if (isSelfSigned(certificate)) return;
    const issuer = await issuerOf(certificate, known);
    if (!issuer)
      throw invalidParameter(`level: the certificate above ${certificate.subjectText} is missing.`, {
        hint: 'Send the whole chain with the key: in certFile, p12File or jksFile.',
      });
    await proveStatus(certificate, issuer, known, proof);
    certificate = issuer;
  }
}

async function issuerOf(certificate: Certificate, known: Known): Promise<Certificate | undefined> {
  const isIssuer = (one: Certificate) =>
    one.subject.raw.equals(certificate.issuer.raw) &&
    !isSame(one, certificate) &&
    certificate.isSignedBy(one);
  const found = [...known.certificates, ...systemTrust().named(certificate.issuer.raw)].find(isIssuer);
  if (found) return found;
  const asked = await askForIssuers(certificate, known.fetches);
  known.certificates.push(...asked);
  return asked.find(isIssuer);
}

async function proveStatus(
  certificate: Certificate,
  issuer: Certificate,
  known: Known,
  proof: ProofOfSignature,
): Promise<void> {
  // RFC 6960, 4.2.2.2.1: who issued it vouches for it as long as it lives.
  if (certificate.extensions.byId.has(OID.ocspNoCheck)) return;
  const held = heldEvidence(certificate, issuer, known.data);
  const asked = held ? undefined : await askForStatus(certificate, issuer, known.fetches);
  if (asked?.answer === 'revoked')
    throw invalidParameter(`The certificate of ${certificate.subjectText} was withdrawn.`);
  if (asked?.asked.length === 0)
    throw invalidParameter(
      `level: the certificate of ${certificate.subjectText} names nobody who tells whether it was withdrawn.`,
      { hint: 'Use level B-T with such a certificate.' },
    );
  if (asked && asked.answer !== 'good')
    throw new Problem(
      'url_fetch_failed',
      `Nobody whom the certificate of ${certificate.subjectText} names told whether it was withdrawn.`,
      { hint: 'Try again later, or use level B-T.' },
    );
  const evidence = held ?? asked?.evidence ?? { crls: [], ocsps: [] };
  for (const [kind, list] of [['crls', evidence.crls] as const, ['ocsps', evidence.ocsps] as const])
    for (const bytes of list) {
      addTo(proof[kind], bytes);
      addTo(known.data[kind], bytes);
    }
  for (const answer of evidence.ocsps)
    for (const responder of responderCertificates(answer)) addTo(proof.certificates, responder.raw);
}

function heldEvidence(
  certificate: Certificate,
  issuer: Certificate,
  { crls, ocsps }: RevocationData,
): RevocationData | undefined {
  const now = new Date();
  const answer = ocsps.find((each) => isGoodAt(wordOfResponder(each, certificate, issuer), certificate, now));
  if (answer) return { ocsps: [answer], crls: [] };
  const list = crls.find((each) => isGoodAt(wordOfList(each, certificate, issuer), certificate, now));
  return list && { ocsps: [], crls: [list] };
}

function addTo(list: Uint8Array[], bytes: Uint8Array): void {
  if (!list.some((each) => Buffer.compare(each, bytes) === 0)) list.push(bytes);
}
