// Signing at every PAdES level under an authority of our own. For tests: product code does not import this.
import { type Authority, startAuthority } from '../../engines/signatures/authority-judges.ts';
import { OID } from '../../engines/signatures/oids.ts';
import {
  type Issued,
  startTimestampAuthority,
  type TimestampAuthority,
} from '../../engines/signatures/pki-judges.ts';
import type { GivenCall, GivenFile } from '../../jobs/run-here.ts';
import { DOCUMENT, named } from './_signing-judges.ts';

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
