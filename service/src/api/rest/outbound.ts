// Addresses that callers name for files and results: the vetted way out, and who may use it how often at once.
import { Problem } from '../../contract/problems.ts';
import { type CancellableEgress, createEgress } from '../../jobs/egress.ts';
import { TurnsOfEach } from '../../jobs/turns.ts';

/** Of one key: more at once would only wait for one another. */
const AT_ONCE = 4;
/** Pre-signed addresses carry tokens of some thousand characters. */
export const LONGEST_ADDRESS = 8192;

export class Outbound {
  readonly egress: CancellableEgress;
  readonly turns = new TurnsOfEach(AT_ONCE);
  readonly #allowHosts: readonly string[];

  constructor(allowHosts: readonly string[]) {
    this.#allowHosts = allowHosts;
    this.egress = createEgress({ allowHosts });
  }

  /** Before any work: an address that may not be reached is refused at once. */
  async requireAddress(field: string, address: string | undefined, signal: AbortSignal): Promise<void> {
    if (address === undefined) return;
    try {
      this.requireHttps(address);
      await this.egress.require(address, signal);
    } catch (error) {
      throw ofField(field, error);
    }
  }

  /** What goes unencrypted may be read and changed on its way; within a network that the operator named it may go. */
  requireHttps(address: string): void {
    const url = URL.parse(address);
    if (url?.protocol === 'https:') return;
    if (url && [url.hostname, url.host].some((host) => this.#allowHosts.includes(host))) return;
    throw new Problem('url_not_allowed', 'The address must be a public https address.', {
      hint: 'Send a public https address.',
    });
  }
}

/** A problem of an address, told with the field it stood in; never with the address, which may hold secrets. */
export function ofField(field: string, thrown: unknown): Problem {
  const problem = Problem.from(thrown);
  if (!['url_not_allowed', 'url_fetch_failed', 'delivery_failed'].includes(problem.reason)) return problem;
  return new Problem(problem.reason, `${field}: ${problem.detail}`, problem.options);
}
