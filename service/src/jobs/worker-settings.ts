// What the pool of workers is told, and how long it waits for what.
import type { IsolationLevel } from './isolation.ts';

export interface WorkerPoolSettings {
  count: number;
  memoryBytes: number;
  jobsEach: number;
  isolation: IsolationLevel;
  logLevel: string;
  dataDir: string;
  fontDir?: string | null;
  /** Whether a worker that has seen a document of one key sees none of another. */
  workerPerKey?: boolean;
  times?: Partial<Times>;
}

export interface Times {
  /** Between looks at memory and rest. */
  sampleMs: number;
  /** Between looks at how near busy workers are to their memory limit. */
  memoryLookMs: number;
  /** Before another try, when a worker did not come up; doubled with each failure. */
  restartPauseMs: number;
  /** A worker that is not up after so long is given up. */
  startLimitMs: number;
  /** Without any worker for so long, the pool says that it cannot work. */
  patienceMs: number;
  /** Quiet after which spare workers go, and one that has grown makes way. */
  restMs: number;
  /** The same for one that keeps a heavy engine running: starting it takes seconds. */
  warmRestMs: number;
}

export const TIMES: Times = {
  sampleMs: 1000,
  memoryLookMs: 100,
  restartPauseMs: 1000,
  startLimitMs: 60_000,
  patienceMs: 10_000,
  restMs: 60_000,
  warmRestMs: 180_000,
};
