// How nodes hold on to Redis or Valkey, and what its failures mean to callers.
import { Problem } from './problems.ts';

/** Callers hear of an outage within this time instead of waiting for its end. */
const ANSWER_WITHIN_MS = 1500;
const CONNECT_WITHIN_MS = 5000;
const LONGEST_PAUSE_MS = 1000;
const RETRY_AFTER_SECONDS = 2;

/** Options of the client. */
export const REDIS_CONNECTION = {
  lazyConnect: true,
  commandTimeout: ANSWER_WITHIN_MS,
  connectTimeout: CONNECT_WITHIN_MS,
  maxRetriesPerRequest: 0,
  // A call during an outage is refused at once, not kept for later.
  enableOfflineQueue: false,
  retryStrategy: (attempt: number): number => Math.min(50 * 2 ** Math.min(attempt, 10), LONGEST_PAUSE_MS),
} as const;

/** What Redis says of a command is a fault of ours; anything else is that it is not there. */
export function redisProblem(error: unknown): unknown {
  if (error instanceof Problem) return error;
  const isReply = error instanceof Error && error.name === 'ReplyError';
  // It answers, but is starting, read-only, full or busy with a script.
  const passes =
    isReply && /^(LOADING|READONLY|OOM|BUSY|MASTERDOWN|NOREPLICAS|MISCONF)\b/.test(error.message);
  if (isReply && !passes) return error;
  return new Problem('unavailable', 'The shared state of the service cannot be reached.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    cause: error,
  });
}
