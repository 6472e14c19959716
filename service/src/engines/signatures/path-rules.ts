// What a chain of certificates must keep to beside its signatures (RFC 5280, 6.1): extensions that are understood,
// names, policies, purposes, algorithms that hold.

import { MalformedDer } from '../../contract/der.ts';
import { algorithmName, keyBits, strengthOf } from './algorithms.ts';
import type { Certificate } from './certificate.ts';
import { policyFault } from './certificate-policies.ts';
import { nameConstraintFault } from './name-constraints.ts';
import { OID } from './oids.ts';

/** What the first certificate of a chain is used for. */
export type Purpose = 'signature' | 'timestamp' | 'answer';

/** Extensions whose meaning is kept to here; any other that is critical makes a certificate unusable. */
const UNDERSTOOD: ReadonlySet<string> = new Set([
  OID.keyUsage,
  OID.subjectAltName,
  OID.basicConstraints,
  OID.nameConstraints,
  OID.crlDistributionPoints,
  OID.certificatePolicies,
  OID.policyMappings,
  OID.policyConstraints,
  OID.extendedKeyUsage,
  OID.inhibitAnyPolicy,
  OID.ocspNoCheck,
]);

/** Uses that have nothing to do with signing documents. Who names other ones, such as those of states, may. */
const OTHER_PURPOSES: ReadonlySet<string> = new Set([
  OID.serverAuth,
  OID.clientAuth,
  OID.timeStamping,
  OID.ocspSigning,
  ...[5, 6, 7, 17].map((use) => `1.3.6.1.5.5.7.3.${use}`),
]);

/** Why a chain, from the signer up to its last certificate, cannot be relied on. */
export function pathFault(path: readonly Certificate[], purpose: Purpose): string | undefined {
  try {
    for (const [index, certificate] of path.entries()) {
      const fault = extensionFault(certificate) ?? purposeFault(certificate, index === 0, purpose);
      if (fault !== undefined) return fault;
    }
    return weakLinkFault(path) ?? nameConstraintFault(path) ?? policyFault(path);
  } catch (error) {
    if (error instanceof MalformedDer) return 'An extension of a certificate in the chain cannot be read.';
    throw error;
  }
}

function extensionFault({ extensions, subjectText, version }: Certificate): string | undefined {
  if (extensions.repeated) return `The certificate of ${subjectText} has an extension twice.`;
  if (version < 3 && extensions.byId.size > 0)
    return `The certificate of ${subjectText} is of a version without extensions.`;
  for (const [id, { critical, value }] of extensions.byId) {
    if (critical && !UNDERSTOOD.has(id))
      return `The certificate of ${subjectText} has a critical extension that is not understood: ${id}.`;
    if (UNDERSTOOD.has(id) && !value)
      return `An extension of the certificate of ${subjectText} cannot be read.`;
  }
  return undefined;
}

function purposeFault(certificate: Certificate, isSigner: boolean, purpose: Purpose): string | undefined {
  const { purposes, usages, subjectText, extensions } = certificate;
  if (isSigner && usages && !usages.includes('Digital Signature') && !usages.includes('Non-Repudiation'))
    return `The key of ${subjectText} is not for signatures.`;
  // That a responder is appointed, and by whom, is asked beside this.
  if (purpose === 'answer' || !purposes || purposes.includes(OID.anyPurpose)) return undefined;
  if (purpose === 'timestamp') {
    if (!purposes.includes(OID.timeStamping))
      return `The certificate of ${subjectText} is not for timestamps.`;
    // RFC 3161, 2.3: that purpose alone, and critical.
    const isAlone = purposes.length === 1 && extensions.byId.get(OID.extendedKeyUsage)?.critical;
    return isSigner && !isAlone
      ? `The certificate of ${subjectText} is not for timestamps alone.`
      : undefined;
  }
  return purposes.every((id) => OTHER_PURPOSES.has(id))
    ? `The certificate of ${subjectText} is not for signing documents.`
    : undefined;
}

/** The last certificate is trusted by itself, or by nobody: who signed it does not count. */
function weakLinkFault(path: readonly Certificate[]): string | undefined {
  for (const [index, certificate] of path.slice(0, -1).entries()) {
    const issuerKey = path[index + 1]?.key;
    const { algorithm } = certificate;
    if (algorithm && issuerKey && strengthOf(algorithm, issuerKey) === 'broken')
      return `The certificate of ${certificate.subjectText} is signed with ${algorithmName(algorithm)} of ${keyBits(issuerKey)} bits, which can be forged.`;
  }
  return undefined;
}

/** The weakest link that still holds; for a warning. */
export function weakLink(path: readonly Certificate[]): string | undefined {
  for (const [index, certificate] of path.slice(0, -1).entries()) {
    const issuerKey = path[index + 1]?.key;
    const { algorithm } = certificate;
    if (algorithm && issuerKey && strengthOf(algorithm, issuerKey) !== 'strong')
      return `The certificate of ${certificate.subjectText} is signed with ${algorithmName(algorithm)} of ${keyBits(issuerKey)} bits, which is weak by today's rules.`;
  }
  return undefined;
}
