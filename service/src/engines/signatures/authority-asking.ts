// Asking those whom certificates name: who issued them (RFC 5280, 4.2.2.1), and whether they were withdrawn.
import { createHash, randomBytes } from 'node:crypto';
import { context, der, octetString, oid, readDer, sequence, TAG } from '../../contract/der.ts';
import { hashIdentifier } from './algorithms.ts';
import { accessPlaces, listPlaces, webPlaces } from './authority-addresses.ts';
import type { AuthorityFetches } from './authority-fetching.ts';
import { type Certificate, pemBlocks, readCertificate } from './certificate.ts';
import { OID } from './oids.ts';
import { wordOfResponder } from './responder-answer.ts';
import { CLOCK_SKEW, isGoodAt, type RevocationData, revocationIn, tellsOfEnded } from './revocation.ts';
import { wordOfList } from './revocation-list.ts';
import type { Word } from './revocation-words.ts';

const MAX_ANSWER_BYTES = 64 * 1024;
const MAX_LIST_BYTES = 20 * 1024 * 1024;
/** Nobody needs more responders, or more lists, for one certificate. */
const MAX_PLACES = 3;

const ofKind = (accept: string): Record<string, string> => ({ Accept: accept, 'User-Agent': 'Bindery' });

/** Certificates where a certificate says that its issuer's is. */
export async function askForIssuers(
  certificate: Certificate,
  fetches: AuthorityFetches,
): Promise<Certificate[]> {
  for (const url of webPlaces(accessPlaces(certificate, OID.caIssuers)).slice(0, MAX_PLACES)) {
    const headers = ofKind('application/pkix-cert');
    const answer = await fetches.fetch({ url, method: 'GET', headers, maxAnswerBytes: MAX_ANSWER_BYTES });
    const found = 'body' in answer ? readIssuers(answer.body) : [];
    if (found.length > 0) return found;
  }
  return [];
}

/** One certificate, or a message that holds nothing else. */
function readIssuers(body: Buffer): Certificate[] {
  try {
    const [block] = pemBlocks(body, /^CERTIFICATE$/);
    const bytes = block?.der ?? body;
    const root = readDer(bytes).expect(TAG.sequence);
    if (root.child(0).tag !== TAG.oid) return [readCertificate(bytes)];
    const held = root.child(1).child(0).find(context(0));
    return held?.children.map(({ raw }) => readCertificate(raw)) ?? [];
  } catch {
    return [];
  }
}

/** What one responder or list was asked, and what came of it. */
export interface Asked {
  method: 'ocsp' | 'crl';
  url: string;
  answer: 'good' | 'revoked' | 'unknown' | 'unusable' | 'none';
  /** Why nothing can be built on it; null where something can. */
  detail: string | null;
}

export interface Inquiry {
  asked: Asked[];
  /** The answer that counts, if there is one. */
  answer: 'good' | 'revoked' | 'unknown' | undefined;
  evidence: RevocationData;
  /** Where that evidence is from; empty where there is none. */
  source: string;
}

const NOTHING: RevocationData = { ocsps: [], crls: [] };

/** Asks until somebody says that the certificate is good or was withdrawn: responders first, then lists. */
export async function askForStatus(
  certificate: Certificate,
  issuer: Certificate,
  fetches: AuthorityFetches,
): Promise<Inquiry> {
  const asked: Asked[] = [];
  let unknown: Pick<Inquiry, 'evidence' | 'source'> | undefined;
  const responders = webPlaces(accessPlaces(certificate, OID.ocsp)).slice(0, MAX_PLACES);
  const lists = webPlaces(listPlaces(certificate)).slice(0, MAX_PLACES);
  for (const ask of [
    ...responders.map((url) => () => askResponder(url, certificate, issuer, fetches)),
    ...lists.map((url) => () => askList(url, certificate, issuer, fetches)),
  ]) {
    const { evidence, ...one } = await ask();
    asked.push(one);
    if (one.answer === 'good' || one.answer === 'revoked')
      return { asked, answer: one.answer, evidence, source: one.url };
    if (one.answer === 'unknown') unknown ??= { evidence, source: one.url };
  }
  return { asked, answer: unknown && 'unknown', ...(unknown ?? { evidence: NOTHING, source: '' }) };
}

type Heard = Asked & { evidence: RevocationData };

