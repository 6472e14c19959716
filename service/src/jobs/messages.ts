// What travels between the API process and a worker.
import type { EngineStates } from '../engines/engines.ts';
import type { Job, JobOutcome } from './job.ts';

export type ToWorker = { kind: 'run'; job: Job; dir: string };

export type FromWorker =
  | { kind: 'ready'; engines: EngineStates }
  /** `retire`: the worker must not be given another job. */
  | { kind: 'done'; jobId: string; outcome: JobOutcome; madeDirectory: boolean; retire: boolean };
