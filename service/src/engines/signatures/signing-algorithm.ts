// How a private key signs.
import { constants, type KeyObject, sign } from 'node:crypto';
import type { SignatureAlgorithm } from './algorithms.ts';

/** The strength of the hash follows that of the key. */
export function algorithmFor(key: KeyObject): SignatureAlgorithm {
  if (key.asymmetricKeyType === 'ec') {
    const hashes: Record<string, string> = { secp384r1: 'sha384', secp521r1: 'sha512' };
    return { scheme: 'ECDSA', hash: hashes[key.asymmetricKeyDetails?.namedCurve ?? ''] ?? 'sha256' };
  }
  if (key.asymmetricKeyType !== 'rsa-pss') return { scheme: 'RSA', hash: 'sha256' };
  // Such keys may be bound to a hash and a length of salt.
  const { hashAlgorithm = 'sha256', saltLength = 32 } = key.asymmetricKeyDetails ?? {};
  const hash = ['sha384', 'sha512'].includes(hashAlgorithm) ? hashAlgorithm : 'sha256';
  return { scheme: 'RSASSA-PSS', hash, saltLength: Math.max(saltLength, hash === 'sha256' ? 32 : 48) };
}

export function signBytes(
  { scheme, hash, saltLength }: SignatureAlgorithm,
  key: KeyObject,
  bytes: Buffer,
): Buffer {
  if (scheme !== 'RSASSA-PSS') return sign(hash, bytes, key);
  return sign(hash, bytes, { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength });
}
