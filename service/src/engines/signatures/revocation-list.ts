// Lists of withdrawn certificates (RFC 5280, 5), and what one says of a certificate.
import { context, type DerNode, readDer, TAG } from '../../contract/der.ts';
import { signatureAlgorithm, strengthOf, verifies } from './algorithms.ts';
import { namesPlace, placeNames } from './authority-addresses.ts';
import type { Certificate } from './certificate.ts';
import { type Extensions, hasStrangeDemand, readExtensionList, readExtensions } from './extensions.ts';
import { OID } from './oids.ts';
import { readSafely, timeIn, unusable, type Word, withdrawnSince } from './revocation-words.ts';

export function wordOfList(bytes: Uint8Array, certificate: Certificate, issuer: Certificate): Word {
  return readSafely(() => readList(bytes, certificate, issuer));
}

/** Extensions of lists whose meaning is kept to here. */
const UNDERSTOOD: ReadonlySet<string> = new Set([
  OID.issuingDistributionPoint,
  OID.authorityKeyId,
  OID.expiredCertificatesOnList,
]);
const UNDERSTOOD_OF_ENTRIES: ReadonlySet<string> = new Set([
  OID.crlReason,
  OID.holdInstruction,
  OID.invalidityDate,
]);

/** RFC 5280, 5.3.1: what was on hold is so no longer. */
const REMOVED_FROM_LIST = 8;

function readList(bytes: Uint8Array, certificate: Certificate, issuer: Certificate): Word {
  const list = readDer(bytes).expect(TAG.sequence);
  const tbs = list.child(0, TAG.sequence);
  const parts = tbs.children.filter(({ tag }) => tag !== TAG.integer);
  if (!parts[1]?.raw.equals(certificate.issuer.raw)) return undefined;
  const extensions = readExtensions(tbs.find(context(0)));
  const scope = scopeOf(extensions, certificate);
  if (scope === 'others') return undefined;
  const fault = signatureFault(list, tbs, parts[0], issuer);
  if (fault !== undefined) return unusable(fault);
  const [from, until] = parts.filter(({ tag }) => tag === TAG.utcTime || tag === TAG.generalizedTime);
  if (!from) return unusable('The list does not say when it was made.');
  const endedAfter = timeIn(extensions.byId.get(OID.expiredCertificatesOnList)?.value);
  const times = { from: from.time(), until: until?.time(), endedAfter };
  // After signature, issuer and the dates stand the entries, if there are any.
  const found = entryOf(
    certificate,
    parts.slice(2).find(({ tag }) => tag === TAG.sequence),
  );
  if (found === 'strange') return unusable('An entry of the list asks for what is not understood here.');
  if (found) return { says: { revokedAt: found }, ...times };
  return scope === 'part'
    ? unusable('The list tells of some certificates or reasons only.')
    : { says: 'good', ...times };
}

function signatureFault(
  list: DerNode,
  tbs: DerNode,
  inner: DerNode | undefined,
  issuer: Certificate,
): string | undefined {
  const mayIssueLists = !issuer.usages || issuer.usages.includes('CRL Signing');
  if (!issuer.key || !mayIssueLists) return 'The issuer of the list may not sign lists.';
  if (!inner?.raw.equals(list.child(1).raw)) return 'The list names two algorithms for one signature.';
  const algorithm = signatureAlgorithm(list.child(1));
  if (!verifies(algorithm, issuer.key, [tbs.raw], list.child(2).bits()))
    return 'The list was not signed by the issuer of the certificate.';
  return strengthOf(algorithm, issuer.key) === 'broken'
    ? 'The signature of the list can be forged.'
    : undefined;
}

/** When the certificate was withdrawn; 'strange' where entries may mean something else than they seem to. */
function entryOf(certificate: Certificate, entries: DerNode | undefined): Date | 'strange' | undefined {
  let withdrawn: Date | undefined;
  for (const entry of entries?.eachChild() ?? []) {
    const [serial, date, more] = entry.children;
    const extensions = more && readExtensionList(more);
    if (extensions && hasStrangeDemand(extensions, UNDERSTOOD_OF_ENTRIES)) return 'strange';
    if (!date || !serial?.content.equals(certificate.serial)) continue;
    const reason = extensions?.byId.get(OID.crlReason)?.value?.number();
    withdrawn =
      reason === REMOVED_FROM_LIST
        ? undefined
        : withdrawnSince(date.time(), extensions ?? readExtensionList(undefined));
  }
  return withdrawn;
}

/** Whether a list is about certificates like this one; of a part of them its silence says nothing. */
function scopeOf(extensions: Extensions, certificate: Certificate): 'all' | 'part' | 'others' {
  const point = extensions.byId.get(OID.issuingDistributionPoint)?.value;
  const says = (number: number): boolean => (point?.find(context(number, false))?.content[0] ?? 0) !== 0;
  if (says(5) || (says(1) && certificate.isAuthority) || (says(2) && !certificate.isAuthority))
    return 'others';
  // Lists that others keep (4) name the issuer entry by entry; some tell of some reasons only (3).
  if (says(4)) return 'others';
  const place = point?.find(context(0));
  if (place?.find(context(0)) && !namesPlace(certificate, placeNames(place))) return 'others';
  // A place named by a part of its issuer's name is not followed.
  const isRelative = place !== undefined && !place.find(context(0));
  const isPart = isRelative || point?.find(context(3, false)) !== undefined;
  return isPart || hasStrangeDemand(extensions, UNDERSTOOD) ? 'part' : 'all';
}
