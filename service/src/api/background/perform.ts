// One asynchronous call, run as any call is: what comes of it is the very answer that would have been sent.
import { setTimeout as pause } from 'node:timers/promises';
import { Problem } from '../../contract/problems.ts';
import type { Job } from '../../jobs/job.ts';
import type { Workspace } from '../../jobs/workspace.ts';
import type { ClaimedJob, JobProgress, PlainObject } from '../../state/jobs.ts';
import { type Answer, answerOf, answerOfProblem } from '../rest/answer.ts';
import { deliverResult } from '../rest/result-address.ts';
import type { BackgroundParts } from './background-parts.ts';
import { outcomeOfAnswer, outcomeOfProblem, progressAt } from './job-document.ts';
import { callOf, type StoredCall } from './stored-call.ts';

/** A job that ended its process so often is the reason. */
const MOST_ATTEMPTS = 3;
/** Where nobody knows the time better. */
const AGAIN_AFTER_MS = 5000;
const FINISH_TRIES = 10;
const FINISH_PAUSE_MS = 1000;

export interface Performing {
  /** Fires when the job is cancelled or taken over, and when the service stops. */
  signal: AbortSignal;
  isStopping(): boolean;
  expiry(): Date;
  changed(): void;
  /** A further place to work in, where one is free; to be given back. */
  spare(): (() => void) | undefined;
}

interface Ended {
  status: 'succeeded' | 'failed';
  outcome: PlainObject;
  answer: Answer;
}

export async function performJob(
  claimed: ClaimedJob,
  parts: BackgroundParts,
  performing: Performing,
): Promise<void> {
  const { state, workspaces, log } = parts;
  const { job, lease } = claimed;
  const workspace = workspaces.create();
  let headers: StoredCall['headers'] = {};
  try {
    await requireHope(claimed, parts);
    const call = await callOf(claimed.parts, workspace);
    headers = call.headers;
    const ended = await run(call, claimed, workspace, parts, performing);
    await finish(ended);
    for (const id of call.uploads) await state.uploads.drop(id, job.owner);
  } catch (error) {
    // Cancelled, or another runs it now.
    if (performing.signal.aborted && !performing.isStopping()) return;
    const problem = Problem.from(error);
    if (performing.isStopping() || isPassing(problem)) {
      log.info('a job goes back to wait', { jobId: job.id, reason: problem.reason });
      const { retryAfterSeconds } = problem.options;
      const waitMs = retryAfterSeconds === undefined ? AGAIN_AFTER_MS : retryAfterSeconds * 1000;
      await state.jobs.giveBack(lease, new Date(Date.now() + (performing.isStopping() ? 0 : waitMs)));
      return;
    }
    if (problem.status >= 500)
      log.error('a job failed', { jobId: job.id, detail: problem.detail, cause: problem.options.cause });
    const outcome = outcomeOfProblem(problem.toData());
    await finish({ status: 'failed', outcome, answer: answerOfProblem(problem, headers) });
  } finally {
    await workspace.remove();
  }

  /** What was made is not lost because the state does not answer for a moment. */
  async function finish({ status, outcome, answer }: Ended): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      try {
        await state.jobs.finish(lease, { status, outcome, response: answer }, performing.expiry());
        return;
      } catch (error) {
        if (tries === FINISH_TRIES || performing.signal.aborted) throw error;
        log.warn('the answer of a job was not kept yet', { jobId: job.id, error });
        await pause(FINISH_PAUSE_MS);
      }
    }
  }
}

async function requireHope({ job, attempt }: ClaimedJob, { state }: BackgroundParts): Promise<void> {
  if (attempt > MOST_ATTEMPTS)
    throw new Problem('internal', `The service ended ${MOST_ATTEMPTS} times while it was at this job.`);
  if (!(await state.keys.isLive(job.owner)))
    throw new Problem('forbidden', 'The API key of this job was revoked or has expired.');
}

/** A fault of the moment is no answer: the call was accepted. */
const isPassing = ({ reason }: Problem): boolean =>
  reason === 'unavailable' || reason === 'insufficient_storage';

async function run(
  { job, headers, delivery }: StoredCall & { job: Job },
  { job: stored, lease }: ClaimedJob,
  workspace: Workspace,
  { runner, state, config, outbound, log }: BackgroundParts,
  { signal, changed }: Performing,
): Promise<Ended> {
  const { owner } = stored;
  const of = job.steps.length;
  let step = 0;
  const note = noting(async (progress) => {
    await state.jobs.note(lease, progress);
    changed();
  });
  const outcome = await runner.run(job, workspace, {
    owner,
    signal,
    deadlineMs: config.jobs.deadlineMs,
    onStep: (begun) => {
      step = begun;
      note.tell(progressAt(step, of, 0, 0));
    },
    onProgress: (done, pages) => note.tell(progressAt(step, of, done, pages)),
  });
  await note.settled().catch((error) => log.debug('progress was not noted', { error }));
  const made = answerOf(outcome, workspace);
  const told = { ...made, headers: { ...made.headers, ...headers } };
  const { resultUrl } = delivery;
  const answer =
    resultUrl === undefined ? told : await deliverResult({ outbound, owner, signal }, resultUrl, told);
  return { status: 'succeeded', outcome: outcomeOfAnswer(answer), answer };
}

/** One at a time; what comes meanwhile is replaced by what comes later. */
export function noting(write: (progress: JobProgress) => Promise<void>) {
  let next: JobProgress | undefined;
  let writing: Promise<void> | undefined;
  const work = async (): Promise<void> => {
    for (let told = next; told; told = next) {
      next = undefined;
      await write(told).catch(() => {});
    }
    writing = undefined;
  };
  return {
    tell(progress: JobProgress): void {
      next = progress;
      writing ??= work();
    },
    settled: async (): Promise<void> => writing,
  };
}
