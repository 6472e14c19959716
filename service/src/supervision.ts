// The API process and its supervisor (scripts/supervisor.cjs), which started it and starts it anew: a sign of life every
// second, and what is known of former lives. Without a supervisor only the delay of the event loop is watched.
import type { Log } from './contract/log.ts';

const BEAT_MS = 1000;
/** Beats whose delay is remembered. */
const REMEMBERED = 60;

/** Why the process before this one ended: its event loop stood still, it failed, or a signal ended it. */
export type DeathReason = 'blocked' | 'crashed' | 'killed';

interface History {
  restarts: Record<DeathReason, number>;
  last: { reason: DeathReason; at: number } | null;
}

export class Supervision {
  readonly #delaysMs = new Array<number>(REMEMBERED).fill(0);
  #history: History = { restarts: { blocked: 0, crashed: 0, killed: 0 }, last: null };
  #beats = 0;

  constructor(log: Log) {
    if (process.send === undefined) return;
    process.on('message', (message: { kind?: unknown; history: History } | null) => {
      // Managers of processes that are not ours speak their own words.
      if (message?.kind !== 'history') return;
      this.#history = message.history;
      if (this.#history.last !== null) log.warn('started anew', { ...this.#history.last });
    });
  }

  get restarts(): Readonly<Record<DeathReason, number>> {
    return this.#history.restarts;
  }

  /** When this process took the place of one that died, in seconds since 1970, under the reason of that death. */
  get lastRestart(): Readonly<Record<string, number>> {
    const { last } = this.#history;
    return last === null ? {} : { [last.reason]: Math.round(last.at / 1000) };
  }

  /** The longest of the last minute. */
  get loopDelaySeconds(): number {
    return Math.max(...this.#delaysMs) / 1000;
  }

  /**
   * From now on the process serves, and its event loop turns. `abandoned`: the supervisor is gone; nobody would start
   * the service anew, and it would be in the way of one that is started by hand.
   */
  begin(port: number, blockedMs: number, abandoned: () => void): void {
    process.once('disconnect', abandoned);
    process.send?.({ kind: 'listening', port, blockedMs });
    let due = performance.now() + BEAT_MS;
    setInterval(() => {
      const now = performance.now();
      this.#delaysMs[this.#beats % REMEMBERED] = Math.max(0, now - due);
      this.#beats += 1;
      due = now + BEAT_MS;
      if (process.connected) process.send?.({ kind: 'beat' });
    }, BEAT_MS).unref();
  }
}
