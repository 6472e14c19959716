// Whether a chain has the policies that its authorities ask for (RFC 5280, 6.1). The caller asks for none himself.

import { context, type DerNode } from '../../contract/der.ts';
import type { Certificate } from './certificate.ts';
import { OID } from './oids.ts';

const MAX_POLICIES = 1000;

/** `path`: from the signer upwards, the last being trusted. Throws MalformedDer. */
export function policyFault(path: readonly Certificate[]): string | undefined {
  const below = path.slice(0, -1).toReversed();
  let valid: Set<string> | undefined = new Set([OID.anyPolicy]);
  let [explicit, mapping, any] = [below.length + 1, below.length + 1, below.length + 1];
  for (const [index, certificate] of below.entries()) {
    const isLast = index === below.length - 1;
    const isAnyKnown = any > 0 || (!isLast && certificate.isSelfIssued);
    valid = policiesAfter(valid, extensionOf(certificate, OID.certificatePolicies), isAnyKnown);
    if (explicit === 0 && !valid) return MISSING;
    if (!isLast) {
      const maps = mappingsOf(certificate);
      if (maps.some((pair) => pair.includes(OID.anyPolicy))) return MISSING;
      valid = valid && mapped(valid, maps, mapping > 0);
    }
    if (!certificate.isSelfIssued || isLast) explicit = Math.max(0, explicit - 1);
    if (!certificate.isSelfIssued) [mapping, any] = [Math.max(0, mapping - 1), Math.max(0, any - 1)];
    const asked = constraintsOf(certificate);
    // Of the last certificate only a demand for policies at once counts.
    if (!isLast || asked.explicit === 0) explicit = Math.min(explicit, asked.explicit);
    mapping = Math.min(mapping, asked.mapping);
    any = Math.min(any, asked.any);
  }
  return explicit === 0 && !valid ? MISSING : undefined;
}

const MISSING = 'The chain lacks the certificate policies that one of its authorities asks for.';

const extensionOf = ({ extensions }: Certificate, id: string): DerNode | undefined =>
  extensions.byId.get(id)?.value;

/** Undefined where no policy is left. */
function policiesAfter(
  valid: Set<string> | undefined,
  field: DerNode | undefined,
  isAnyKnown: boolean,
): Set<string> | undefined {
  if (!valid || !field) return undefined;
  const named = field.children.slice(0, MAX_POLICIES).map((info) => info.child(0).oid());
  const kept = named.filter((id) => id !== OID.anyPolicy && (valid.has(id) || valid.has(OID.anyPolicy)));
  const made = new Set([...kept, ...(named.includes(OID.anyPolicy) && isAnyKnown ? valid : [])]);
  return made.size > 0 ? made : undefined;
}

type Mapping = readonly [issuers: string, subjects: string];

const mappingsOf = (certificate: Certificate): Mapping[] =>
  (extensionOf(certificate, OID.policyMappings)?.children ?? [])
    .slice(0, MAX_POLICIES)
    .map((pair) => [pair.child(0).oid(), pair.child(1).oid()] as const);

function mapped(valid: Set<string>, maps: readonly Mapping[], isAllowed: boolean): Set<string> | undefined {
  const made = new Set(valid);
  for (const [issuers] of maps) made.delete(issuers);
  if (isAllowed)
    for (const [issuers, subjects] of maps)
      if (valid.has(issuers) || valid.has(OID.anyPolicy)) made.add(subjects);
  return made.size > 0 ? made : undefined;
}

interface PolicyDemands {
  explicit: number;
  mapping: number;
  any: number;
}

function constraintsOf(certificate: Certificate): PolicyDemands {
  const constraints = extensionOf(certificate, OID.policyConstraints);
  const skip = (number: number): number => {
    const bytes = constraints?.find(context(number, false))?.content;
    return bytes ? Number(BigInt(`0x${bytes.toString('hex') || '0'}`)) : Number.POSITIVE_INFINITY;
  };
  const any = extensionOf(certificate, OID.inhibitAnyPolicy)?.number() ?? Number.POSITIVE_INFINITY;
  return { explicit: skip(0), mapping: skip(1), any };
}