async function askResponder(
  url: string,
  certificate: Certificate,
  issuer: Certificate,
  fetches: AuthorityFetches,
): Promise<Heard> {
  const nonce = randomBytes(32);
  const headers = { ...ofKind('application/ocsp-response'), 'Content-Type': 'application/ocsp-request' };
  const body = statusRequest(certificate, issuer, nonce);
  const place = { method: 'ocsp', url } as const;
  const reply = await fetches.fetch({ url, method: 'POST', headers, body, maxAnswerBytes: MAX_ANSWER_BYTES });
  if ('why' in reply) return { ...place, answer: 'none', detail: reply.why, evidence: NOTHING };
  const word = wordOfResponder(reply.body, certificate, issuer);
  const fault = faultOf(word, certificate) ?? (await responderFault(word, nonce, issuer, fetches));
  return { ...place, ...verdict(word, fault, { ocsps: [reply.body], crls: [] }) };
}

async function askList(
  url: string,
  certificate: Certificate,
  issuer: Certificate,
  fetches: AuthorityFetches,
): Promise<Heard> {
  const headers = ofKind('application/pkix-crl');
  const place = { method: 'crl', url } as const;
  const reply = await fetches.fetch({ url, method: 'GET', headers, maxAnswerBytes: MAX_LIST_BYTES });
  if ('why' in reply) return { ...place, answer: 'none', detail: reply.why, evidence: NOTHING };
  const isText = reply.body.toString('latin1', 0, 5) === '-----';
  const [block] = isText ? pemBlocks(reply.body, /^X509 CRL$/) : [];
  const list = block?.der ?? reply.body;
  const word = wordOfList(list, certificate, issuer);
  return { ...place, ...verdict(word, faultOf(word, certificate), { ocsps: [], crls: [list] }) };
}

function verdict(
  word: Word,
  fault: string | undefined,
  evidence: RevocationData,
): Pick<Heard, 'answer' | 'detail' | 'evidence'> {
  if (fault !== undefined) return { answer: 'unusable', detail: fault, evidence: NOTHING };
  if (revocationIn(word)) return { answer: 'revoked', detail: null, evidence };
  return { answer: word?.says === 'good' ? 'good' : 'unknown', detail: null, evidence };
}

/** Why an answer of this moment says nothing of the certificate. */
function faultOf(word: Word, certificate: Certificate): string | undefined {
  if (!word) return 'The answer is about other certificates.';
  if (word.says === 'nothing') return word.why;
  const now = new Date();
  if (word.from.getTime() > now.getTime() + CLOCK_SKEW) return 'The answer is from the future.';
  // Who was withdrawn stays so, and may be told from an old list.
  if (word.says !== 'good') return undefined;
  if (!tellsOfEnded(word, certificate)) return 'The certificate has ended: answers no longer tell of it.';
  return isGoodAt(word, certificate, now) ? undefined : 'The answer has ended: it was given too long ago.';
}

/** What is asked of answers beside: that they are no old ones, and that their giver was not withdrawn. */
async function responderFault(
  word: Word,
  nonce: Buffer,
  issuer: Certificate,
  fetches: AuthorityFetches,
): Promise<string | undefined> {
  if (!word || word.says === 'nothing') return undefined;
  // Responders that prepare their answers leave it out; then their dates must do.
  if (word.nonce && !word.nonce.equals(nonce)) return 'The answer is to another request.';
  const { responder } = word;
  // RFC 6960, 4.2.2.2.1: who appointed it vouches for it as long as it lives.
  if (!responder || responder.extensions.byId.has(OID.ocspNoCheck)) return undefined;
  for (const url of webPlaces(listPlaces(responder)).slice(0, MAX_PLACES)) {
    const { answer } = await askList(url, responder, issuer, fetches);
    if (answer === 'good') return undefined;
    if (answer === 'revoked') return 'The responder was withdrawn itself.';
  }
  return 'It cannot be told whether the responder was withdrawn itself.';
}

/** RFC 6960, 4.1, and RFC 9654 for the nonce; SHA-1 only names the issuer here, and every responder knows it. */
function statusRequest({ serial }: Certificate, issuer: Certificate, nonce: Buffer): Buffer {
  const print = (bytes: Uint8Array) => octetString(createHash('sha1').update(bytes).digest());
  const id = sequence(
    hashIdentifier('sha1'),
    print(issuer.subject.raw),
    print(readDer(issuer.keyInfo).child(1).bits()),
    der(TAG.integer, serial),
  );
  const echo = sequence(oid(OID.ocspNonce), octetString(octetString(nonce)));
  return sequence(sequence(sequence(sequence(id)), der(context(2), sequence(echo))));
}
