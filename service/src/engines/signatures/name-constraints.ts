// Which names an authority may give its certificates to (RFC 5280, 4.2.1.10).

import { context, type DerNode, TAG } from '../../contract/der.ts';
import type { Certificate } from './certificate.ts';
import { stringText } from './distinguished-name.ts';
import { OID } from './oids.ts';

/** Names of a certificate, by their tag in a GeneralName. */
interface GeneralName {
  tag: number;
  node: DerNode;
}

const EMAIL = context(1, false);
const DNS = context(2, false);
const DIRECTORY = context(4);
const URI = context(6, false);
const ADDRESS = context(7, false);

/** Hostile certificates have as many names as constraints. */
const MAX_COMPARISONS = 100_000;

/** Why a chain, from the signer upwards, breaks what its authorities are bound to. Throws MalformedDer. */
export function nameConstraintFault(path: readonly Certificate[]): string | undefined {
  let left = MAX_COMPARISONS;
  for (const [index, authority] of path.entries()) {
    const constraints = authority.extensions.byId.get(OID.nameConstraints)?.value;
    if (!constraints) continue;
    const permitted = subtrees(constraints.find(context(0)));
    const excluded = subtrees(constraints.find(context(1)));
    for (const [below, certificate] of path.slice(0, index).entries()) {
      if (below > 0 && certificate.isSelfIssued) continue;
      const names = namesOf(certificate, below === 0);
      left -= names.length * (permitted.length + excluded.length + 1);
      if (left < 0) return 'The chain has more name constraints than are looked at.';
      if (!names.every((name) => mayBeNamed(name, permitted, excluded)))
        return `${authority.subjectText} may not give a certificate to ${certificate.subjectText}.`;
    }
  }
  return undefined;
}

function subtrees(field: DerNode | undefined): GeneralName[] {
  return (field?.children ?? []).map((subtree) => {
    const node = subtree.child(0);
    // RFC 5280 knows no minimum but zero, and no maximum: what they mean is open, so nothing fits.
    return subtree.children.length === 1 ? { tag: node.tag, node } : { tag: UNKNOWN, node };
  });
}

const UNKNOWN = -1;

function mayBeNamed(
  name: GeneralName,
  permitted: readonly GeneralName[],
  excluded: readonly GeneralName[],
): boolean {
  const known = [EMAIL, DNS, DIRECTORY, URI, ADDRESS].includes(name.tag);
  const about = (list: readonly GeneralName[]) =>
    list.filter(({ tag }) => tag === name.tag || tag === UNKNOWN);
  const [asked, refused] = [about(permitted), about(excluded)];
  if (
    (!known && asked.length + refused.length > 0) ||
    [...asked, ...refused].some(({ tag }) => tag === UNKNOWN)
  )
    return false;
  if (name.tag === URI && asked.length + refused.length > 0 && hostOf(stringText(name.node)) === undefined)
    return false;
  return (
    (asked.length === 0 || asked.some((base) => isWithin(name, base))) &&
    !refused.some((base) => isWithin(name, base))
  );
}

/** The subject, what stands in it that is a name of another kind, and the alternative names. */
function namesOf({ subject, extensions, commonName }: Certificate, isSigner: boolean): GeneralName[] {
  const others = (extensions.byId.get(OID.subjectAltName)?.value?.children ?? []).map((node) => ({
    tag: node.tag,
    node,
  }));
  const pairs = subject.children.flatMap((part) => part.children);
  const mails = pairs
    .filter((pair) => pair.child(0).oid() === OID.emailAddress)
    .map((pair) => ({ tag: EMAIL, node: pair.child(1) }));
  const common = pairs.findLast((pair) => pair.child(0).oid() === OID.commonName)?.child(1);
  const isHost =
    isSigner &&
    /^(?:[a-z0-9_-]+\.)+[a-z0-9-]+$/i.test(commonName ?? '') &&
    !others.some(({ tag }) => tag === DNS);
  return [
    ...(subject.children.length > 0 ? [{ tag: DIRECTORY, node: subject }] : []),
    ...mails,
    ...(isHost && common ? [{ tag: DNS, node: common }] : []),
    ...others,
  ];
}

function isWithin({ tag, node }: GeneralName, { node: base }: GeneralName): boolean {
  if (tag === DIRECTORY) return isNameWithin(node, base);
  if (tag === ADDRESS) return isAddressWithin(node.octets(), base.octets());
  const [name, bound] = [stringText(node), stringText(base)];
  if (tag === EMAIL) return isMailWithin(name, bound);
  if (tag === DNS) return isHostWithin(name, bound);
  const host = hostOf(name);
  return host !== undefined && (bound.startsWith('.') ? isHostWithin(host, bound) : sameText(host, bound));
}

const sameText = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

function isHostWithin(name: string, bound: string): boolean {
  const [host, domain] = [name.toLowerCase(), bound.toLowerCase()];
  if (domain === '' || host === domain) return true;
  return host.endsWith(domain.startsWith('.') ? domain : `.${domain}`);
}

function isMailWithin(name: string, bound: string): boolean {
  const at = name.lastIndexOf('@');
  if (at < 0) return false;
  const host = name.slice(at + 1);
  const split = bound.lastIndexOf('@');
  if (split >= 0)
    return name.slice(0, at) === bound.slice(0, split) && sameText(host, bound.slice(split + 1));
  return bound.startsWith('.') ? isHostWithin(host, bound) : bound === '' || sameText(host, bound);
}

function hostOf(uri: string): string | undefined {
  return /^[a-z][a-z0-9+.-]*:\/\/(?:[^@/?#]*@)?([^:/?#[\]]+)/i.exec(uri)?.[1];
}

function isAddressWithin(address: Buffer, bound: Buffer): boolean {
  if (bound.length !== 2 * address.length) return false;
  const [net, mask] = [bound.subarray(0, address.length), bound.subarray(address.length)];
  return address.every((byte, index) => ((byte ^ (net[index] ?? 0)) & (mask[index] ?? 0)) === 0);
}

/** The parts of the bound are the first parts of the name. */
function isNameWithin(node: DerNode, base: DerNode): boolean {
  const [name, bound] = [partsOf(node), partsOf(base)];
  return bound.length <= name.length && bound.every((part, index) => part === name[index]);
}

/** A name in an alternative name or a constraint stands in a wrapping of its own. */
const partsOf = (node: DerNode): string[] =>
  (node.tag === TAG.sequence ? node : node.child(0)).children.map(plainPart);

/** RFC 5280, 7.1: case and repeated blanks make no difference. */
const plainPart = (part: DerNode): string =>
  part.children
    .map(
      (pair) =>
        `${pair.child(0).oid()}=${stringText(pair.child(1)).trim().replace(/\s+/g, ' ').toLowerCase()}`,
    )
    .toSorted()
    .join('+');
