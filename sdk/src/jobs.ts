// Asynchronous calls: begun, followed, fetched, cancelled.
import { type BatchWork, batchCall } from './batches.ts';
import type { Call } from './calls.ts';
import type { Connection } from './connection.ts';
import { BinderyError, clientError, noContent } from './errors.ts';
import { isFinished, type JobDocument, jobIn, jobPath } from './job-documents.ts';
import { jobEvents } from './job-events.ts';
import { listOf, operationCall } from './operation-calls.ts';
import { type PipelineStep, pipelineCall } from './pipeline.ts';
import { CALL_REPEATS, type CallLimits, callLimits, type Repeats, requested } from './requests.ts';
import { FileResult, jsonOf } from './results.ts';
import type { CallOptions, FileSource } from './types.ts';

export interface JobList {
  /** Newest first. */
  jobs: JobDocument[];
  /** For the next page; null: it was the last. */
  nextCursor: string | null;
}

/** Sends a call without waiting for what comes of it. */
export type Begin = (call: Call, options: CallOptions) => Promise<JobDocument>;

export class Jobs {
  private readonly connection: Connection;
  private readonly timeoutMs: number;
  private readonly repeats: Repeats;
  private readonly begin: Begin;

  constructor(connection: Connection, timeoutMs: number, retries: number, begin: Begin) {
    this.connection = connection;
    this.timeoutMs = timeoutMs;
    this.repeats = { ...CALL_REPEATS, retries };
    this.begin = begin;
  }

  /** Sends a call that goes on whether or not anybody waits for it. */
  async start(
    path: string,
    files: Record<string, FileSource | readonly FileSource[]>,
    params: Record<string, unknown> = {},
    options: CallOptions = {},
  ): Promise<JobDocument> {
    return this.begin(operationCall(path, files, params), options);
  }

  /** As `start`, for several operations in one request. */
  async startPipeline(
    fileInput: FileSource | readonly FileSource[],
    steps: readonly PipelineStep[],
    options: CallOptions = {},
  ): Promise<JobDocument> {
    return this.begin(pipelineCall(listOf(fileInput), steps), options);
  }

  /** As `start`, the same for each of many files: one job, whose result is a ZIP. */
  async startBatch(
    fileInput: FileSource | readonly FileSource[],
    work: BatchWork,
    options: CallOptions = {},
  ): Promise<JobDocument> {
    return this.begin(batchCall(fileInput, work), options);
  }

  /** How a job stands. */
  async get(id: string, options: CallOptions = {}): Promise<JobDocument> {
    const limits = this.limits(options);
    return jobIn(await this.json(jobPath(id), limits));
  }

  /** The jobs of this key, newest first, a page at a time. */
  async list({
    limit,
    cursor,
    ...options
  }: CallOptions & { limit?: number; cursor?: string } = {}): Promise<JobList> {
    const query = new URLSearchParams();
    if (limit !== undefined) query.set('limit', String(limit));
    if (cursor !== undefined) query.set('cursor', cursor);
    const page = await this.json(`jobs${query.size > 0 ? `?${query}` : ''}`, this.limits(options));
    const { jobs, nextCursor } = page as { jobs?: unknown; nextCursor?: unknown };
    if (!Array.isArray(jobs)) throw clientError('bad_response', 'The list of jobs cannot be understood.');
    return { jobs: jobs.map(jobIn), nextCursor: typeof nextCursor === 'string' ? nextCursor : null };
  }

  /** The job whenever it has changed, the last time when it has ended. Reconnects by itself; no time limit of its own. */
  events(
    id: string,
    { signal, timeoutMs = 0 }: CallOptions = {},
  ): AsyncGenerator<JobDocument, void, undefined> {
    return jobEvents(this.connection, id, callLimits(timeoutMs, signal));
  }

  /** The job once it has ended; no time limit unless one is given. */
  wait(id: string, options: CallOptions = {}): Promise<JobDocument> {
    return ended(
      this.connection,
      id,
      callLimits(options.timeoutMs ?? 0, options.signal),
      this.repeats,
      options,
    );
  }

  /** What came of it, once it has ended: a job that failed throws what the call itself would have thrown. */
  async result(id: string, options: CallOptions = {}): Promise<FileResult> {
    const limits = callLimits(options.timeoutMs ?? 0, options.signal);
    await ended(this.connection, id, limits, this.repeats, options);
    return new FileResult(await resultOf(this.connection, id, limits, this.repeats), limits.failure);
  }

  /** Cancels a job that is not finished, removes one that is; also where it is gone already. */
  async cancel(id: string, options: CallOptions = {}): Promise<void> {
    const send = (signal: AbortSignal) => this.connection.send(jobPath(id), { method: 'DELETE', signal });
    await requested(send, this.limits(options), this.repeats);
  }

  private limits({ timeoutMs = this.timeoutMs, signal }: CallOptions): CallLimits {
    return callLimits(timeoutMs, signal);
  }

  private async json(path: string, limits: CallLimits): Promise<object> {
    const send = (signal: AbortSignal) => this.connection.send(path, { signal });
    return jsonOf<object>(await requested(send, limits, this.repeats), limits.failure);
  }
}

/** Follows a job to its end. */
async function ended(
  connection: Connection,
  id: string,
  limits: CallLimits,
  repeats: Repeats,
  { onProgress }: CallOptions,
): Promise<JobDocument> {
  for await (const job of jobEvents(connection, id, limits)) {
    onProgress?.({ sentBytes: 0, totalBytes: 0, work: job.progress });
    if (isFinished(job)) return job;
  }
  // The end was seen by somebody before: there are no more events.
  const send = (signal: AbortSignal) => connection.send(jobPath(id), { signal });
  return jobIn(await jsonOf(await requested(send, limits, repeats), limits.failure));
}

async function resultOf(
  connection: Connection,
  id: string,
  limits: CallLimits,
  repeats: Repeats,
): Promise<Response> {
  const send = (signal: AbortSignal) => connection.send(`${jobPath(id)}/result`, { signal });
  const response = await requested(send, limits, repeats).catch((error: unknown) => {
    // A job that was cancelled has no answer of its own.
    if (error instanceof BinderyError && error.reason === 'job_not_found')
      throw clientError('cancelled', 'The job was cancelled or removed: it has no result.', error);
    throw error;
  });
  if (response.status === 204) throw noContent(response);
  return response;
}

/** The answer of a call that became a job. Whoever gives the call up gives up the job. */
export async function answerOfJob(
  connection: Connection,
  accepted: Response,
  limits: CallLimits,
  repeats: Repeats,
  options: CallOptions,
): Promise<Response> {
  const job = jobIn(await jsonOf(accepted, limits.failure));
  options.onJob?.(job);
  try {
    await ended(connection, job.id, limits, repeats, options);
    return await resultOf(connection, job.id, limits, repeats);
  } catch (error) {
    if (options.signal?.aborted) {
      const signal = AbortSignal.timeout(5000);
      await connection.send(jobPath(job.id), { method: 'DELETE', signal }).catch(() => {});
    }
    throw error;
  }
}
