// A job on its way through the pool.
import type { EngineName } from '../engines/engines.ts';
import type { Job, JobOutcome, PartOutcome } from './job.ts';
import { enginesOf } from './job-rights.ts';
import type { PageFetches } from './page-fetches.ts';
import type { Workspace } from './workspace.ts';

export interface Task {
  job: Job;
  workspace: Workspace;
  /** The step of a pipeline that has begun. */
  step: number | undefined;
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
  more: Pick<Task, 'fetches' | 'resolve' | 'reject'>,
): Task => ({
  job,
  workspace,
  step: undefined,
  reports: 0,
  engines: enginesOf(job),
  gone: new AbortController(),
  parts: new Map(),
  ...more,
});
