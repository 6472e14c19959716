// Who is trusted: the authorities of this machine, and whom the caller names.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { rootCertificates } from 'node:tls';
import { type Certificate, pemBlocks, readCertificate } from './certificate.ts';

export interface TrustStore {
  has(certificate: Certificate): boolean;
  /** Trusted certificates of this subject (DER of its name). */
  named(subject: Buffer): readonly Certificate[];
}

/** Where distributions keep the authorities that the machine trusts. */
const SYSTEM_FILES = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/ssl/cert.pem',
];

/** Read once per process. */
let system: TrustStore | undefined;

export function systemTrust(): TrustStore {
  system ??= storeOf(systemCertificates());
  return system;
}

function systemCertificates(): Certificate[] {
  const file = SYSTEM_FILES.find((path) => existsSync(path));
  // A machine without a store of its own: Node brings Mozilla's.
  const bytes = file === undefined ? Buffer.from(rootCertificates.join('\n')) : readFileSync(file);
  return pemBlocks(bytes, /^(?:TRUSTED )?CERTIFICATE$/).flatMap(({ der }) => {
    try {
      return [readCertificate(der)];
    } catch {
      return [];
    }
  });
}

export function storeOf(certificates: readonly Certificate[]): TrustStore {
  const prints = new Set(certificates.map(({ raw }) => print(raw)));
  const bySubject = new Map<string, Certificate[]>();
  for (const certificate of certificates) {
    const key = print(certificate.subject.raw);
    bySubject.set(key, [...(bySubject.get(key) ?? []), certificate]);
  }
  return {
    has: ({ raw }) => prints.has(print(raw)),
    named: (subject) => bySubject.get(print(subject)) ?? [],
  };
}

export const bothOf = (one: TrustStore, other: TrustStore): TrustStore => ({
  has: (certificate) => one.has(certificate) || other.has(certificate),
  named: (subject) => [...one.named(subject), ...other.named(subject)],
});

const print = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('base64');
