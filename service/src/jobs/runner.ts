// What the API asks of whoever runs jobs: the pool of this machine, or later a queue of many.
import type { EngineStates } from '../engines/engines.ts';
import type { Job, JobOutcome } from './job.ts';
import type { Workspace } from './workspace.ts';

export interface PoolLoad {
  workers: number;
  busy: number;
  waiting: number;
  restarts: number;
  workerRssBytes: number;
}

export interface Runner {
  /**
   * Queues and runs a job. Rejects with a Problem: unavailable (queue full, no worker), deadline_exceeded,
   * memory_exceeded, internal; with AbortError when the signal fires. The work is then killed, whatever it was doing.
   */
  run(job: Job, workspace: Workspace, signal: AbortSignal): Promise<JobOutcome>;
  /** What the workers found on this machine; undefined until the first is up, and while none comes up. */
  engines(): EngineStates | undefined;
  load(): PoolLoad;
  close(): Promise<void>;
}
