// Asking those whom certificates name: who issued them (RFC 5280, 4.2.2.1), and whether they were withdrawn.
import { createHash } from 'node:crypto';
import { context, der, octetString, readDer, sequence, TAG } from '../../contract/der.ts';
import type { Egress, OutboundFetch } from '../../contract/egress.ts';
import { Problem } from '../../contract/problems.ts';
import { hashIdentifier } from './algorithms.ts';
import { accessPlaces, listPlaces, webPlaces } from './authority-addresses.ts';
import { type Certificate, pemBlocks, readCertificate } from './certificate.ts';
import { OID } from './oids.ts';
import type { RevocationData } from './revocation.ts';
import { isGoodAt, revocationIn } from './revocation.ts';
import { type Word, wordOfList, wordOfResponder } from './revocation-words.ts';

const ANSWER_MS = 15_000;
const MAX_ANSWER_BYTES = 64 * 1024;
const MAX_LIST_BYTES = 20 * 1024 * 1024;

/** The body of a good answer; undefined where there is none, whatever the reason. */
async function fetched(
  egress: Egress,
  request: Omit<OutboundFetch, 'timeoutMs'>,
): Promise<Buffer | undefined> {
  try {
    const { status, body, cut } = await egress.fetch({ ...request, timeoutMs: ANSWER_MS });
    return status === 200 && !cut ? Buffer.from(body) : undefined;
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}

const ofKind = (accept: string): Record<string, string> => ({ Accept: accept, 'User-Agent': 'Bindery' });

/** Certificates where a certificate says that its issuer's is. */
export async function askForIssuers(certificate: Certificate, egress: Egress): Promise<Certificate[]> {
  for (const url of webPlaces(accessPlaces(certificate, OID.caIssuers))) {
    const headers = ofKind('application/pkix-cert');
    const body = await fetched(egress, { url, method: 'GET', headers, maxAnswerBytes: MAX_ANSWER_BYTES });
    const found = body && readIssuers(body);
    if (found && found.length > 0) return found;
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

export type AskedStatus = RevocationData | 'revoked' | 'silent' | 'nobody';

/** Evidence that a certificate is good now. 'nobody': it names nobody to be asked. */
export async function askForStatus(
  certificate: Certificate,
  issuer: Certificate,
  egress: Egress,
): Promise<AskedStatus> {
  const responders = webPlaces(accessPlaces(certificate, OID.ocsp));
  const lists = webPlaces(listPlaces(certificate));
  const now = new Date();
  const heard = (word: Word): 'good' | 'revoked' | undefined => {
    if (revocationIn(word)) return 'revoked';
    return isGoodAt(word, certificate, now) ? 'good' : undefined;
  };
  for (const url of responders) {
    const body = statusRequest(certificate, issuer);
    const headers = {
      ...ofKind('application/ocsp-response'),
      'Content-Type': 'application/ocsp-request',
    };
    const maxAnswerBytes = MAX_ANSWER_BYTES;
    const answer = await fetched(egress, { url, method: 'POST', headers, body, maxAnswerBytes });
    const word = answer && heard(wordOfResponder(answer, certificate, issuer));
    if (word === 'revoked') return 'revoked';
    if (answer && word) return { ocsps: [answer], crls: [] };
  }
  for (const url of lists) {
    const headers = ofKind('application/pkix-crl');
    const answer = await fetched(egress, { url, method: 'GET', headers, maxAnswerBytes: MAX_LIST_BYTES });
    const isText = answer?.toString('latin1', 0, 5) === '-----';
    const [block] = answer && isText ? pemBlocks(answer, /^X509 CRL$/) : [];
    const list = block?.der ?? answer;
    const word = list && heard(wordOfList(list, certificate, issuer));
    if (word === 'revoked') return 'revoked';
    if (list && word) return { ocsps: [], crls: [list] };
  }
  return responders.length + lists.length > 0 ? 'silent' : 'nobody';
}

/** RFC 6960, 4.1; SHA-1 only names the issuer here, and every responder knows it. */
function statusRequest({ serial }: Certificate, issuer: Certificate): Buffer {
  const print = (bytes: Uint8Array) => octetString(createHash('sha1').update(bytes).digest());
  const id = sequence(
    hashIdentifier('sha1'),
    print(issuer.subject.raw),
    print(readDer(issuer.keyInfo).child(1).bits()),
    der(TAG.integer, serial),
  );
  return sequence(sequence(sequence(sequence(id))));
}
