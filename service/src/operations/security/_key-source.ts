// Which files a key source needs (security/cert-sign).
import type { InputFile } from '../../contract/files.ts';
import { invalidParameter } from '../../contract/problems.ts';
import type { KeySource } from '../../engines/signatures/identity.ts';

type CertType = 'PEM' | 'PKCS12' | 'PFX' | 'JKS' | 'SERVER';
type KeyFile = 'privateKeyFile' | 'certFile' | 'p12File' | 'jksFile';

const NEEDED: Record<CertType, readonly KeyFile[]> = {
  PEM: ['privateKeyFile', 'certFile'],
  PKCS12: ['p12File'],
  PFX: ['p12File'],
  JKS: ['jksFile'],
  SERVER: [],
};

const KEY_FILES = [...new Set(Object.values(NEEDED).flat())];

export function checkKeyFiles(certType: CertType, given: Record<KeyFile, number>): void {
  if (certType === 'SERVER')
    throw invalidParameter('certType SERVER: this service has no certificate of its own.');
  for (const field of NEEDED[certType]) {
    if (given[field] === 0) throw invalidParameter(`${field} is required for certType ${certType}.`);
  }
}

/** Files of other kinds of keys. */
export const otherKeyFiles = (certType: CertType | undefined): KeyFile[] =>
  certType === undefined ? [] : KEY_FILES.filter((field) => !NEEDED[certType].includes(field));

/** No key store is larger. */
const MAX_KEY_BYTES = 4 * 1024 * 1024;

export function keySource(certType: CertType, files: Record<KeyFile, InputFile | undefined>): KeySource {
  const bytes = (field: KeyFile): Uint8Array => {
    const file = files[field];
    if (!file) throw invalidParameter(`${field} is required for certType ${certType}.`);
    if (file.size > MAX_KEY_BYTES) throw invalidParameter(`${field} must be at most 4 MiB.`);
    return file.bytes();
  };
  if (certType === 'PEM')
    return { certType, privateKey: bytes('privateKeyFile'), certificate: bytes('certFile') };
  return certType === 'JKS'
    ? { certType, store: bytes('jksFile') }
    : { certType: 'PKCS12', store: bytes('p12File') };
}
