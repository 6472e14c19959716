// From a signer's certificate to somebody who is trusted (RFC 5280, 6).
import { type Certificate, isSame, isSelfSigned, isValidAt } from './certificate.ts';
import { type Purpose, pathFault } from './path-rules.ts';
import type { TrustStore } from './trust-store.ts';

export interface Chain {
  /** From the signer upwards; empty where no end was found. */
  path: Certificate[];
  isValid: boolean;
  isTrusted: boolean;
  error: string | null;
}

const MAX_LENGTH = 12;
/** Hostile messages bring certificates that all fit each other. */
const MAX_SIGNATURE_CHECKS = 300;

export function buildChain(
  signer: Certificate,
  others: readonly Certificate[],
  trust: TrustStore,
  moment: Date,
  purpose: Purpose,
): Chain {
  let checks = 0;
  let fault: string | undefined;
  let complete: Certificate[] | undefined;

  const isSound = (path: readonly Certificate[]): boolean => {
    const refusal = pathFault(path, purpose);
    fault ??= refusal;
    return refusal === undefined;
  };

  const climb = (path: Certificate[]): Certificate[] | undefined => {
    const top = path.at(-1);
    if (!top || path.length > MAX_LENGTH) return undefined;
    if (trust.has(top)) return isSound(path) ? path : undefined;
    for (const issuer of [...trust.named(top.issuer.raw), ...others]) {
      if (!issuer.subject.raw.equals(top.issuer.raw) || path.some((known) => isSame(known, issuer))) continue;
      checks += 1;
      if (checks > MAX_SIGNATURE_CHECKS) return undefined;
      if (!top.isSignedBy(issuer)) {
        fault ??= `The certificate of ${top.subjectText} was not signed by ${issuer.subjectText}.`;
        continue;
      }
      const refusal = mayNotIssue(issuer, path, trust.has(issuer), moment);
      if (refusal !== undefined) {
        fault ??= refusal;
        continue;
      }
      const found = climb([...path, issuer]);
      if (found) return found;
    }
    // A self-signed certificate that nobody vouches for is the end of a chain only above others.
    if (path.length > 1 && !complete && isSelfSigned(top) && isSound(path)) complete = path;
    return undefined;
  };

  const trusted = climb([signer]);
  const path = trusted ?? complete ?? [];
  const expired = path.find((one) => !trust.has(one) && !isValidAt(one, moment));
  if (path.length > 0 && expired) {
    const error = `The certificate of ${expired.subjectText} was not valid at that time.`;
    return { path: [], isValid: false, isTrusted: false, error };
  }
  if (trusted) return { path, isValid: true, isTrusted: true, error: null };
  if (complete) {
    const root = complete.at(-1)?.subjectText ?? '';
    return { path, isValid: true, isTrusted: false, error: `${root} is not among the trusted authorities.` };
  }
  return { path: [], isValid: false, isTrusted: false, error: fault ?? missingIssuer(signer) };
}

const missingIssuer = (signer: Certificate): string =>
  signer.isSelfIssued
    ? 'The certificate is signed by itself and not among the trusted ones.'
    : `No trusted path: the certificate of an issuer above ${signer.subjectText} is missing.`;

function mayNotIssue(
  issuer: Certificate,
  path: readonly Certificate[],
  isAnchor: boolean,
  moment: Date,
): string | undefined {
  if (isAnchor && issuer.version < 3) return undefined;
  if (!issuer.isAuthority) return `${issuer.subjectText} is no certificate authority.`;
  if (issuer.usages && !issuer.usages.includes('Certificate Signing'))
    return `${issuer.subjectText} may not sign certificates.`;
  const between = path.slice(1).filter((each) => !each.isSelfIssued).length;
  if (issuer.pathLength !== undefined && between > issuer.pathLength)
    return `The chain below ${issuer.subjectText} is longer than it allows.`;
  if (!isAnchor && !isValidAt(issuer, moment))
    return `The certificate of ${issuer.subjectText} was not valid at that time.`;
  return undefined;
}
