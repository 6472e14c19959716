// Who signs: a private key with its certificate, from whichever file the caller sent, fit to sign documents.
import { createPublicKey, type KeyObject } from 'node:crypto';
import { invalidParameter, type Problem } from '../../contract/problems.ts';
import { verifies } from './algorithms.ts';
import { type Certificate, isSame, isValidAt, readCertificates } from './certificate.ts';
import { isJceks, isJks, readJks } from './jks.ts';
import type { KeyStore } from './key-store.ts';
import { OID } from './oids.ts';
import { WrongPassword } from './password-encryption.ts';
import { isPkcs12, readPkcs12 } from './pkcs12.ts';
import { plainKey, readPrivateKey } from './private-key.ts';
import { algorithmFor, signBytes } from './signing-algorithm.ts';

export interface Identity {
  key: KeyObject;
  certificate: Certificate;
  /** Certificates above it, as far as they came along. */
  chain: Certificate[];
  /** Of the certificate; else its whole subject. */
  name: string;
}

/** The file fields of security/cert-sign, for refusals. */
type FileField = 'privateKeyFile' | 'certFile' | 'p12File' | 'jksFile';

export type KeySource =
  | { certType: 'PEM'; privateKey: Uint8Array; certificate: Uint8Array }
  | { certType: 'PKCS12'; store: Uint8Array }
  | { certType: 'JKS'; store: Uint8Array };

export interface IdentityOptions {
  password: string;
  alias: string | undefined;
  now: Date;
}

/** Every refusal is invalid_parameter, naming the field; never a word of what the file or password holds. */
export function readIdentity(source: KeySource, options: IdentityOptions): Identity {
  if (source.certType === 'PEM') return identityOfPem(source.privateKey, source.certificate, options);
  const field: FileField = source.certType === 'JKS' ? 'jksFile' : 'p12File';
  if (isJceks(source.store))
    throw refused(field, 'is a JCEKS key store, which is not taken; send JKS or PKCS#12');
  const read = source.certType === 'JKS' && isJks(source.store) ? readJks : readPkcs12;
  if (read === readPkcs12 && !isPkcs12(source.store))
    throw refused(
      field,
      source.certType === 'JKS' ? 'is no JKS or PKCS#12 key store' : 'is no PKCS#12 key store',
    );
  const store = opening(field, 'key store', () => read(source.store, options.password));
  return identityOfStore(field, store, options);
}

function identityOfPem(
  keyBytes: Uint8Array,
  certificateBytes: Uint8Array,
  options: IdentityOptions,
): Identity {
  const key = opening('privateKeyFile', 'private key', () => readPrivateKey(keyBytes, options.password));
  const certificates = opening('certFile', 'certificate', () => readCertificates(certificateBytes));
  const certificate = ownerOf(key, certificates);
  if (!certificate) throw invalidParameter('privateKeyFile does not match the certificate in certFile.');
  return checked(key, certificate, certificates, {
    key: 'privateKeyFile',
    certificate: 'certFile',
    now: options.now,
  });
}

function identityOfStore(field: FileField, store: KeyStore, { alias, now }: IdentityOptions): Identity {
  if (store.length === 0) throw refused(field, 'holds no private key');
  // Java compares entry names without regard to case.
  const entry =
    alias === undefined ? store[0] : store.find((one) => one.alias?.toLowerCase() === alias.toLowerCase());
  if (!entry) throw invalidParameter(`alias names no entry with a private key in ${field}.`);
  const key = opening(field, 'private key', () => plainKey(entry.pkcs8));
  const certificate = ownerOf(key, entry.certificates);
  if (!certificate) throw refused(field, 'holds no certificate that matches its private key');
  return checked(key, certificate, entry.certificates, { key: field, certificate: field, now });
}

function opening<T>(field: FileField, what: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof WrongPassword)
      throw invalidParameter(`password does not open the ${what} in ${field}.`);
    throw refused(field, `holds no readable ${what}`);
  }
}

