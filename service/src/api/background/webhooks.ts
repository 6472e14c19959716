// Webhooks: whoever asked for it is told that an asynchronous call has ended, again and again until it is heard. What is
// due is kept by the state, so a notice outlives this process; it may come twice, always under the same id.

import { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { EGRESS_LIMITS } from '../../contract/egress.ts';
import type { Log } from '../../contract/log.ts';
import { Problem } from '../../contract/problems.ts';
import type { StoredJob } from '../../state/jobs.ts';
import type { State } from '../../state/state.ts';
import type { StoredWebhook } from '../../state/webhooks.ts';
import { redirection } from '../rest/fetched-files.ts';
import type { Outbound } from '../rest/outbound.ts';
import { isFinished } from './changes.ts';
import { jobDocument } from './job-document.ts';
import type { AskedWebhook, WebhookCalls } from './webhook-calls.ts';
import { signedHeaders } from './webhook-signature.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** After so many failures in a row; the last counts for all that follow. */
const PAUSES_MS = [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR];
const GIVE_UP_AFTER_MS = 24 * HOUR;
const ATTEMPT_MS = 15 * SECOND;
/** Longer than an attempt takes: whoever died in one leaves it to the next after this time. */
const LEASE_MS = 20 * SECOND;
/** A job that ended while nobody could say so is noticed after this time. */
const LOOK_AGAIN_MS = 30 * SECOND;
const LOOK_EVERY_MS = SECOND;
const AT_ONCE = 16;
const ATTEMPTS_TOLD = 20;
/** A job waits a week at most, and its webhook a day after that. */
const KEPT_MS = 9 * 24 * HOUR;

interface Attempt {
  at: string;
  /** What was answered; null: nothing was. */
  status: number | null;
  /** Why nothing was, as a reason of ours. */
  problem?: string;
}

/** What is known of a webhook; address, secret and body are forgotten when it is over. */
interface WebhookData {
  url: string;
  secret: string;
  state: 'waiting' | 'delivered' | 'given_up';
  failures: number;
  firstAt?: number;
  body?: string;
  attempts: Attempt[];
}

export interface WebhookParts {
  state: State;
  outbound: Outbound;
  log: Log;
}

export class WebhookSender implements WebhookCalls {
  readonly #parts: WebhookParts;
  readonly #over = new Set<Promise<void>>();
  readonly #stopping = new AbortController();
  readonly #timer: NodeJS.Timeout;
  #looking = false;

  constructor(parts: WebhookParts) {
    this.#parts = parts;
    this.#timer = setInterval(() => void this.look(), LOOK_EVERY_MS);
    this.#timer.unref();
  }

  async add(id: string, owner: string, { url, secret }: AskedWebhook): Promise<void> {
    const data: WebhookData = { url, secret, state: 'waiting', failures: 0, attempts: [] };
    const now = Date.now();
    await this.#parts.state.webhooks.add(
      { id, owner, data: { ...data } },
      new Date(now + LOOK_AGAIN_MS),
      new Date(now + KEPT_MS),
    );
  }

  /** Its job has ended. */
  async wake(id: string): Promise<void> {
    try {
      await this.#parts.state.webhooks.wake(id);
      await this.look();
    } catch (error) {
      // It is looked at again in a while.
      this.#parts.log.warn('a webhook was not woken', { jobId: id, error });
    }
  }

  async logOf(job: StoredJob): Promise<Record<string, unknown> | undefined> {
    const stored = await this.#parts.state.webhooks.get(job.id, job.owner);
    if (stored === undefined) return undefined;
    const { url, state, attempts } = dataOf(stored);
    const nextAt = attempts.length > 0 ? (stored.dueAt?.toISOString() ?? null) : null;
    return { url: withoutQuery(url), status: state, attempts, nextAttemptAt: nextAt };
  }

  async look(): Promise<void> {
    if (this.#looking) return;
    this.#looking = true;
    const { state, log } = this.#parts;
    try {
      while (this.#over.size < AT_ONCE && !this.#stopping.signal.aborted) {
        const due = await state.webhooks.claim(LEASE_MS);
        if (due === undefined) break;
        const over = this.#attend(due).catch((error) =>
          log.warn('a webhook is left for later', { jobId: due.id, error }),
        );
        this.#over.add(over);
        void over.finally(() => this.#over.delete(over));
        // Whoever else waits for this process comes first.
        await turn();
      }
    } catch (error) {
      log.warn('webhooks could not be looked for', { error });
    } finally {
      this.#looking = false;
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#stopping.abort();
    await Promise.all(this.#over);
  }

  async #attend(due: StoredWebhook): Promise<void> {
    const { state } = this.#parts;
    const data = dataOf(due);
    const job = await state.jobs.get(due.id, due.owner);
    if (data.body === undefined) {
      // Removed before it ended, or never accepted.
      if (job === undefined) return state.webhooks.drop(due.id);
      if (!isFinished(job)) return this.#settle(due, data, Date.now() + LOOK_AGAIN_MS);
      data.body = JSON.stringify(jobDocument(job));
    }
    if (!(await state.keys.isLive(due.owner))) return this.#settle(due, { ...data, state: 'given_up' }, null);
    data.firstAt ??= Date.now();
    const attempt = await this.#attempt(due.id, data);
    // Ended by our own stop: the next life begins where this one was.
    if (this.#stopping.signal.aborted && attempt.status === null) return;
    data.attempts = [...data.attempts, attempt].slice(-ATTEMPTS_TOLD);
    const { status } = attempt;
    if (status !== null && status >= 200 && status < 300)
      return this.#settle(due, { ...data, state: 'delivered' }, null, job);
    data.failures += 1;
    const pause = PAUSES_MS[Math.min(data.failures, PAUSES_MS.length) - 1] ?? HOUR;
    const next = Date.now() + pause * (0.9 + Math.random() / 5);
    // Gone, says the receiver: nobody is to come again.
    const isOver = status === 410 || next - data.firstAt > GIVE_UP_AFTER_MS;
    return isOver
      ? this.#settle(due, { ...data, state: 'given_up' }, null, job)
      : this.#settle(due, data, next);
  }

  async #settle(
    { id }: StoredWebhook,
    data: WebhookData,
    dueAt: number | null,
    job?: StoredJob,
  ): Promise<void> {
    const { body: _body, ...known } = data;
    const kept = dueAt === null ? { ...known, url: withoutQuery(data.url), secret: '' } : data;
    const expiresAt = dueAt === null ? (job?.expiresAt ?? new Date(Date.now() + HOUR)) : undefined;
    await this.#parts.state.webhooks.settle(
      id,
      { ...kept },
      dueAt === null ? null : new Date(dueAt),
      expiresAt ?? new Date(Date.now() + KEPT_MS),
    );
  }

  async #attempt(jobId: string, { url, secret, body = '' }: WebhookData): Promise<Attempt> {
    const at = new Date();
    try {
      return { at: at.toISOString(), status: await this.#post(jobId, url, secret, body, at) };
    } catch (error) {
      const { reason } = Problem.from(error);
      this.#parts.log.info('a webhook was not taken', { jobId, reason });
      return { at: at.toISOString(), status: null, problem: reason };
    }
  }

  /** A redirection that keeps method and body is followed, and vetted like the address itself. */
  async #post(jobId: string, address: string, secret: string, body: string, at: Date): Promise<number> {
    const { outbound } = this.#parts;
    const bytes = Buffer.from(body);
    const signal = AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(ATTEMPT_MS)]);
    const headers = {
      'Content-Type': 'application/json',
      'User-Agent': 'Bindery',
      ...signedHeaders(webhookId(jobId), secret, body, at),
    };
    let url = address;
    for (let hops = 0; hops <= EGRESS_LIMITS.redirects; hops += 1) {
      outbound.requireHttps(url);
      const sent = { size: bytes.length, open: () => Readable.from([bytes]) };
      const request = { url, method: 'POST', headers, body: sent, timeoutMs: ATTEMPT_MS } as const;
      const answer = await outbound.egress.send(request, signal);
      const next = answer.status === 307 || answer.status === 308 ? redirection(answer, url) : undefined;
      if (next === undefined) return answer.status;
      url = next;
    }
    throw new Problem('url_fetch_failed', `It leads on more than ${EGRESS_LIMITS.redirects} times.`);
  }
}

/** The same for every attempt, whoever makes it. */
const webhookId = (jobId: string): string => `msg_${jobId}`;

const dataOf = ({ data }: StoredWebhook): WebhookData => data as unknown as WebhookData;

function withoutQuery(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}
