// Asynchronous calls as their callers follow them: /api/v1/jobs.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { invalidParameter, Problem } from '../../../contract/problems.ts';
import type { StoredJob } from '../../../state/jobs.ts';
import { isFinished } from '../../background/changes.ts';
import { JOBS_PATH, jobDocument } from '../../background/job-document.ts';
import { sendAnswer } from '../answer.ts';
import { byteRangeOf } from '../byte-range.ts';
import { callerOf } from '../call.ts';
import { gate } from '../gate.ts';
import type { ServerParts } from '../parts.ts';
import { sendJson } from '../send-json.ts';
import { jobEvents } from './job-events.ts';

const LISTED = 50;
const MOST_LISTED = 200;
/** A client that asks for a result too early may ask again after this time. */
const RETRY_AFTER_SECONDS = 2;

const idOf = (request: FastifyRequest): string => (request.params as { id: string }).id;

export function addJobs(app: FastifyInstance, parts: ServerParts): void {
  const { state, background } = parts;
  const onRequest = gate(parts, { operation: 'jobs' });

  async function jobOf(request: FastifyRequest): Promise<StoredJob> {
    const job = await state.jobs.get(idOf(request), callerOf(request).id);
    if (job === undefined) throw jobNotFound();
    return job;
  }

  async function list(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { limit, cursor } = request.query as { limit?: unknown; cursor?: unknown };
    const most = wholeNumber('limit', limit, 1, MOST_LISTED) ?? LISTED;
    const before = wholeNumber('cursor', cursor, 1, Number.MAX_SAFE_INTEGER);
    const found = await state.jobs.list(callerOf(request).id, most + 1, before);
    const jobs = found.slice(0, most);
    const nextCursor = found.length > most ? String(jobs.at(-1)?.sequence) : null;
    return sendJson(request, reply, 200, { jobs: jobs.map(jobDocument), nextCursor });
  }

  async function show(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const job = await jobOf(request);
    const webhook = await background.webhooks.logOf(job);
    return sendJson(request, reply, 200, { ...jobDocument(job), ...(webhook && { webhook }) });
  }

  async function result(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const job = await jobOf(request);
    if (!isFinished(job)) throw notFinished(job);
    const response = await state.jobs.responseOf(job);
    if (response === undefined)
      throw new Problem('job_not_found', 'The job was cancelled: it has no result.');
    const { body, status } = response;
    if (body === null || status !== 200) return sendAnswer(request, reply, response);
    const size = 'bytes' in body ? body.bytes.length : body.stored.size;
    // What came of a job never changes.
    const etag = `"${job.id}"`;
    const headers = { ...response.headers, 'accept-ranges': 'bytes', etag };
    const range = byteRangeOf(request.raw, size, etag);
    if (range === undefined) return sendAnswer(request, reply, { ...response, headers });
    if (range === 'unsatisfiable') {
      reply.header('content-range', `bytes */${size}`).header('etag', etag);
      throw new Problem(
        'range_not_satisfiable',
        `The result has ${size} bytes; none of them lie in the range.`,
      );
    }
    const { from, length } = range;
    const last = from + length - 1;
    return sendAnswer(request, reply, {
      status: 206,
      headers: { ...headers, 'content-range': `bytes ${from}-${last}/${size}` },
      body:
        'bytes' in body
          ? { bytes: body.bytes.subarray(from, last + 1) }
          : { part: body.stored, from, length },
    });
  }

  async function end(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    await background.end(idOf(request), callerOf(request).id);
    return reply.code(204).send();
  }

  app.get(JOBS_PATH, { onRequest }, list);
  app.get(`${JOBS_PATH}/:id`, { onRequest }, show);
  app.get(`${JOBS_PATH}/:id/result`, { onRequest }, result);
  app.delete(`${JOBS_PATH}/:id`, { onRequest }, end);
  // A stream has no head of its own.
  const events = jobEvents(parts, jobOf);
  app.get(`${JOBS_PATH}/:id/events`, { onRequest, exposeHeadRoute: false }, events);
}

export const jobNotFound = (): Problem =>
  new Problem('job_not_found', 'The job is unknown, removed or expired, or belongs to another key.');

const notFinished = ({ status }: StoredJob): Problem =>
  new Problem('request_in_progress', `The job is ${status}: it has no result yet.`, {
    hint: 'Ask again after the seconds given in Retry-After, or follow the events of the job.',
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });

function wholeNumber(name: string, given: unknown, least: number, most: number): number | undefined {
  if (given === undefined || given === '') return undefined;
  const value = typeof given === 'string' && /^\d{1,16}$/.test(given) ? Number(given) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw invalidParameter(`${name} must be a whole number from ${least} to ${most}.`);
}
