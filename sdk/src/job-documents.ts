// An asynchronous call as the service tells of it, held against what it promises.
import { clientError, type ProblemDocument } from './errors.ts';
import { plainLine } from './plain-words.ts';

export type JobStatus = 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled';

export interface JobProgress {
  /** The step at work, from 1; 0 while it waits. */
  step: number;
  of: number;
  /** Of the whole, from 0 to 1. */
  done: number;
  message: string;
}

/** How telling `webhookUrl` of the end stands. */
export interface JobWebhook {
  /** The address without its query. */
  url: string;
  status: 'waiting' | 'delivered' | 'given_up';
  /** The last 20; no status where nothing was answered. */
  attempts: readonly { at: string; status: number | null; problem?: string }[];
  nextAttemptAt: string | null;
}

export interface JobDocument {
  id: string;
  status: JobStatus;
  /** The operation; absent for a pipeline, which has `steps`. */
  operation?: string;
  steps?: readonly string[];
  /** Of a batch: how many files it has. */
  files?: number;
  progress: JobProgress;
  createdAt: string;
  startedAt: string | null;
  finishedAt: string | null;
  /** Until when it and its result are kept; null while it is not finished. */
  expiresAt: string | null;
  result?: { filename: string | null; mediaType: string | null; size: number; href: string };
  problem?: ProblemDocument;
  /** In the job itself (`jobs.get`), not in lists and events. */
  webhook?: JobWebhook;
}

const STATUSES: readonly unknown[] = ['queued', 'running', 'succeeded', 'failed', 'cancelled'];
const FINAL: readonly JobStatus[] = ['succeeded', 'failed', 'cancelled'];

export const isFinished = ({ status }: JobDocument): boolean => FINAL.includes(status);

export const jobPath = (id: string): string => `jobs/${encodeURIComponent(id)}`;

const strange = () => clientError('bad_response', 'The job that was answered cannot be understood.');

export function jobIn(value: unknown): JobDocument {
  if (typeof value !== 'object' || value === null) throw strange();
  const job = value as Partial<JobDocument>;
  if (typeof job.id !== 'string' || !/^[\w-]{1,128}$/.test(job.id) || !STATUSES.includes(job.status))
    throw strange();
  return { ...(job as JobDocument), progress: progressIn(job.progress) };
}

const share = (value: unknown): number => (typeof value === 'number' && value >= 0 && value <= 1 ? value : 0);
const count = (value: unknown): number => (Number.isSafeInteger(value) ? Math.max(0, value as number) : 0);

function progressIn(value: unknown): JobProgress {
  const { step, of, done, message } = (value ?? {}) as Record<string, unknown>;
  return {
    step: count(step),
    of: Math.max(1, count(of)),
    done: share(done),
    message: typeof message === 'string' ? plainLine(message) : '',
  };
}
