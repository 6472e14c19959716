// A job on its way through the pool.
import type { EngineName } from '../engines/engines.ts';
import type { Job, JobOutcome, PartOutcome } from './job.ts';
import { enginesOf } from './job-rights.ts';
import type { PageFetches } from './page-fetches.ts';
import type { Queued } from './queue.ts';
import type { Caller } from './runner.ts';
import type { Workspace } from './workspace.ts';

export interface Task extends Queued {
  job: Job;
  workspace: Workspace;
  queuedAt: number;
  /** When a worker began with it; undefined while it waits. */
  startedAt: number | undefined;
  /** Ends it when it has waited, and then when it has worked, for too long. */
  limit: NodeJS.Timeout | undefined;
  /** How long it may work; undefined: as long as any. */
  deadlineMs: number | undefined;
  /** Whoever wants to know how far the step is. */
  onProgress: Caller['onProgress'] | undefined;
  /** The step of a pipeline that has begun. */
  step: number | undefined;
  /** Whoever wants to know that a worker has it. */
  onBegin: Caller['onBegin'] | undefined;
  /** Whoever wants to know of steps. */
  onStep: ((step: number) => void) | undefined;
  /** Engines its steps may start. */
  engines: readonly EngineName[];
  /** Ends what it asked of the outside. */
  gone: AbortController;
  /** Reports that were signed for it. */
  reports: number;
  /** What its page has loaded. */
  fetches: PageFetches;
  /** Parts of it that other workers do, by the number it asked under. */
  parts: Map<number, Task>;
  resolve(outcome: JobOutcome | PartOutcome): void;
  reject(reason: unknown): void;
}

export const newTask = (
  job: Job,
  workspace: Workspace,
  more: Pick<Task, 'owner' | 'estimateMs' | 'fetches' | 'resolve' | 'reject'> &
    Partial<Pick<Task, 'onBegin' | 'onStep' | 'onProgress' | 'deadlineMs'>>,
): Task => ({
  job,
  workspace,
  queuedAt: performance.now(),
  startedAt: undefined,
  limit: undefined,
  deadlineMs: undefined,
  onProgress: undefined,
  step: undefined,
  onBegin: undefined,
  onStep: undefined,
  reports: 0,
  engines: enginesOf(job),
  gone: new AbortController(),
  parts: new Map(),
  ...more,
});
