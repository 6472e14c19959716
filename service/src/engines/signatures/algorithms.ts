// Which mathematics an algorithm identifier asks for, and whether a signature stands up to it.

import { constants, createHash, createVerify, type KeyObject, verify } from 'node:crypto';
import { context, type DerNode, der, integer, NULL, oid, sequence, TAG } from '../../contract/der.ts';
import { lookup } from '../../contract/lookup.ts';
import { HASHES, hashOid, type KeyScheme, OID, SIGNATURES, signatureOid } from './oids.ts';

export interface SignatureAlgorithm {
  scheme: KeyScheme;
  /** Absent for Ed25519 and Ed448, which have their own. */
  hash: string | undefined;
  /** RSASSA-PSS only. */
  saltLength?: number;
}

/** Thrown for what is well formed but not known here. */
export class UnknownAlgorithm extends Error {}

export function hashOf(algorithm: DerNode): string {
  const id = algorithm.child(0).oid();
  // Some writers name the signature algorithm where the hash belongs.
  const hash = HASHES[id] ?? SIGNATURES[id]?.hash;
  if (hash === undefined) throw new UnknownAlgorithm(`hash ${id}`);
  return hash;
}

/** `beside`: the hash named elsewhere, for identifiers that name none. */
export function signatureAlgorithm(algorithm: DerNode, beside?: string): SignatureAlgorithm {
  const id = algorithm.child(0).oid();
  const known = SIGNATURES[id];
  if (!known) throw new UnknownAlgorithm(`signature ${id}`);
  if (known.scheme === 'RSASSA-PSS') return pssAlgorithm(algorithm.children[1]);
  const hash = known.scheme.startsWith('Ed') ? undefined : (known.hash ?? beside);
  return { scheme: known.scheme, hash };
}

function pssAlgorithm(parameters: DerNode | undefined): SignatureAlgorithm {
  const members = parameters?.tag === TAG.sequence ? parameters.children : [];
  const member = (number: number): DerNode | undefined =>
    members.find(({ tag }) => tag === context(number))?.child(0);
  const hashNode = member(0);
  return {
    scheme: 'RSASSA-PSS',
    hash: hashNode ? hashOf(hashNode) : 'sha1',
    saltLength: member(2)?.number() ?? 20,
  };
}

/** What was signed, in pieces: a document may be larger than memory. */
export type Pieces = Iterable<Uint8Array>;

export function digest(hash: string, pieces: Pieces): Buffer {
  const made = createHash(hash);
  for (const piece of pieces) made.update(piece);
  return made.digest();
}

/** False too where key and algorithm do not fit together. */
export function verifies(
  algorithm: SignatureAlgorithm,
  key: KeyObject,
  pieces: Pieces,
  signature: Uint8Array,
): boolean {
  if (!fits(algorithm.scheme, key.asymmetricKeyType)) return false;
  try {
    if (algorithm.hash === undefined) return verify(null, Buffer.concat([...pieces]), key, signature);
    const verifier = createVerify(algorithm.hash);
    for (const piece of pieces) verifier.update(piece);
    if (algorithm.scheme !== 'RSASSA-PSS') return verifier.verify(key, signature);
    const { saltLength = 20 } = algorithm;
    return verifier.verify({ key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength }, signature);
  } catch {
    return false;
  }
}

const KEY_TYPES: Record<KeyScheme, readonly string[]> = {
  RSA: ['rsa'],
  'RSASSA-PSS': ['rsa', 'rsa-pss'],
  ECDSA: ['ec'],
  DSA: ['dsa'],
  Ed25519: ['ed25519'],
  Ed448: ['ed448'],
};
const fits = (scheme: KeyScheme, type: string | undefined): boolean => KEY_TYPES[scheme].includes(type ?? '');

/** As Java and many tools call it: SHA256withRSA. */
export function algorithmName({ scheme, hash }: SignatureAlgorithm): string {
  if (hash === undefined) return scheme;
  const hashName = hash.startsWith('sha3-') ? hash.toUpperCase() : hash.toUpperCase().replace('-', '');
  return `${hashName}with${scheme === 'RSASSA-PSS' ? 'RSAandMGF1' : scheme}`;
}

/** RSA modulus or curve size in bits, 0 unknown. */
export function keyBits(key: KeyObject): number {
  const details = key.asymmetricKeyDetails ?? {};
  if (details.modulusLength !== undefined) return details.modulusLength;
  if (key.asymmetricKeyType === 'ed25519') return 256;
  if (key.asymmetricKeyType === 'ed448') return 456;
  return CURVE_BITS[details.namedCurve ?? ''] ?? Number(/\d{3}/.exec(details.namedCurve ?? '')?.[0] ?? 0);
}

const CURVE_BITS: Record<string, number> = lookup({ prime256v1: 256, secp384r1: 384, secp521r1: 521 });

/** Broken: anybody can forge it. Weak: today's rules would not allow it any more. */
export function strengthOf({ hash }: SignatureAlgorithm, key: KeyObject): 'strong' | 'weak' | 'broken' {
  const bits = keyBits(key);
  const isModular = ['rsa', 'rsa-pss', 'dsa'].includes(key.asymmetricKeyType ?? '');
  if (hash === 'md5' || (isModular && bits < 1024)) return 'broken';
  return hash === 'sha1' || (isModular && bits < 2048) ? 'weak' : 'strong';
}

export const hashIdentifier = (hash: string): Buffer => sequence(oid(hashOid(hash)), NULL);

/** Of the digest of a message: beside Ed25519 it has no parameters (RFC 8419). */
export const digestIdentifier = ({ hash }: SignatureAlgorithm): Buffer =>
  hash === undefined ? sequence(oid(hashOid('sha512'))) : hashIdentifier(hash);

export function signatureIdentifier({
  scheme,
  hash = 'sha256',
  saltLength = 32,
}: SignatureAlgorithm): Buffer {
  if (scheme === 'Ed25519') return sequence(oid(OID.ed25519));
  if (scheme === 'ECDSA') return sequence(oid(signatureOid(scheme, hash)));
  if (scheme === 'RSA') return sequence(oid(signatureOid(scheme, hash)), NULL);
  return sequence(
    oid(OID.rsaPss),
    sequence(
      der(context(0), hashIdentifier(hash)),
      der(context(1), sequence(oid(OID.mgf1), hashIdentifier(hash))),
      der(context(2), integer(saltLength)),
    ),
  );
}
