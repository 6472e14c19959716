// One call with its limits: deadline, cancellation, and repeats where they are safe.
import { BinderyError, clientError } from './errors.ts';
import { plainLine } from './plain-words.ts';
import { errorOf } from './problems.ts';

export interface CallLimits {
  /** Ends everything the call does. */
  readonly signal: AbortSignal;
  /** What an error of `fetch` or of reading an answer means. */
  failure(error: unknown): BinderyError;
}

/** Timers longer than this are not kept by any runtime. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export function callLimits(timeoutMs: number, asked: AbortSignal | undefined): CallLimits {
  const expired = timeoutMs > 0 ? AbortSignal.timeout(Math.min(timeoutMs, LONGEST_TIMER_MS)) : undefined;
  const signals = [asked, expired].filter((signal) => signal !== undefined);
  return {
    signal: AbortSignal.any(signals),
    failure(error) {
      if (error instanceof BinderyError) return error;
      if (isUnreadable(error)) return clientError('input_unreadable', UNREADABLE, error);
      if (asked?.aborted) return clientError('cancelled', 'The call was cancelled.', asked.reason);
      if (expired?.aborted)
        return clientError('timeout', `There was no result within ${timeoutMs} ms.`, error);
      return clientError('network_error', `The service cannot be reached: ${causeOf(error)}.`, error);
    },
  };
}

const UNREADABLE = 'A file cannot be read, or was changed while it was being sent.';

/** What Blobs of files say. */
const isUnreadable = (error: unknown): boolean =>
  [error, (error as { cause?: unknown } | null)?.cause].some(
    (one) => (one as { name?: unknown } | undefined)?.name === 'NotReadableError',
  );

/** `fetch failed` says nothing; what lies beneath does. */
function causeOf(error: unknown): string {
  const beneath = (error as { cause?: unknown }).cause ?? error;
  const { code, message } = beneath as { code?: unknown; message?: unknown };
  // OpenSSL's messages are for its makers.
  if (String(code).startsWith('ERR_SSL_')) return `no TLS connection (${plainLine(String(code))})`;
  // A certificate's names are words of whoever answers.
  return plainLine(String(message || code || beneath)).replace(/\.$/, '');
}

export interface Repeats {
  /** How many further tries. */
  retries: number;
  /** Before the first repeat; doubled for each further one. */
  firstWaitMs: number;
  longestWaitMs: number;
}

export const CALL_REPEATS: Repeats = { retries: 2, firstWaitMs: 500, longestWaitMs: 30_000 };
/** A chunk is sent again until a restarted service is back. */
export const CHUNK_REPEATS: Repeats = { retries: 9, firstWaitMs: 250, longestWaitMs: 5_000 };

export type Send = (signal: AbortSignal) => Promise<Response>;

/** The answer if it is a success; else throws. `send` must be safe to repeat. */
export async function requested(send: Send, limits: CallLimits, repeats: Repeats): Promise<Response> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      limits.signal.throwIfAborted();
      const response = await send(limits.signal);
      if (response.ok) return response;
      throw await errorOf(response);
    } catch (error) {
      const failure = limits.failure(error);
      const wait = attempt < repeats.retries ? waitBefore(failure, attempt, repeats) : undefined;
      if (wait === undefined) throw failure;
      await pause(wait, limits);
    }
  }
}

const PASSING_STATUSES: readonly (number | undefined)[] = [429, 502, 503, 504];
/** The same document would fare no better, and hold up others once more. */
const LASTING_REASONS: readonly string[] = ['missing_dependency', 'deadline_exceeded', 'memory_exceeded'];

/** Whether the same request may fare better in a while. */
export const passes = (error: BinderyError): boolean =>
  error.code === 'network_error' ||
  error.reason === 'request_in_progress' ||
  (PASSING_STATUSES.includes(error.status) && !LASTING_REASONS.includes(error.reason));

/** Undefined: repeating is of no use. */
function waitBefore(error: BinderyError, attempt: number, repeats: Repeats): number | undefined {
  if (!passes(error)) return undefined;
  const asked = (error.retryAfterSeconds ?? 0) * 1000;
  if (asked > repeats.longestWaitMs) return undefined;
  const backoff = Math.min(repeats.firstWaitMs * 2 ** attempt, repeats.longestWaitMs);
  // Clients that failed together should not come back together.
  return Math.max(asked, backoff * (0.75 + Math.random() / 2));
}

export async function pause(ms: number, limits: CallLimits): Promise<void> {
  const { promise, resolve, reject } = settled();
  const timer = setTimeout(resolve, ms);
  const onAbort = () => reject(limits.failure(limits.signal.reason));
  limits.signal.addEventListener('abort', onAbort, { once: true });
  try {
    if (limits.signal.aborted) onAbort();
    await promise;
  } finally {
    clearTimeout(timer);
    limits.signal.removeEventListener('abort', onAbort);
  }
}

function settled(): { promise: Promise<void>; resolve: () => void; reject: (error: unknown) => void } {
  let resolve = () => {};
  let reject: (error: unknown) => void = () => {};
  const promise = new Promise<void>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}