const refused = (field: FileField, why: string): Problem => invalidParameter(`${field} ${why}.`);

function ownerOf(key: KeyObject, certificates: readonly Certificate[]): Certificate | undefined {
  const publicKey = createPublicKey(key);
  return certificates.find(
    (one) => one.key?.asymmetricKeyType === key.asymmetricKeyType && one.key?.equals(publicKey),
  );
}

interface Fields {
  key: FileField;
  certificate: FileField;
  now: Date;
}

function checked(
  key: KeyObject,
  certificate: Certificate,
  all: readonly Certificate[],
  fields: Fields,
): Identity {
  checkKey(key, fields.key);
  if (!canSign(key, certificate)) throw refused(fields.key, 'holds a damaged private key');
  const { now, certificate: field } = fields;
  if (certificate.until < now) throw refused(field, 'holds an expired certificate');
  if (!isValidAt(certificate, now)) throw refused(field, 'holds a certificate that is not valid yet');
  if (!isForSigning(certificate)) throw refused(field, 'holds a certificate that is not for signing');
  const name = certificate.commonName || certificate.subjectText;
  return { key, certificate, chain: chainAbove(certificate, all), name };
}

/** A damaged key may still tell its public half rightly. */
function canSign(key: KeyObject, certificate: Certificate): boolean {
  const algorithm = algorithmFor(key);
  try {
    const trial = signBytes(algorithm, key, Buffer.from('trial'));
    return (
      certificate.key !== undefined && verifies(algorithm, certificate.key, [Buffer.from('trial')], trial)
    );
  } catch {
    return false;
  }
}

const CURVES = ['prime256v1', 'secp384r1', 'secp521r1'];
const RSA_BITS = { least: 2048, most: 8192 };

/** Operations: "RSA 2048 to 8192, ECDSA P-256/384/521"; Ed25519 as well. */
function checkKey(key: KeyObject, field: FileField): void {
  const { modulusLength = 0, namedCurve = '', hashAlgorithm } = key.asymmetricKeyDetails ?? {};
  const type = key.asymmetricKeyType;
  if (hashAlgorithm === 'sha1') throw refused(field, 'holds a key that signs with SHA-1 only');
  if (type === 'rsa' || type === 'rsa-pss') {
    if (modulusLength >= RSA_BITS.least && modulusLength <= RSA_BITS.most) return;
    throw refused(
      field,
      `holds an RSA key of ${modulusLength} bits; ${RSA_BITS.least} to ${RSA_BITS.most} are taken`,
    );
  }
  if (type === 'ed25519' || (type === 'ec' && CURVES.includes(namedCurve))) return;
  throw refused(
    field,
    'must hold an RSA key of 2048 to 8192 bits, an ECDSA key on P-256, P-384 or P-521, or an Ed25519 key',
  );
}

const OTHER_PURPOSES: readonly string[] = [OID.serverAuth, OID.timeStamping, OID.ocspSigning];

/** RFC 5280: where usages or purposes are listed, signing documents must be among them. */
function isForSigning({ usages, purposes }: Certificate): boolean {
  if (usages && !usages.includes('Digital Signature') && !usages.includes('Non-Repudiation')) return false;
  return !purposes || purposes.some((purpose) => !OTHER_PURPOSES.includes(purpose));
}

const MAX_CHAIN = 10;

/** Issuers in order; what does not belong to the chain stays out of the document. */
function chainAbove(certificate: Certificate, all: readonly Certificate[]): Certificate[] {
  const chain: Certificate[] = [];
  let top = certificate;
  while (chain.length < MAX_CHAIN) {
    const { issuer } = top;
    const next = all.find(
      (one) =>
        one.subject.raw.equals(issuer.raw) && ![certificate, ...chain].some((known) => isSame(known, one)),
    );
    if (!next) return chain;
    chain.push(next);
    top = next;
  }
  return chain;
}
