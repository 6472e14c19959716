// The chain of whoever made a signature, judged when it was made.
import { algorithmName, keyBits, strengthOf } from './algorithms.ts';
import { buildChain, type Chain } from './chain.ts';
import { type Evidence, type Examined, isDocumentTimestamp, type ValidationTime } from './validation-time.ts';

/** Undefined where the signer's certificate is missing. */
export function chainOf(examined: Examined, when: ValidationTime, evidence: Evidence): Chain | undefined {
  const { finding } = examined;
  const certificate = finding?.certificate;
  if (!certificate) return undefined;
  const others = [...finding.certificates, ...evidence.certificates];
  const purpose = isDocumentTimestamp(examined) ? 'timestamp' : 'signature';
  const chain = buildChain(certificate, others, evidence.trust, when.moment, purpose);
  const { algorithm } = finding;
  if (!algorithm || !certificate.key || strengthOf(algorithm, certificate.key) !== 'broken') return chain;
  const error = `${algorithmName(algorithm)} with ${keyBits(certificate.key)} bits can be forged: it is not trusted.`;
  return { ...chain, isTrusted: false, error };
}
