// Whether a certificate was withdrawn, by what came with the document. Nothing is fetched.
import type { Certificate } from './certificate.ts';
import { type Told, type Word, wordOfList, wordOfResponder } from './revocation-words.ts';

export type RevocationStatus = 'not-checked' | 'good' | 'revoked' | 'soft-fail' | 'unknown';

export interface RevocationData {
  crls: readonly Uint8Array[];
  ocsps: readonly Uint8Array[];
}

export interface RevocationTime {
  /** When the certificate was used, as far as is known. */
  moment: Date;
  /** When a trusted clock saw the signature; what was withdrawn later does not touch it. */
  provenAt: Date | undefined;
}

export function revocationStatus(
  certificate: Certificate,
  issuer: Certificate | undefined,
  { crls, ocsps }: RevocationData,
  { moment, provenAt }: RevocationTime,
): RevocationStatus {
  if (crls.length + ocsps.length === 0) return 'not-checked';
  if (!issuer) return 'unknown';
  const words = [
    ...crls.map((list) => wordOfList(list, certificate, issuer)),
    ...ocsps.map((answer) => wordOfResponder(answer, certificate, issuer)),
  ].filter((word) => word !== undefined);
  const revoked = words.flatMap((word) => revocationIn(word) ?? []);
  if (revoked.some((at) => provenAt === undefined || at <= provenAt)) return 'revoked';
  if (revoked.length > 0 || words.some((word) => isGoodAt(word, certificate, moment))) return 'good';
  return words.some((word) => word === 'unusable' || word.says === 'good') ? 'soft-fail' : 'unknown';
}

export const revocationIn = (word: Word): Date | undefined =>
  typeof word === 'object' && typeof word.says === 'object' ? word.says.revokedAt : undefined;

const DAY = 86_400_000;

/** Evidence that does not say how long it holds. */
const lastingUntil = ({ from, until }: Told): Date => until ?? new Date(from.getTime() + DAY);

/**
 * Whether it proves that the certificate was good then: it still held, or is younger. After a certificate has ended it
 * may be missing on lists though it was withdrawn.
 */
export function isGoodAt(word: Word, certificate: Certificate, moment: Date): boolean {
  return (
    typeof word === 'object' &&
    word.says === 'good' &&
    lastingUntil(word) >= moment &&
    word.from <= certificate.until &&
    word.from.getTime() <= Date.now() + DAY
  );
}

/** The first certificate above the signer that was withdrawn. */
export function revokedAbove(
  path: readonly Certificate[],
  data: RevocationData,
  time: RevocationTime,
): Certificate | undefined {
  return path.find(
    (one, index) => index > 0 && revocationStatus(one, path[index + 1], data, time) === 'revoked',
  );
}
