// Server-Sent Events of one job, as they come; a connection that is cut is made anew and goes on where it was.
import { bounded } from './answer-bodies.ts';
import type { Connection } from './connection.ts';
import { clientError } from './errors.ts';
import { isFinished, type JobDocument, jobIn, jobPath } from './job-documents.ts';
import { errorOf } from './problems.ts';
import { type CallLimits, passes, pause } from './requests.ts';
import { parsedJson } from './results.ts';

/** The service gives a sign of life every 10 seconds: who is silent for so long is gone. */
const SILENCE_MS = 45_000;
const RECONNECT_MS = 1000;
const LONGEST_PAUSE_MS = 15_000;
/** In a row, without any event between: about five minutes. */
const MOST_FAILURES = 25;
const LONGEST_EVENT = 1024 * 1024;
/** Of one connection: proxies cut it long before. */
const MOST_STREAM_BYTES = 256 * 1024 * 1024;

/** The job whenever it has changed, the last time when it has ended. */
export async function* jobEvents(
  connection: Connection,
  id: string,
  limits: CallLimits,
): AsyncGenerator<JobDocument, void, undefined> {
  let last: string | undefined;
  for (let failures = 0; ; ) {
    const alive = new AbortController();
    const signal = AbortSignal.any([limits.signal, alive.signal]);
    try {
      const headers = {
        accept: 'text/event-stream',
        ...(last === undefined ? {} : { 'last-event-id': last }),
      };
      const response = await connection.send(`${jobPath(id)}/events`, { headers, signal });
      if (response.status === 204) return;
      if (!response.ok) throw await errorOf(response);
      if (!/^text\/event-stream\b/.test(response.headers.get('content-type') ?? '') || !response.body)
        throw clientError('bad_response', 'The answer is no stream of events.');
      for await (const event of eventsIn(response.body, alive)) {
        failures = 0;
        last = event.id ?? last;
        const job = jobIn(parsedJson(event.data));
        yield job;
        if (isFinished(job)) return;
      }
    } catch (error) {
      limits.signal.throwIfAborted();
      const failure = limits.failure(alive.signal.aborted ? new Error('the stream fell silent') : error);
      failures += 1;
      if (!passes(failure) || failures > MOST_FAILURES) throw failure;
    } finally {
      alive.abort();
    }
    await pause(Math.min(RECONNECT_MS * 1.5 ** failures, LONGEST_PAUSE_MS), limits);
  }
}

interface StreamEvent {
  id?: string;
  data: string;
}

/** Ends where the connection does; `alive` is aborted when nothing comes for too long. */
async function* eventsIn(
  body: ReadableStream<Uint8Array>,
  alive: AbortController,
): AsyncGenerator<StreamEvent> {
  const reader = bounded(body, MOST_STREAM_BYTES).getReader();
  const decoder = new TextDecoder();
  let text = '';
  const watch = () => setTimeout(() => alive.abort(), SILENCE_MS);
  let timer = watch();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      clearTimeout(timer);
      timer = watch();
      text += decoder.decode(value, { stream: true });
      // Events end with an empty line.
      const whole = text.split(/\r?\n\r?\n/);
      text = whole.pop() ?? '';
      if (text.length > LONGEST_EVENT) throw clientError('bad_response', 'An event is too long.');
      for (const one of whole) {
        const event = eventOf(one);
        if (event.data !== '') yield event;
      }
    }
  } finally {
    clearTimeout(timer);
    await reader.cancel().catch(() => {});
  }
}

function eventOf(text: string): StreamEvent {
  const event: StreamEvent = { data: '' };
  for (const line of text.split(/\r?\n/)) {
    const colon = line.indexOf(':');
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = line.slice(colon + 1).replace(/^ /, '');
    if (name === 'data') event.data += event.data === '' ? value : `\n${value}`;
    if (name === 'id' && /^[\w-]{1,64}$/.test(value)) event.id = value;
  }
  return event;
}
