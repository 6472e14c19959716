// How keys are used, counted in memory and handed to the state now and then: a call waits for no write.
import type { Log } from '../../contract/log.ts';
import type { Usage, UsageCount } from '../../state/state.ts';
import type { Call } from './call.ts';

const HAND_OVER_MS = 5000;
/** Words of ours for each key: more than this are counted only while the state does not answer. */
const MOST_COUNTS = 20_000;

export class UsageCounts {
  readonly #usage: Usage;
  readonly #log: Log;
  readonly #timer: NodeJS.Timeout;
  #counts = new Map<string, UsageCount>();

  constructor(usage: Usage, log: Log) {
    this.#usage = usage;
    this.#log = log;
    this.#timer = setInterval(() => void this.handOver(), HAND_OVER_MS);
    this.#timer.unref();
  }

  note({ key, operation, problem, bytesIn, bytesOut }: Call): void {
    if (key === undefined) return;
    this.#add({ keyId: key.id, operation, calls: 1, failed: problem ? 1 : 0, bytesIn, bytesOut });
  }

  #add(count: UsageCount): void {
    const name = `${count.keyId} ${count.operation}`;
    const known = this.#counts.get(name);
    if (known) {
      known.calls += count.calls;
      known.failed += count.failed;
      known.bytesIn += count.bytesIn;
      known.bytesOut += count.bytesOut;
    } else if (this.#counts.size < MOST_COUNTS) this.#counts.set(name, { ...count });
  }

  async handOver(): Promise<void> {
    if (this.#counts.size === 0) return;
    const counts = [...this.#counts.values()];
    this.#counts = new Map();
    try {
      await this.#usage.add(counts);
    } catch (error) {
      for (const count of counts) this.#add(count);
      this.#log.warn('The usage of keys could not be noted; it will be tried again.', { error });
    }
  }

  /** With the last that is known. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.handOver();
  }
}
