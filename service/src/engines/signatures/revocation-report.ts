// What is told of withdrawals: certificate by certificate, who was asked, what was answered, and the verdict over all.

import type { RevocationMode, RevocationVerdict } from '../../contract/revocation.ts';
import { isoDate, momentOf } from '../../pdf/metadata/pdf-dates.ts';
import type { Asked, Inquiry } from './authority-asking.ts';
import type { Certificate } from './certificate.ts';
import type { Chain } from './chain.ts';
import { type Revocation, type RevocationData, type RevocationTime, revocationOf } from './revocation.ts';

export interface CertificateRevocation {
  subjectDN: string;
  serialNumber: string;
  role: 'signer' | 'timestamp';
  status: RevocationVerdict;
  /** Where the evidence is from that the status rests on. */
  evidence: 'embedded' | 'fetched' | null;
  /** Where it was fetched: perhaps for another certificate. */
  source: string | null;
  revokedAt: string | null;
  reason: string | null;
  asked: Asked[];
}

export interface RevocationReport {
  mode: RevocationMode;
  verdict: RevocationVerdict;
  reason: string | null;
  certificates: CertificateRevocation[];
}

export interface RevocationEvidence {
  mode: RevocationMode;
  data: RevocationData;
  /** What was asked of each certificate, by its print. */
  inquiries: ReadonlyMap<string, Inquiry>;
  /** Where what was fetched is from. */
  fetchedFrom: ReadonlyMap<Uint8Array, string>;
}

export const serialText = ({ serial }: Certificate): string =>
  serial.toString('hex').replace(/^(?:00)+(?=.)/, '');

/** Every certificate of a path but the last, which is trusted by itself or by nobody. */
export function pathRevocations(
  path: readonly Certificate[],
  role: CertificateRevocation['role'],
  time: RevocationTime,
  evidence: RevocationEvidence,
): CertificateRevocation[] {
  return path.slice(0, -1).map((certificate, index) => {
    const revocation = revocationOf(certificate, path[index + 1], evidence.data, time);
    const inquiry = evidence.inquiries.get(certificate.print);
    const status = verdictOf(revocation, evidence.mode);
    const source = revocation.evidence && evidence.fetchedFrom.get(revocation.evidence);
    return {
      subjectDN: certificate.subjectText,
      serialNumber: serialText(certificate),
      role,
      status,
      evidence: revocation.evidence ? (source === undefined ? 'embedded' : 'fetched') : null,
      source: source ?? null,
      revokedAt: revocation.revokedAt ? isoDate(momentOf(revocation.revokedAt)) : null,
      reason: reasonOf(status, revocation, inquiry),
      asked: inquiry?.asked ?? [],
    };
  });
}

function verdictOf({ status }: Revocation, mode: RevocationMode): RevocationVerdict {
  if (status === 'good' || status === 'revoked') return status;
  return status === 'not-checked' && mode === 'embedded' ? status : 'indeterminate';
}

function reasonOf(
  status: RevocationVerdict,
  { revokedAt }: Revocation,
  inquiry: Inquiry | undefined,
): string | null {
  if (status === 'good')
    return revokedAt ? 'It was withdrawn after a trusted clock saw the signature.' : null;
  if (status === 'revoked') return 'It was withdrawn.';
  if (status === 'not-checked') return 'The document brings no evidence, and none was asked for.';
  if (!inquiry) return 'The evidence in the document does not suffice.';
  if (inquiry.answer === 'unknown') return 'The responder does not know the certificate.';
  const last = inquiry.asked.find(({ detail }) => detail !== null);
  return last?.detail ?? 'The certificate names nobody who could be asked.';
}

const UNTRUSTED = 'The chain does not lead to a trusted authority: nobody was asked.';

/** `certificates`: those of the signer and of the timestamps that vouch for its time. */
export function revocationReport(
  chain: Chain | undefined,
  certificates: CertificateRevocation[],
  { mode }: RevocationEvidence,
): RevocationReport {
  const ofSigner = certificates.filter(({ role }) => role === 'signer');
  const first = (status: RevocationVerdict) => ofSigner.find((each) => each.status === status);
  const telling = first('revoked') ?? first('indeterminate') ?? first('not-checked');
  const all = { mode, certificates };
  if (telling) {
    const isUnasked = mode === 'fetch' && telling.status === 'indeterminate' && !chain?.isTrusted;
    const reason = isUnasked ? UNTRUSTED : `${telling.subjectDN}: ${telling.reason}`;
    return { ...all, verdict: telling.status, reason };
  }
  if (ofSigner.length > 0) return { ...all, verdict: 'good', reason: null };
  if (chain?.isTrusted)
    return { ...all, verdict: 'not-checked', reason: "The signer's certificate is itself a trusted one." };
  const verdict = mode === 'fetch' ? 'indeterminate' : 'not-checked';
  return { ...all, verdict, reason: mode === 'fetch' ? UNTRUSTED : 'There is no complete chain to check.' };
}
