// Why a job ends without an answer of its own.
import { Problem } from '../contract/problems.ts';
import { type Stretch, tooCostly } from '../contract/work-budget.ts';

const MOST_RETRY_SECONDS = 300;

export const stopping = (): Problem =>
  new Problem('unavailable', 'The service is stopping.', { retryAfterSeconds: 5 });

export const queueFull = (): Problem =>
  new Problem('unavailable', 'All workers are busy and the queue is full.', { retryAfterSeconds: 2 });

/** The caller is told when it may be worth another try. */
export const queueTooSlow = (aheadMs: number, waitMs: number): Problem =>
  new Problem('unavailable', 'All workers are busy, and those who wait already will keep them so.', {
    retryAfterSeconds: Math.min(MOST_RETRY_SECONDS, Math.max(2, Math.ceil((aheadMs - waitMs) / 1000))),
  });

export const waitedTooLong = (limitMs: number): Problem =>
  new Problem('unavailable', `No worker was free within ${limitMs / 1000} seconds.`, {
    retryAfterSeconds: 10,
  });

/** In favour of a caller who has fewer requests waiting. */
export const madeWay = (): Problem =>
  new Problem('unavailable', 'The queue is full, and your key has the most requests in it.', {
    retryAfterSeconds: 5,
  });

export const noWorker = (): Problem =>
  new Problem('unavailable', 'No worker can be started at the moment.', { retryAfterSeconds: 10 });

export const tooMuch = (): Problem =>
  new Problem('url_fetch_failed', 'The page asks for more than a page may.');

export const memoryExceeded = (): Problem =>
  new Problem('memory_exceeded', 'The document needs more memory than a worker may use.');

export const crashed = (): Problem =>
  new Problem('internal', 'The worker that processed the document ended unexpectedly.');

const OVERDRAWN: Record<Stretch, string> = {
  opening: 'Opening the document takes more processor time than a file of its size may.',
  reading: 'A page of the document takes more processor time to read than one page may.',
  drawing: 'A page of the document takes more processor time to draw than one page may.',
};

export const overdrawn = (stretch: Stretch): Problem => tooCostly(OVERDRAWN[stretch]);

export const deadlinePassed = (limitMs: number): Problem =>
  new Problem('deadline_exceeded', `The work took longer than the ${limitMs / 1000} seconds allowed.`);
