// GET /api/v1/jobs/{id}/events: Server-Sent Events of one job. An event's id is the version of the job it shows, so that
// whoever was cut off goes on where they were, and is told all that was told meanwhile; after the end there is nothing
// more to come (204), and clients stop.
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../../../contract/problems.ts';
import type { StoredJob } from '../../../state/jobs.ts';
import { isFinished } from '../../background/changes.ts';
import { jobAtWord, jobDocument } from '../../background/job-document.ts';
import { callerOf, onceOver } from '../call.ts';
import type { ServerParts } from '../parts.ts';

/** A sign of life for proxies, which cut off what is quiet for some 30 seconds. */
const HEARTBEAT_MS = 10_000;
const RECONNECT_MS = 1000;
const MOST_OF_KEY = 50;

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

export function jobEvents(
  { state, background }: ServerParts,
  jobOf: (request: FastifyRequest) => Promise<StoredJob>,
): Handler {
  /** Streams of each key. */
  const open = new Map<string, number>();

  function takePlace(owner: string): () => void {
    const own = open.get(owner) ?? 0;
    if (own >= MOST_OF_KEY)
      throw new Problem('rate_limited', `An API key may have ${MOST_OF_KEY} streams of events open.`, {
        retryAfterSeconds: 5,
      });
    open.set(owner, own + 1);
    return () => {
      const left = (open.get(owner) ?? 1) - 1;
      if (left > 0) open.set(owner, left);
      else open.delete(owner);
    };
  }

  /** The job as it is now, and before that as it was since it was shown last. */
  async function* standsSince(job: StoredJob, shown: number): AsyncGenerator<StoredJob> {
    const words = job.version === shown + 1 ? [] : await state.jobs.wordsAfter(job, shown);
    for (const word of words) if (word.version < job.version) yield jobAtWord(job, word);
    if (job.version !== shown) yield job;
  }

  return async (request, reply) => {
    const owner = callerOf(request).id;
    const first = await jobOf(request);
    const known = lastEventId(request);
    if (isFinished(first) && known === first.version) return reply.code(204).send();
    onceOver(reply.raw, takePlace(owner));
    const gone = new AbortController();
    const signal = AbortSignal.any([gone.signal, background.stopping]);
    onceOver(reply.raw, () => gone.abort());
    const stream = begin(reply, signal);
    try {
      // Whoever comes for the first time is told from the beginning.
      let shown = known ?? 0;
      for (let job: StoredJob | undefined = first; job && !signal.aborted; ) {
        for await (const stand of standsSince(job, shown)) await stream.show(stand);
        if (isFinished(job)) break;
        shown = job.version;
        job = await background.changes.since(job.id, owner, shown, signal);
      }
    } finally {
      stream.end();
    }
    return reply;
  };
}

/** Undefined where it is none of ours: all is told. */
function lastEventId(request: FastifyRequest): number | undefined {
  const given = request.headers['last-event-id'];
  return typeof given === 'string' && /^\d{1,15}$/.test(given) ? Number(given) : undefined;
}

interface Stream {
  /** Resolves when whoever reads has room for more: nothing piles up here. */
  show(job: StoredJob): Promise<void>;
  end(): void;
}

function begin(reply: FastifyReply, signal: AbortSignal): Stream {
  reply.header('content-type', 'text/event-stream').header('x-accel-buffering', 'no');
  const headers = reply.getHeaders();
  reply.hijack();
  const { raw } = reply;
  raw.writeHead(200, headers as Record<string, string>);
  raw.write(`retry: ${RECONNECT_MS}\n\n`);
  const heartbeat = setInterval(() => raw.writableNeedDrain || write(raw, ':\n\n'), HEARTBEAT_MS);
  onceOver(raw, () => clearInterval(heartbeat));
  return {
    show: async (job) => {
      const name = isFinished(job) ? 'end' : 'progress';
      const text = `event: ${name}\nid: ${job.version}\ndata: ${JSON.stringify(jobDocument(job))}\n\n`;
      if (!write(raw, text)) await once(raw, 'drain', { signal }).catch(() => {});
    },
    end: () => {
      clearInterval(heartbeat);
      raw.end();
    },
  };
}

/** False: there is no room for more at present. */
const write = (raw: ServerResponse, text: string): boolean => raw.destroyed || raw.write(text);
