// Asynchronous calls behind the port: accepted once, run by whichever process has room, their answers kept until they
// expire. What is asked and what came of it are the callers' matter: here both are plain data and bytes.
import type { NewStoredResponse, StoredBytes, StoredResponse } from './stored.ts';

export const JOB_STATUSES = ['queued', 'running', 'succeeded', 'failed', 'cancelled'] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

export interface JobProgress {
  /** The step at work, counted from 1; 0 while it waits. */
  step: number;
  of: number;
  /** Of the whole, from 0 to 1. */
  done: number;
  message: string;
}

/** What was told of the progress of a job, under the version that the job had then. */
export interface ProgressWord {
  version: number;
  progress: JobProgress;
}

/** So many words of progress are known of a job, the last ones, so that whoever was cut off can be told what they missed. */
export const MOST_WORDS = 1000;
/** They are known so long after the job has ended; its end itself is known as long as the job is. */
export const WORDS_KEPT_MS = 10 * 60 * 1000;

export type PlainObject = Readonly<Record<string, unknown>>;

export interface StoredJob {
  id: string;
  owner: string;
  status: JobStatus;
  /** Rises from job to job, whoever's they are. */
  sequence: number;
  /** Rises with each change of the job. */
  version: number;
  /** What it is to do, as its owner may see it. */
  about: PlainObject;
  progress: JobProgress | null;
  /** What came of it, as its owner may see it. */
  outcome: PlainObject | null;
  createdAt: Date;
  startedAt: Date | null;
  finishedAt: Date | null;
  /** Null while it is not finished. */
  expiresAt: Date | null;
}

/** What a job needs to be run: bytes in the pieces they came in, or a file, which may be removed afterwards but not changed. */
export type JobPart = { chunks: readonly Uint8Array[] } | { path: string; size: number };

export interface NewJob {
  id: string;
  owner: string;
  about: PlainObject;
  parts: readonly JobPart[];
  /** What it is expected to bring besides, when it is run. */
  laterBytes?: number;
}

/** Jobs that an owner may have, and the room of all owners together, of which one may take his share. */
export interface JobCaps {
  jobs: number;
  storageBytes: number;
}

export interface ClaimedJob {
  job: StoredJob;
  lease: string;
  /** How often it was begun, this time counted; not where it was given back. */
  attempt: number;
  parts: StoredBytes[];
}

/** A job that nobody could run for so long is given up. */
export const JOB_PATIENCE_MS = 7 * 24 * 3600 * 1000;

/** What a job that is not finished counts against the room: its files, and as much again for what will come of them. */
export const reservedBytes = (fileBytes: number): number => LEAST_JOB_BYTES + 2 * fileBytes;
/** Also the smallest job takes some room. */
export const LEAST_JOB_BYTES = 4096;

/** Only the owner sees a job: for anyone else it does not exist. */
export interface Jobs {
  /**
   * Counts, reserves and queues in one step. Where the owner has a job of this id already, it is that one. Answers are
   * kept whatever room they take: it is new jobs that are refused.
   */
  accept(job: NewJob, caps: JobCaps): Promise<StoredJob | 'insufficient_storage'>;
  /**
   * The next job to be run: owners take turns, whoever has fewest running goes first, each owner's own keep their
   * order. The holder of the lease ends it by `finish` or `giveBack`; one that is neither renewed nor ended by then is
   * queued again.
   */
  claim(leaseMs: number): Promise<ClaimedJob | undefined>;
  /** False: the lease is lost, or the job was cancelled. */
  renew(lease: string, leaseMs: number): Promise<boolean>;
  /** Words of progress in their order, each a version of its own; false as above. */
  note(lease: string, words: readonly JobProgress[]): Promise<boolean>;
  /** What was told after a version, oldest first; nothing of what was told before the job was queued again. */
  wordsAfter(job: StoredJob, version: number): Promise<ProgressWord[]>;
  /** Keeps the answer until `expiresAt`; false as above. */
  finish(
    lease: string,
    end: { status: 'succeeded' | 'failed'; outcome: PlainObject; response: NewStoredResponse },
    expiresAt: Date,
  ): Promise<boolean>;
  /** Queued again, not to be run before then; the attempt does not count. */
  giveBack(lease: string, notBefore: Date): Promise<void>;
  get(id: string, owner: string): Promise<StoredJob | undefined>;
  /** Newest first, those before one. */
  list(owner: string, most: number, before?: number): Promise<StoredJob[]>;
  /** Of a job that succeeded or failed. */
  responseOf(job: StoredJob): Promise<StoredResponse | undefined>;
  /** What is not finished is cancelled and known as such until `expiresAt`; what is finished is gone. */
  end(id: string, owner: string, expiresAt: Date): Promise<'cancelled' | 'removed' | 'gone'>;
  counts(): Promise<Record<JobStatus, number>>;
}
