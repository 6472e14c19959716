// GET /api/v1/jobs/{id}/events: Server-Sent Events of one job. An event's id is the version of the job it shows, so that
// whoever was cut off goes on where they were; after the end there is nothing more to come (204), and clients stop.
import type { ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { MIB } from '../../../contract/limits.ts';
import { Problem } from '../../../contract/problems.ts';
import type { StoredJob } from '../../../state/jobs.ts';
import { isFinished } from '../../background/changes.ts';
import { jobDocument } from '../../background/job-document.ts';
import { callerOf, onceOver } from '../call.ts';
import type { ServerParts } from '../parts.ts';

/** A sign of life for proxies, which cut off what is quiet for some 30 seconds. */
const HEARTBEAT_MS = 10_000;
const RECONNECT_MS = 1000;
const MOST_OF_KEY = 50;
/** Whoever reads so slowly may come again. */
const MOST_UNREAD_BYTES = MIB;

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

export function jobEvents(
  { background }: ServerParts,
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

  return async (request, reply) => {
    const owner = callerOf(request).id;
    const first = await jobOf(request);
    const known = lastEventId(request);
    if (isFinished(first) && known === first.version) return reply.code(204).send();
    onceOver(reply.raw, takePlace(owner));
    const gone = new AbortController();
    const signal = AbortSignal.any([gone.signal, background.stopping]);
    onceOver(reply.raw, () => gone.abort());
    const stream = begin(reply);
    try {
      let shown = known;
      for (let job: StoredJob | undefined = first; job && !signal.aborted; ) {
        if (job.version !== shown) stream.show(job);
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

function begin(reply: FastifyReply): { show(job: StoredJob): void; end(): void } {
  reply.header('content-type', 'text/event-stream').header('x-accel-buffering', 'no');
  const headers = reply.getHeaders();
  reply.hijack();
  const { raw } = reply;
  raw.writeHead(200, headers as Record<string, string>);
  raw.write(`retry: ${RECONNECT_MS}\n\n`);
  const heartbeat = setInterval(() => write(raw, ':\n\n'), HEARTBEAT_MS);
  onceOver(raw, () => clearInterval(heartbeat));
  return {
    show: (job) => {
      const name = isFinished(job) ? 'end' : 'progress';
      write(raw, `event: ${name}\nid: ${job.version}\ndata: ${JSON.stringify(jobDocument(job))}\n\n`);
    },
    end: () => {
      clearInterval(heartbeat);
      raw.end();
    },
  };
}

function write(raw: ServerResponse, text: string): void {
  if (raw.writableLength > MOST_UNREAD_BYTES) raw.destroy();
  else if (!raw.destroyed) raw.write(text);
}
