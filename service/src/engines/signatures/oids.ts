// Object identifiers by what they name.
import { lookup } from '../../contract/lookup.ts';

export const OID = {
  data: '1.2.840.113549.1.7.1',
  signedData: '1.2.840.113549.1.7.2',
  encryptedData: '1.2.840.113549.1.7.6',
  tstInfo: '1.2.840.113549.1.9.16.1.4',

  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingTime: '1.2.840.113549.1.9.5',
  signingCertificate: '1.2.840.113549.1.9.16.2.12',
  timeStampToken: '1.2.840.113549.1.9.16.2.14',
  signingCertificateV2: '1.2.840.113549.1.9.16.2.47',
  adobeRevocation: '1.2.840.113583.1.1.8',

  friendlyName: '1.2.840.113549.1.9.20',
  localKeyId: '1.2.840.113549.1.9.21',
  x509Certificate: '1.2.840.113549.1.9.22.1',
  keyBag: '1.2.840.113549.1.12.10.1.1',
  shroudedKeyBag: '1.2.840.113549.1.12.10.1.2',
  certBag: '1.2.840.113549.1.12.10.1.3',
  safeContentsBag: '1.2.840.113549.1.12.10.1.6',
  jksKey: '1.3.6.1.4.1.42.2.17.1.1',

  pbes2: '1.2.840.113549.1.5.13',
  pbkdf2: '1.2.840.113549.1.5.12',
  pbmac1: '1.2.840.113549.1.5.14',
  scrypt: '1.3.6.1.4.1.11591.4.11',

  rsa: '1.2.840.113549.1.1.1',
  rsaPss: '1.2.840.113549.1.1.10',
  mgf1: '1.2.840.113549.1.1.8',
  ecPublicKey: '1.2.840.10045.2.1',
  dsa: '1.2.840.10040.4.1',
  ed25519: '1.3.101.112',
  ed448: '1.3.101.113',

  commonName: '2.5.4.3',
  emailAddress: '1.2.840.113549.1.9.1',

  subjectKeyId: '2.5.29.14',
  keyUsage: '2.5.29.15',
  subjectAltName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  crlReason: '2.5.29.21',
  holdInstruction: '2.5.29.23',
  invalidityDate: '2.5.29.24',
  issuingDistributionPoint: '2.5.29.28',
  nameConstraints: '2.5.29.30',
  crlDistributionPoints: '2.5.29.31',
  certificatePolicies: '2.5.29.32',
  anyPolicy: '2.5.29.32.0',
  policyMappings: '2.5.29.33',
  authorityKeyId: '2.5.29.35',
  policyConstraints: '2.5.29.36',
  extendedKeyUsage: '2.5.29.37',
  anyPurpose: '2.5.29.37.0',
  inhibitAnyPolicy: '2.5.29.54',
  expiredCertificatesOnList: '2.5.29.60',

  serverAuth: '1.3.6.1.5.5.7.3.1',
  clientAuth: '1.3.6.1.5.5.7.3.2',
  emailProtection: '1.3.6.1.5.5.7.3.4',
  timeStamping: '1.3.6.1.5.5.7.3.8',
  ocspSigning: '1.3.6.1.5.5.7.3.9',
  authorityInfoAccess: '1.3.6.1.5.5.7.1.1',
  ocsp: '1.3.6.1.5.5.7.48.1',
  caIssuers: '1.3.6.1.5.5.7.48.2',
  ocspInMessage: '1.3.6.1.5.5.7.16.2',
  ocspNoCheck: '1.3.6.1.5.5.7.48.1.5',
  ocspBasic: '1.3.6.1.5.5.7.48.1.1',
  ocspNonce: '1.3.6.1.5.5.7.48.1.2',
  ocspArchiveCutoff: '1.3.6.1.5.5.7.48.1.6',
} as const;

/** Hash functions, by the names that node:crypto knows. */
export const HASHES: Readonly<Record<string, string>> = lookup({
  '1.2.840.113549.2.5': 'md5',
  '1.3.14.3.2.26': 'sha1',
  '2.16.840.1.101.3.4.2.4': 'sha224',
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
  '2.16.840.1.101.3.4.2.8': 'sha3-256',
  '2.16.840.1.101.3.4.2.9': 'sha3-384',
  '2.16.840.1.101.3.4.2.10': 'sha3-512',
  '1.3.36.3.2.1': 'ripemd160',
});

export const hashOid = (hash: string): string => {
  const found = Object.entries(HASHES).find(([, name]) => name === hash);
  if (!found) throw new TypeError(`no identifier of ${hash}`);
  return found[0];
};

export type KeyScheme = 'RSA' | 'RSASSA-PSS' | 'ECDSA' | 'DSA' | 'Ed25519' | 'Ed448';

/** Signature algorithms that name a hash as well, and those that leave it to a field beside them. */
export const SIGNATURES: Readonly<Record<string, { scheme: KeyScheme; hash?: string }>> = lookup({
  [OID.rsa]: { scheme: 'RSA' },
  [OID.rsaPss]: { scheme: 'RSASSA-PSS' },
  [OID.ecPublicKey]: { scheme: 'ECDSA' },
  [OID.dsa]: { scheme: 'DSA' },
  [OID.ed25519]: { scheme: 'Ed25519' },
  [OID.ed448]: { scheme: 'Ed448' },
  '1.2.840.113549.1.1.4': { scheme: 'RSA', hash: 'md5' },
  '1.2.840.113549.1.1.5': { scheme: 'RSA', hash: 'sha1' },
  '1.3.14.3.2.29': { scheme: 'RSA', hash: 'sha1' },
  '1.2.840.113549.1.1.14': { scheme: 'RSA', hash: 'sha224' },
  '1.2.840.113549.1.1.11': { scheme: 'RSA', hash: 'sha256' },
  '1.2.840.113549.1.1.12': { scheme: 'RSA', hash: 'sha384' },
  '1.2.840.113549.1.1.13': { scheme: 'RSA', hash: 'sha512' },
  '2.16.840.1.101.3.4.3.14': { scheme: 'RSA', hash: 'sha3-256' },
  '2.16.840.1.101.3.4.3.15': { scheme: 'RSA', hash: 'sha3-384' },
  '2.16.840.1.101.3.4.3.16': { scheme: 'RSA', hash: 'sha3-512' },
  '1.2.840.10045.4.1': { scheme: 'ECDSA', hash: 'sha1' },
  '1.2.840.10045.4.3.1': { scheme: 'ECDSA', hash: 'sha224' },
  '1.2.840.10045.4.3.2': { scheme: 'ECDSA', hash: 'sha256' },
  '1.2.840.10045.4.3.3': { scheme: 'ECDSA', hash: 'sha384' },
  '1.2.840.10045.4.3.4': { scheme: 'ECDSA', hash: 'sha512' },
  '2.16.840.1.101.3.4.3.10': { scheme: 'ECDSA', hash: 'sha3-256' },
  '2.16.840.1.101.3.4.3.11': { scheme: 'ECDSA', hash: 'sha3-384' },
  '2.16.840.1.101.3.4.3.12': { scheme: 'ECDSA', hash: 'sha3-512' },
  '1.2.840.10040.4.3': { scheme: 'DSA', hash: 'sha1' },
  '2.16.840.1.101.3.4.3.2': { scheme: 'DSA', hash: 'sha256' },
});

export const signatureOid = (scheme: KeyScheme, hash: string): string => {
  const found = Object.entries(SIGNATURES).find(
    ([, known]) => known.scheme === scheme && known.hash === hash,
  );
  if (!found) throw new TypeError(`no identifier of ${scheme} with ${hash}`);
  return found[0];
};
