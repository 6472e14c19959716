// A brake on those who try keys out: an address that brought many unknown ones waits. Who brings a valid key is never
// held up, whoever else is behind the same address.
import { isIPv6 } from 'node:net';
import { Problem } from '../../contract/problems.ts';

const WINDOW_MS = 60_000;
/** What is remembered of; the oldest is forgotten first. */
const MOST_ADDRESSES = 10_000;

interface Failures {
  count: number;
  endsAt: number;
}

export class FailedKeys {
  readonly #allowed: number;
  readonly #now: () => number;
  readonly #byAddress = new Map<string, Failures>();

  /** `allowed`: in a minute; 0: any number. */
  constructor(allowed: number, now: () => number = Date.now) {
    this.#allowed = allowed;
    this.#now = now;
  }

  /** Notes one more; what it is answered where there were too many. */
  note(address: string): Problem | undefined {
    if (this.#allowed === 0) return undefined;
    const now = this.#now();
    const network = networkOf(address);
    const known = this.#byAddress.get(network);
    const failures = known && known.endsAt > now ? known : { count: 0, endsAt: now + WINDOW_MS };
    failures.count += 1;
    this.#byAddress.delete(network);
    this.#byAddress.set(network, failures);
    if (this.#byAddress.size > MOST_ADDRESSES) {
      const oldest = this.#byAddress.keys().next().value;
      if (oldest !== undefined) this.#byAddress.delete(oldest);
    }
    if (failures.count <= this.#allowed) return undefined;
    return new Problem('rate_limited', 'Too many unknown API keys came from this address.', {
      retryAfterSeconds: Math.max(1, Math.ceil((failures.endsAt - now) / 1000)),
    });
  }

  get size(): number {
    return this.#byAddress.size;
  }
}

/** Who has an IPv6 address has 2^64 of them. */
function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=[\d.]+$)/i, '');
  return isIPv6(plain) ? new URL(`http://[${plain}]`).hostname.split(':').slice(0, 4).join(':') : plain;
}
