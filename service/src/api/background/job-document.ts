// A job as its caller sees it.
import type { ProblemData } from '../../contract/problems.ts';
import { problemDocument } from '../../contract/problems.ts';
import type { Job } from '../../jobs/job.ts';
import type { JobProgress, PlainObject, ProgressWord, StoredJob } from '../../state/jobs.ts';
import type { Answer } from '../rest/answer.ts';
import { dispositionFilename } from '../rest/forms/part-headers.ts';

export const JOBS_PATH = '/api/v1/jobs';

export const jobPath = (id: string): string => `${JOBS_PATH}/${id}`;

/** What it is to do: an operation, or the steps of a pipeline; in a batch, how many files. */
export const aboutOf = (
  { steps, pipeline, files }: Pick<Job, 'steps' | 'pipeline' | 'files'>,
  batch: boolean,
) => ({
  ...(pipeline ? { steps: steps.map(({ op }) => op) } : { operation: steps[0]?.op ?? '' }),
  ...(batch ? { files: files.length } : {}),
});

const isOver = ({ status }: StoredJob): boolean => status !== 'queued' && status !== 'running';

export function jobDocument(job: StoredJob): PlainObject {
  const { id, status, about, outcome, createdAt, startedAt, finishedAt, expiresAt } = job;
  const result = outcome?.result as PlainObject | undefined;
  return {
    id,
    status,
    ...about,
    progress: progressOf(job),
    createdAt: createdAt.toISOString(),
    startedAt: startedAt?.toISOString() ?? null,
    finishedAt: finishedAt?.toISOString() ?? null,
    expiresAt: expiresAt?.toISOString() ?? null,
    ...outcome,
    ...(result ? { result: { ...result, href: `${jobPath(id)}/result` } } : {}),
  };
}

/** The job as it stood when this was told of it. */
export const jobAtWord = (job: StoredJob, { version, progress }: ProgressWord): StoredJob => ({
  ...job,
  ...{ version, progress, status: 'running' as const, outcome: null, finishedAt: null, expiresAt: null },
});

export function outcomeOfAnswer({ headers, body }: Answer): PlainObject {
  const size = body === null ? 0 : 'bytes' in body ? body.bytes.length : body.size;
  return {
    result: {
      filename: dispositionFilename(headers['content-disposition'] ?? '') ?? null,
      mediaType: headers['content-type'] ?? null,
      size,
    },
  };
}

export const outcomeOfProblem = (problem: ProblemData): PlainObject => ({
  problem: problemDocument(problem),
});

/** How far a call is that has so many steps and is at one of them. */
export function progressAt(step: number, of: number, done: number, pages: number): JobProgress {
  const share = pages > 0 ? Math.min(1, done / pages) : 0;
  return {
    step: step + 1,
    of,
    done: Math.round(((step + share) / of) * 10_000) / 10_000,
    message: pages > 0 ? `${done} of ${pages} done` : '',
  };
}

const MESSAGES: Record<StoredJob['status'], string> = {
  queued: 'Waiting for a worker.',
  running: 'Working.',
  succeeded: 'Done.',
  failed: 'Failed.',
  cancelled: 'Cancelled.',
};

function progressOf(job: StoredJob): JobProgress {
  const { status, progress, about } = job;
  const of = Array.isArray(about.steps) ? about.steps.length : 1;
  const message = MESSAGES[status];
  if (status === 'succeeded') return { step: of, of, done: 1, message };
  const { step, done, message: told } = progress ?? { step: 0, done: 0, message: '' };
  return { step, of, done, message: isOver(job) || told === '' ? message : told };
}
