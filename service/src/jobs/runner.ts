// What the API asks of whoever runs jobs: the pool of this machine, or a queue of many.
import type { EngineStates } from '../engines/engines.ts';
import type { Job, JobOutcome } from './job.ts';
import type { WaitTimes } from './wait-times.ts';
import type { Workspace } from './workspace.ts';

export type { EngineStates } from '../engines/engines.ts';

export interface PoolLoad {
  workers: number;
  busy: number;
  waiting: number;
  restarts: number;
  workerRssBytes: number;
  /** How long jobs waited for a worker. */
  waits: WaitTimes;
  /** Workers ended at work, by why: the reason their caller was told, `left` where he had gone. */
  kills: Readonly<Record<string, number>>;
  /** How long the one that has waited longest has. */
  oldestSeconds: number;
  /** Jobs that are over, by what came of them: `made`, `nothing`, `left`, or the reason of a problem. */
  outcomes: Readonly<Record<string, number>>;
}

/** Who asks, and how long for. */
export interface Caller {
  /** The key: callers take turns. */
  owner: string;
  /** Fires when the caller is gone. */
  signal: AbortSignal;
  /** Told when the wait for a worker is over; of a job that is run again, each time. */
  onBegin?(): void;
  /** Told when a step of a pipeline begins, by its place among the steps; in a job that is run again, from the first on. */
  onStep?(step: number): void;
  /** Told how many pages, or files, of so many are done in the step at work. Absent: the worker tells nothing. */
  onProgress?(done: number, of: number): void;
  /** How long a worker may work on it; absent: as long as for any call. */
  deadlineMs?: number | undefined;
}

export interface Runner {
  /**
   * Throws what `run` would be refused with, as far as it can be told before the body of a request is read: a Problem
   * `unavailable`, with the time after which to try again.
   */
  requireRoom(owner: string, op: string, bytes: number): void;
  /**
   * Queues and runs a job. Rejects with a Problem: unavailable (queue full, no worker, waited too long),
   * deadline_exceeded, memory_exceeded, internal; with AbortError when the caller is gone. The work is then killed,
   * whatever it was doing.
   */
  run(job: Job, workspace: Workspace, caller: Caller): Promise<JobOutcome>;
  /** What the workers found on this machine; undefined until the first is up, and while none comes up. */
  engines(): EngineStates | undefined;
  load(): PoolLoad;
  close(): Promise<void>;
}
