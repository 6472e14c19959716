// Calls that may outlast the patience of whoever asks: they become jobs of the service, and who cannot wait for the end
// is given the job, to go on with by pdf_job.
import type { CallToolResult } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { MIB } from '../../contract/limits.ts';
import { Problem, type ProblemData } from '../../contract/problems.ts';
import type { Job } from '../../jobs/job.ts';
import type { Workspace } from '../../jobs/workspace.ts';
import { OPERATIONS } from '../../operations/index.generated.ts';
import type { StoredJob } from '../../state/jobs.ts';
import { newName } from '../../state/new-name.ts';
import { isFinished } from '../background/changes.ts';
import { aboutOf, jobDocument } from '../background/job-document.ts';
import { type LaterFilesOf, partsOf } from '../background/stored-call.ts';
import { howToGoOn, JOB_WAIT_SECONDS } from '../catalogue-entry.ts';
import type { Answer } from '../rest/answer.ts';
import { jobNotFound } from '../rest/routes/jobs.ts';
import type { UploadClaims } from '../rest/upload-claims.ts';
import type { CallContext } from './caller.ts';
import { type Run, text, tool, whole } from './checked-tool.ts';
import { resultOf, structuredResult } from './tool-results.ts';

/** Clients give up after a minute unless they are told of progress: then they wait this much longer. */
const LONGER_WITH_PROGRESS = 5;
/** Of this time, what is thought to be short may take so much; then it is begun anew as a job. */
const SHARE_OF_SHORT_CALLS = 1 / 3;
/** Larger documents may take a while in any operation. */
const LARGE_BYTES = MIB;
/** What recognises, prints or draws anew takes its time. */
const SLOW: ReadonlySet<string> = new Set(['tesseract', 'office', 'browser', 'ghostscript', 'calibre']);

const isSlow = ({ op }: Job['steps'][number]): boolean =>
  OPERATIONS[op]?.pages !== undefined || (OPERATIONS[op]?.uses ?? []).some((engine) => SLOW.has(engine));

/** Whether it might take longer than a client waits. */
export const mayTakeLong = ({ steps, files }: Job): boolean =>
  steps.some(isSlow) || files.reduce((sum, { size }) => sum + size, 0) > LARGE_BYTES;

/** How long a call that is thought to be short may take before it becomes a job, whatever it does. */
export const shortCallMs = ({ parts }: CallContext): number =>
  parts.config.jobs.patienceMs * SHARE_OF_SHORT_CALLS;

const patienceMsOf = ({ parts, wantsProgress }: CallContext): number =>
  parts.config.jobs.patienceMs * (wantsProgress ? LONGER_WITH_PROGRESS : 1);

export interface LongCall {
  job: Job;
  claims: UploadClaims;
  workspace: Workspace;
  /** Files that are fetched when it is run. */
  addresses: LaterFilesOf;
  /** When whoever asks began to wait. */
  begunAt: number;
}

/** `atOnce`: whoever asked wants the job and does not wait. */
export async function runAsJob(
  context: CallContext,
  { job, claims, workspace, addresses, begunAt }: LongCall,
  outputName: string | undefined,
  atOnce: boolean,
): Promise<CallToolResult> {
  const { parts, key, signal } = context;
  const [id, owner] = [newName(), key.id];
  const call = { job, headers: {}, uploads: claims.claimed, delivery: {}, batch: false };
  const about = aboutOf(job, false);
  const stored = partsOf(call, addresses, workspace);
  const accepted = await parts.background.accept({ id, owner, about, ...stored });
  // The job has bytes of its own; the upload itself is used up when that succeeds.
  await claims.release();
  try {
    const leftMs = Math.max(0, patienceMsOf(context) - (Date.now() - begunAt));
    const ended = await waitedFor(context, accepted, atOnce ? 0 : leftMs);
    signal.throwIfAborted();
    const told = await toldOf(context, ended, workspace, outputName);
    if (isFinished(ended)) await parts.background.end(id, owner);
    return told;
  } catch (error) {
    await parts.background.end(id, owner);
    throw error;
  }
}

/** The job once it has ended, or as it stands when patience does. */
async function waitedFor(context: CallContext, job: StoredJob, ms: number): Promise<StoredJob> {
  const { background } = context.parts;
  const over = AbortSignal.any([AbortSignal.timeout(ms), context.signal, background.stopping]);
  let known = job;
  while (!isFinished(known) && !over.aborted) {
    const next = await background.changes.since(job.id, job.owner, known.version, over);
    if (next === undefined) throw jobNotFound();
    known = next;
    const { progress } = jobDocument(known) as { progress: { done: number; message: string } };
    context.progress(progress.message, progress.done);
  }
  return known;
}

/** What came of a job that has ended, as the call itself would have told it; else the job, and how to go on. */
async function toldOf(
  context: CallContext,
  job: StoredJob,
  workspace: Workspace,
  outputName: string | undefined,
): Promise<CallToolResult> {
  const { about, id, status } = job;
  const operation = typeof about.operation === 'string' ? about.operation : 'pipeline';
  if (!isFinished(job)) {
    const { progress } = jobDocument(job) as { progress: { done: number; message: string } };
    const next = howToGoOn(id);
    const { done, message } = progress;
    return structuredResult({ operation, kind: 'job', job: { job_id: id, status, done, message, next } });
  }
  if (status === 'cancelled') throw new Problem('job_not_found', 'The job was cancelled: it has no result.');
  const problem = job.outcome?.problem as ProblemData | undefined;
  if (problem) {
    const { reason, detail, hint, step, op, file } = problem;
    throw Problem.fromData({
      ...{ reason, detail, ...(hint === undefined ? {} : { hint }) },
      ...{ ...(step === undefined ? {} : { step }), ...(op === undefined ? {} : { op }) },
      ...(file === undefined ? {} : { file }),
    });
  }
  return resultOf(context, operation, await answerOfJob(context, job, workspace), outputName);
}

async function answerOfJob({ parts }: CallContext, job: StoredJob, workspace: Workspace): Promise<Answer> {
  const response = await parts.state.jobs.responseOf(job);
  if (response === undefined) throw jobNotFound();
  const { status, headers, body } = response;
  if (body === null || 'bytes' in body) return { status, headers, body };
  const path = workspace.path(workspace.newFile());
  await body.stored.bringTo(path);
  return { status, headers, body: { path, size: body.stored.size } };
}

const JOB = z.object({
  job_id: text(1, 128),
  wait_seconds: whole(0, JOB_WAIT_SECONDS.most).default(JOB_WAIT_SECONDS.usual),
  cancel: z.boolean('must be true or false').optional(),
  output_name: text(1, 250).optional(),
});

const job = tool(JOB, async (context, { job_id: id, wait_seconds, cancel, output_name }) => {
  const { parts, key } = context;
  const found = await parts.state.jobs.get(id, key.id);
  if (found === undefined) throw jobNotFound();
  if (cancel) {
    await parts.background.end(id, key.id);
    return structuredResult({ operation: 'pdf_job', kind: 'none', text: 'The job is cancelled or removed.' });
  }
  const workspace = parts.workspaces.create();
  try {
    return await toldOf(
      context,
      await waitedFor(context, found, wait_seconds * 1000),
      workspace,
      output_name,
    );
  } finally {
    await workspace.remove();
  }
});

export const JOB_TOOLS: Readonly<Record<string, Run>> = { pdf_job: job };
