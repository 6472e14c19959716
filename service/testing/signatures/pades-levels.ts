// Signing at every PAdES level under an authority of our own.

import { OID } from '../../src/engines/signatures/oids.ts';
import type { GivenCall, GivenFile } from '../calls/run-here.ts';
import { type Authority, startAuthority } from './certificate-authority.ts';
import { type Issued, startTimestampAuthority, type TimestampAuthority } from './pki.ts';
import { DOCUMENT, named } from './signing.ts';

export const LEVELS = ['B-B', 'B-T', 'B-LT', 'B-LTA'] as const;

export interface Office {
  authority: Authority;
  clock: TimestampAuthority;
  signer: Issued;
  anchor: GivenFile;
  call(params: Record<string, string>, document?: GivenFile, who?: Issued): GivenCall;
  close(): void;
}

export const SIGNER_SERIAL = 0x51;

export async function openOffice({ appointed = false } = {}): Promise<Office> {
  const authority = await startAuthority({ appointed });
  const clock = await startTimestampAuthority(
    authority.issue({ name: 'Clock', usages: [0], purposes: [OID.timeStamping] }, 'crl'),
  );
  const signer = authority.issue({ name: 'Signer', usages: [0, 1], serial: SIGNER_SERIAL }, 'ocsp');
  return {
    authority,
    clock,
    signer,
    anchor: named('root.pem', authority.root.pem),
    call: (params, document = DOCUMENT, who = signer) => ({
      files: {
        fileInput: document,
        privateKeyFile: named('k.pem', who.keyPem),
        certFile: named('c.pem', who.pem + authority.root.pem),
      },
      params: { certType: 'PEM', tsaUrl: clock.url, ...params },
      allowHosts: [authority.host, clock.host],
    }),
    close() {
      authority.close();
      clock.close();
    },
  };
}
