// One asynchronous call, run as any call is: what comes of it is the very answer that would have been sent.
import { setTimeout as pause } from 'node:timers/promises';
import { Problem } from '../../contract/problems.ts';
import type { Job, JobFile } from '../../jobs/job.ts';
import type { Workspace } from '../../jobs/workspace.ts';
import { type ClaimedJob, type JobProgress, MOST_WORDS, type PlainObject } from '../../state/jobs.ts';
import { type Answer, answerOf, answerOfProblem } from '../rest/answer.ts';
import { deliverResult } from '../rest/result-address.ts';
import type { BackgroundParts } from './background-parts.ts';
import { runBatch } from './batch.ts';
import { outcomeOfAnswer, outcomeOfProblem, progressAt } from './job-document.ts';
import { withLaterFiles } from './later-files.ts';
import { callOf, type LaterFilesOf, type StoredCall } from './stored-call.ts';

/** A job that ended its process so often is the reason. */
const MOST_ATTEMPTS = 3;
/** Where nobody knows the time better. */
const AGAIN_AFTER_MS = 5000;
/** A disk that is full for so long may be so for this job alone. */
const DISK_MAY_BE_FULL_MS = 3600 * 1000;
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
    await finish(failedBy(problem, headers));
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
  { job: asked, addresses, headers, delivery, batch }: Awaited<ReturnType<typeof callOf>>,
  claimed: ClaimedJob,
  workspace: Workspace,
  parts: BackgroundParts,
  performing: Performing,
): Promise<Ended> {
  const { owner } = claimed.job;
  const { signal } = performing;
  // Of a batch, each file is fetched when its turn comes: one that is not there does not fail the others.
  const isOfBatch = (file: JobFile): boolean => batch && asked.files.includes(file);
  const job = await withLaterFiles(asked, addresses, parts, { owner, signal, workspace }, isOfBatch);
  const made = batch
    ? await answerOfBatch(job, addresses, claimed, workspace, parts, performing)
    : await answerOfCall(job, claimed, workspace, parts, performing);
  if (made instanceof Problem) return failedBy(made, headers);
  const told = { ...made, headers: { ...made.headers, ...headers } };
  const { resultUrl } = delivery;
  const { outbound } = parts;
  const answer =
    resultUrl === undefined ? told : await deliverResult({ outbound, owner, signal }, resultUrl, told);
  return { status: 'succeeded', outcome: outcomeOfAnswer(answer), answer };
}

const failedBy = (problem: Problem, headers: Record<string, string>): Ended => ({
  status: 'failed',
  outcome: outcomeOfProblem(problem.toData()),
  answer: answerOfProblem(problem, headers),
});

/** What the worker answers is an answer, unless the disk was full and may not be soon. */
async function answerOfCall(
  job: Job,
  claimed: ClaimedJob,
  workspace: Workspace,
  parts: BackgroundParts,
  { signal, changed }: Performing,
): Promise<Answer | Problem> {
  const of = job.steps.length;
  let step = 0;
  const note = noting(claimed, parts, changed);
  const outcome = await parts.runner.run(job, workspace, {
    owner: claimed.job.owner,
    signal,
    deadlineMs: parts.config.jobs.deadlineMs,
    onStep: (begun) => {
      step = begun;
      note.tell(progressAt(step, of, 0, 0));
    },
    onProgress: (done, pages) => note.tell(progressAt(step, of, done, pages)),
  });
  await note.settled();
  try {
    return answerOf(outcome, workspace);
  } catch (error) {
    const problem = Problem.from(error);
    const isYoung = Date.now() - claimed.job.createdAt.getTime() < DISK_MAY_BE_FULL_MS;
    if (problem.reason === 'insufficient_storage' && isYoung) throw problem;
    return problem;
  }
}

async function answerOfBatch(
  job: Job,
  addresses: LaterFilesOf,
  claimed: ClaimedJob,
  workspace: Workspace,
  parts: BackgroundParts,
  { signal, changed, spare }: Performing,
): Promise<Answer> {
  const { owner } = claimed.job;
  const note = noting(claimed, parts, changed);
  const onFile = (done: number, of: number): void => note.tell(progressAt(0, 1, done, of));
  const answer = await runBatch(job, addresses, workspace, parts, { owner, signal, spare, onFile });
  await note.settled();
  return answer;
}

/** Progress is written as it comes: what comes while the state is at the words before waits, and goes there together. */
function noting({ lease }: ClaimedJob, { state, log }: BackgroundParts, changed: () => void) {
  let waiting: JobProgress[] = [];
  let writing: Promise<void> | undefined;
  const work = async (): Promise<void> => {
    while (waiting.length > 0) {
      const words = waiting;
      waiting = [];
      // A state that does not answer loses words, never the job.
      await state.jobs.note(lease, words).catch((error) => log.debug('progress was not noted', { error }));
      changed();
    }
    writing = undefined;
  };
  return {
    tell(progress: JobProgress): void {
      if (waiting.length === MOST_WORDS) waiting.shift();
      waiting.push(progress);
      writing ??= work();
    },
    settled: async (): Promise<void> => writing,
  };
}
