// Addresses that carry their own permission: whoever has one may send or fetch that file until it expires.
import { createHmac, timingSafeEqual } from 'node:crypto';

export type FileVerb = 'put' | 'get';

export class SignedAddresses {
  readonly #secret: Uint8Array;

  constructor(secret: Uint8Array) {
    this.#secret = secret;
  }

  /** `base` is the address of the service, without a slash at the end. */
  make(base: string, verb: FileVerb, id: string, expiresAt: Date): string {
    const until = Math.floor(expiresAt.getTime() / 1000);
    return `${base}/mcp/files/${id}?until=${until}&signature=${this.#sign(verb, id, until)}`;
  }

  isGood(verb: FileVerb, id: string, until: string, signature: string): boolean {
    if (!/^\d{1,12}$/.test(until) || Number(until) * 1000 < Date.now()) return false;
    const expected = Buffer.from(this.#sign(verb, id, Number(until)));
    const given = Buffer.from(signature);
    return given.length === expected.length && timingSafeEqual(given, expected);
  }

  #sign(verb: FileVerb, id: string, until: number): string {
    return createHmac('sha256', this.#secret).update(`${verb}\n${id}\n${until}`).digest('base64url');
  }
}
