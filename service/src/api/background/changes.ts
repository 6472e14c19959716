// Who waits for a job hears of its changes: at once where this process made them, else when it next looks.
import { EventEmitter, once } from 'node:events';
import type { Jobs, StoredJob } from '../../state/jobs.ts';

/** What other nodes change is seen after this time. */
const LOOK_EVERY_MS = 1000;

export class Changes {
  readonly #jobs: Jobs;
  readonly #bell = new EventEmitter().setMaxListeners(0);

  constructor(jobs: Jobs) {
    this.#jobs = jobs;
  }

  ring(id: string): void {
    this.#bell.emit(id);
  }

  /** The job once it differs from the version that is known, or when `signal` fires; undefined where it is gone. */
  async since(
    id: string,
    owner: string,
    version: number,
    signal: AbortSignal,
  ): Promise<StoredJob | undefined> {
    for (;;) {
      // Listened for before it is asked: nothing is missed in between.
      const over = new AbortController();
      const timer = setTimeout(() => over.abort(), LOOK_EVERY_MS);
      const end = () => over.abort();
      signal.addEventListener('abort', end, { once: true });
      const rung = once(this.#bell, id, { signal: over.signal }).catch(() => {});
      try {
        const job = await this.#jobs.get(id, owner);
        if (job === undefined || job.version !== version || signal.aborted) return job;
        await rung;
      } finally {
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        over.abort();
      }
    }
  }
}

export const isFinished = ({ finishedAt }: StoredJob): boolean => finishedAt !== null;
