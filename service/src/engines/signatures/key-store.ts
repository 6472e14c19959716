// What a key file holds, whatever its format.
import type { Certificate } from './certificate.ts';

export interface StoredKey {
  /** The entry's name; some files have none. */
  alias: string | undefined;
  /** The private key: DER of a PKCS #8 PrivateKeyInfo. */
  pkcs8: Buffer;
  /** Certificates that may belong to it and to its chain. */
  certificates: Certificate[];
}

/** Entries with a private key, in the order of the file. */
export type KeyStore = StoredKey[];
