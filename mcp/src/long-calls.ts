// Calls that may outlast the patience of an agent's host: they become jobs of the service, and who cannot wait for the
// end is given the job, to go on with by pdf_job. The words are those of the service's own /mcp.
import { statSync } from 'node:fs';
import { BinderyError, type CallOptions, type FileResult, type JobDocument } from '@bindery/sdk';
import { CATALOGUE, howToGoOn, JOB_WAIT_SECONDS } from '@bindery/sdk/catalogue';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { freePath, kept, type Place } from './kept-results.ts';
import type { Work } from './tool-calls.ts';
import { structured } from './tool-results.ts';

export interface ToolOptions extends CallOptions {
  signal: AbortSignal;
  /** How long the host waits for an answer. */
  patienceMs: number;
  /** The host is told of progress, and waits longer for it. */
  wantsProgress: boolean;
}

export interface LongCall extends Place {
  /** Paths of operations, to tell whether they may take long. */
  operations: readonly string[];
  files: readonly string[];
  begin(options: CallOptions): Promise<JobDocument>;
  call(options: CallOptions): Promise<FileResult>;
}

/** Of the host's patience, what is thought to be short may take so much; then it is begun anew as a job. */
const SHARE_OF_SHORT_CALLS = 1 / 3;
const LEAST_MS = 1000;
const LARGE_BYTES = 1024 ** 2;
/** They look at what is there, or arrange it anew; whatever draws, prints or recognises takes its time. */
const QUICK_GROUPS: readonly string[] = ['analysis', 'filter', 'form', 'general'];

function mayTakeLong({ operations, files }: LongCall): boolean {
  const quick = operations.every(
    (path) => Object.hasOwn(CATALOGUE, path) && QUICK_GROUPS.includes(path.split('/')[0] ?? ''),
  );
  return !quick || files.reduce((sum, path) => sum + statSync(path).size, 0) > LARGE_BYTES;
}

/** Where results of jobs of this process are to go. */
const places = new Map<string, Place>();
const MOST_PLACES = 10_000;

/** `atOnce`: the agent wants the job and does not wait. */
export async function runCall(
  work: Work,
  call: LongCall,
  options: ToolOptions,
  atOnce = false,
): Promise<CallToolResult> {
  const { operation, input, target } = call;
  const place = { operation, input, target };
  const begunAt = Date.now();
  const short =
    atOnce || options.wantsProgress || mayTakeLong(call) ? undefined : await shortCall(call, options);
  if (short) return kept(work.folders, place, short);
  const job = await call.begin(options);
  if (places.size >= MOST_PLACES) places.delete(places.keys().next().value ?? '');
  places.set(job.id, place);
  try {
    const leftMs = options.patienceMs - (Date.now() - begunAt);
    return await told(work, await waited(work, job, atOnce ? 0 : leftMs, options), place);
  } catch (error) {
    // Nobody is left who would ask for it.
    if (options.signal.aborted) await removed(work, job.id);
    throw error;
  }
}

/** Undefined where it takes too long: it is ended then. */
async function shortCall(call: LongCall, options: ToolOptions): Promise<FileResult | undefined> {
  const bound = AbortSignal.timeout(Math.max(LEAST_MS, options.patienceMs * SHARE_OF_SHORT_CALLS));
  try {
    return await call.call({ ...options, signal: AbortSignal.any([options.signal, bound]) });
  } catch (error) {
    if (options.signal.aborted || !bound.aborted) throw error;
    return undefined;
  }
}

/** The job once it has ended, or as it stands when patience does. */
async function waited(
  { bindery }: Work,
  job: JobDocument,
  patienceMs: number,
  { signal, onProgress }: ToolOptions,
): Promise<JobDocument> {
  if (patienceMs <= 0) return bindery.jobs.get(job.id, { signal });
  const over = AbortSignal.timeout(patienceMs);
  let known = job;
  try {
    for await (const next of bindery.jobs.events(job.id, { signal: AbortSignal.any([signal, over]) })) {
      known = next;
      onProgress?.({ sentBytes: 0, totalBytes: 0, work: next.progress });
    }
    // Events end with the job; of one that had ended there are none.
    return isFinished(known) ? known : await bindery.jobs.get(job.id, { signal });
  } catch (error) {
    if (signal.aborted || !over.aborted) throw error;
    return known;
  }
}

const isFinished = ({ status }: JobDocument): boolean => status !== 'queued' && status !== 'running';

/** What came of a job that has ended, as the call itself would have told it; else the job, and how to go on. */
async function told(work: Work, job: JobDocument, place: Place): Promise<CallToolResult> {
  const { id, status } = job;
  if (!isFinished(job)) {
    const { done, message } = job.progress;
    const next = howToGoOn(id);
    return structured({
      operation: place.operation,
      kind: 'job',
      job: { job_id: id, status, done, message, next },
    });
  }
  const result = await work.bindery.jobs.result(id).catch(async (error: unknown) => {
    // A failure is told once; only what may still be fetched is kept.
    if (status === 'failed' || (error as BinderyError).code === 'no_content') await removed(work, id);
    throw error;
  });
  const answer = await kept(work.folders, place, result);
  await removed(work, id);
  return answer;
}

async function removed({ bindery }: Work, id: string): Promise<void> {
  places.delete(id);
  // Otherwise it goes by itself, after a day.
  await bindery.jobs.cancel(id).catch(() => {});
}

const WAIT = `must be a whole number from 0 to ${JOB_WAIT_SECONDS.most}`;

export const JOB = z.object({
  job_id: z.string('must be text').min(1, 'must be text').max(128, 'must be the id of a job'),
  wait_seconds: z.int(WAIT).min(0, WAIT).max(JOB_WAIT_SECONDS.most, WAIT).default(JOB_WAIT_SECONDS.usual),
  cancel: z.boolean('must be true or false').optional(),
  output_name: z.string('must be a path').min(1, 'must be a path').optional(),
});

/** pdf_job. */
export async function goOn(
  work: Work,
  { job_id: id, wait_seconds, cancel, output_name }: z.output<typeof JOB>,
  options: ToolOptions,
): Promise<CallToolResult> {
  const target = output_name === undefined ? undefined : freePath(work.folders.output(output_name));
  const job = await work.bindery.jobs.get(id, { signal: options.signal });
  if (cancel) {
    await work.bindery.jobs.cancel(id);
    places.delete(id);
    return structured({ operation: 'pdf_job', kind: 'none', text: 'The job is cancelled or removed.' });
  }
  const known = places.get(id) ?? {
    operation: job.operation ?? 'pipeline',
    input: undefined,
    target: undefined,
  };
  const patienceMs = Math.min(wait_seconds * 1000, options.patienceMs);
  const waitedFor = isFinished(job) ? job : await waited(work, job, patienceMs, options);
  if (waitedFor.status === 'cancelled')
    throw new BinderyError('The job was cancelled: it has no result.', {
      ...{ code: 'not_found', reason: 'job_not_found' },
      hint: 'Call the operation again.',
    });
  return told(work, waitedFor, target === undefined ? known : { ...known, target });
}
