// Secrets and ids of keys, the same for every kind of state.
import { hash, randomBytes } from 'node:crypto';

// A made secret holds 256 random bits, so nothing can be tried out against its hash: a plain SHA-256 is enough
// and a slow hash would only slow each request. A secret set by the operator stands in the environment anyway.
export const hashOf = (secret: string): Buffer => hash('sha256', secret, 'buffer');
export const newSecret = (): string => `bdy_${randomBytes(32).toString('base64url')}`;

const LETTERS = 'abcdefghijklmnopqrstuvwxyz234567';
export const newKeyId = (): string =>
  `key_${[...randomBytes(12)].map((byte) => LETTERS[byte % 32]).join('')}`;
