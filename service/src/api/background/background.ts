// Asynchronous calls: kept by the state, run here by the runner as any call is, as many at once as leave room for those
// who wait on a connection. Whatever this process does or suffers, a call that was accepted ends: another process, or
// the next life of this one, runs it again.
import { LIMITS } from '../../contract/limits.ts';
import { Problem } from '../../contract/problems.ts';
import type { ClaimedJob, JobStatus, NewJob, StoredJob } from '../../state/jobs.ts';
import type { BackgroundCalls } from './background-calls.ts';
import type { BackgroundParts } from './background-parts.ts';
import { Changes } from './changes.ts';
import { performJob } from './perform.ts';
import { WebhookSender } from './webhooks.ts';

/** A job whose process died is run by another after this time. */
const LEASE_MS = 30_000;
const RENEW_MS = 10_000;
/** What other nodes accept is seen after this time. */
const LOOK_EVERY_MS = 1000;
const COUNT_EVERY_MS = 5000;

export class Background implements BackgroundCalls {
  readonly changes: Changes;
  readonly webhooks: WebhookSender;
  /** How many jobs there are, as of some seconds ago. */
  counts: Partial<Record<JobStatus, number>> = {};
  readonly #parts: BackgroundParts;
  /** What ends each that is at work here. */
  readonly #running = new Map<string, AbortController>();
  readonly #over = new Set<Promise<void>>();
  readonly #stopping = new AbortController();
  readonly #timers: NodeJS.Timeout[];
  /** Places that a job at work has taken for more of its work. */
  #extra = 0;
  #looking = false;

  constructor(parts: BackgroundParts) {
    this.#parts = parts;
    this.changes = new Changes(parts.state.jobs);
    this.webhooks = new WebhookSender(parts);
    this.#timers = [
      setInterval(() => void this.look(), LOOK_EVERY_MS),
      setInterval(() => void this.#count(), COUNT_EVERY_MS),
    ];
    for (const timer of this.#timers) timer.unref();
    void this.look();
  }

  /** Fires when the service stops: whoever waits here is told to come again. */
  get stopping(): AbortSignal {
    return this.#stopping.signal;
  }

  async accept(job: NewJob): Promise<StoredJob> {
    const { state, config } = this.#parts;
    const caps = { jobs: LIMITS.jobsOfKey, storageBytes: config.jobs.storageBytes };
    const accepted = await state.jobs.accept(job, caps);
    if (accepted === 'insufficient_storage') throw noRoom();
    void this.look();
    return accepted;
  }

  /** Cancels what is not finished, removes what is. */
  async end(id: string, owner: string): Promise<void> {
    const { state } = this.#parts;
    if ((await state.jobs.end(id, owner, this.#expiry())) === 'cancelled') this.#running.get(id)?.abort();
    this.changes.ring(id);
    void this.webhooks.wake(id);
  }

  /** Takes what waits, as long as there is room. */
  async look(): Promise<void> {
    if (this.#looking) return;
    this.#looking = true;
    try {
      while (this.#hasRoom()) {
        const claimed = await this.#parts.state.jobs.claim(LEASE_MS);
        if (claimed === undefined) break;
        const over = this.#perform(claimed);
        this.#over.add(over);
        void over.finally(() => this.#over.delete(over));
      }
    } catch (error) {
      this.#parts.log.warn('jobs could not be looked for', { error });
    } finally {
      this.#looking = false;
    }
  }

  /** No more is begun, and whoever waits for a job is told how it stands. */
  stop(): void {
    for (const timer of this.#timers) clearInterval(timer);
    this.#stopping.abort();
  }

  /** What is still at work goes back to those who wait. */
  async close(): Promise<void> {
    this.stop();
    for (const running of this.#running.values()) running.abort();
    await Promise.all(this.#over);
    await this.webhooks.close();
  }

  #hasRoom(): boolean {
    return (
      !this.#stopping.signal.aborted && this.#running.size + this.#extra < this.#parts.config.jobs.atOnce
    );
  }

  #expiry(): Date {
    return new Date(Date.now() + this.#parts.config.jobs.keptMs);
  }

  async #perform(claimed: ClaimedJob): Promise<void> {
    const { job, lease } = claimed;
    const { state, log } = this.#parts;
    const gone = new AbortController();
    this.#running.set(job.id, gone);
    const renewal = setInterval(() => {
      state.jobs.renew(lease, LEASE_MS).then(
        (held) => held || gone.abort(),
        (error) => log.warn('the lease of a job was not renewed', { jobId: job.id, error }),
      );
    }, RENEW_MS);
    renewal.unref();
    this.changes.ring(job.id);
    try {
      await performJob(claimed, this.#parts, {
        signal: gone.signal,
        isStopping: () => this.#stopping.signal.aborted,
        expiry: () => this.#expiry(),
        changed: () => this.changes.ring(job.id),
        spare: () => this.#spare(),
      });
    } catch (error) {
      // Its lease runs out, and it is run again.
      log.error('a job could not be ended', { jobId: job.id, error });
    } finally {
      clearInterval(renewal);
      this.#running.delete(job.id);
      this.changes.ring(job.id);
      void this.webhooks.wake(job.id);
      void this.look();
    }
  }

  /** A further place, where one is free now and nobody waits for it; to be given back. */
  #spare(): (() => void) | undefined {
    if (this.#looking || !this.#hasRoom()) return undefined;
    this.#extra += 1;
    return () => {
      this.#extra -= 1;
      void this.look();
    };
  }

  async #count(): Promise<void> {
    this.counts = await this.#parts.state.jobs.counts().catch(() => this.counts);
  }
}

const noRoom = (): Problem =>
  new Problem('insufficient_storage', 'The jobs of this service take as much room as they may.', {
    hint: 'Delete jobs whose results you have, or send the call again after the seconds given in Retry-After.',
  });
