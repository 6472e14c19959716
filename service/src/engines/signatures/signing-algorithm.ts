// How a private key signs.
import { constants, type KeyObject, sign } from 'node:crypto';
import type { SignatureAlgorithm } from './algorithms.ts';

/** The strength of the hash follows that of the key. */
export function algorithmFor(key: KeyObject): SignatureAlgorithm {
  if (key.asymmetricKeyType === 'ec') {
    const hashes: Record<string, string> = { secp384r1: 'sha384', secp521r1: 'sha512' };
    return { scheme: 'ECDSA', hash: hashes[key.asymmetricKeyDetails?.namedCurve ?? ''] ?? 'sha256' };
  }
  if (key.asymmetricKeyType === 'ed25519') return { scheme: 'Ed25519', hash: undefined };
  if (key.asymmetricKeyType !== 'rsa-pss') return { scheme: 'RSA', hash: 'sha256' };
  // Such keys may be bound to a hash and a length of salt.
  const { hashAlgorithm = 'sha256', saltLength = 32 } = key.asymmetricKeyDetails ?? {};
  const hash = ['sha384', 'sha512'].includes(hashAlgorithm) ? hashAlgorithm : 'sha256';
  return { scheme: 'RSASSA-PSS', hash, saltLength: Math.max(saltLength, hash === 'sha256' ? 32 : 48) };
}

/** What the document is hashed with; RFC 8419: Ed25519 has a hash of its own and goes with SHA-512. */
export const documentHash = ({ hash }: SignatureAlgorithm): string => hash ?? 'sha512';

/** In bytes; signatures of an ECDSA key differ in length. */
export function longestSignature(key: KeyObject): number {
  const { modulusLength, namedCurve = '' } = key.asymmetricKeyDetails ?? {};
  if (modulusLength !== undefined) return Math.ceil(modulusLength / 8);
  return ({ prime256v1: 72, secp384r1: 104 } as Record<string, number>)[namedCurve] ?? 139;
}

export function signBytes(
  { scheme, hash, saltLength }: SignatureAlgorithm,
  key: KeyObject,
  bytes: Buffer,
): Buffer {
  if (scheme !== 'RSASSA-PSS') return sign(hash, bytes, key);
  return sign(hash, bytes, { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength });
}
