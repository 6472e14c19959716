// Why a job ends without an answer of its own.
import { Problem } from '../contract/problems.ts';

export const stopping = (): Problem =>
  new Problem('unavailable', 'The service is stopping.', { retryAfterSeconds: 5 });

export const queueFull = (): Problem =>
  new Problem('unavailable', 'All workers are busy and the queue is full.', { retryAfterSeconds: 2 });

export const noWorker = (): Problem =>
  new Problem('unavailable', 'No worker can be started at the moment.', { retryAfterSeconds: 10 });

export const tooMuch = (): Problem =>
  new Problem('url_fetch_failed', 'The page asks for more than a page may.');

export const memoryExceeded = (): Problem =>
  new Problem('memory_exceeded', 'The document needs more memory than a worker may use.');

export const crashed = (): Problem =>
  new Problem('internal', 'The worker that processed the document ended unexpectedly.');

export const deadlinePassed = (limitMs: number): Problem =>
  new Problem('deadline_exceeded', `The request took longer than the ${limitMs / 1000} seconds allowed.`);
