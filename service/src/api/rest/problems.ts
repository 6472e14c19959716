// Every failure leaves through here as application/problem+json, whoever raised it.
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem, type ProblemData, problemDocument, type Reason } from '../../contract/problems.ts';
import { discardBody } from './discard.ts';
import type { ServerParts } from './parts.ts';
import { countKeyed } from './rate-limit.ts';
import { COMMON_HEADERS } from './response-headers.ts';

export const PROBLEM_TYPE = 'application/problem+json';

export const problemBody = (problem: ProblemData): Buffer =>
  Buffer.from(JSON.stringify(problemDocument(problem)));

/** Problems whose hint speaks of Retry-After, where nobody knows the time better. */
const RETRY_AFTER_SECONDS: { [R in Reason]?: number } = {
  unavailable: 5,
  upload_limit_reached: 30,
  insufficient_storage: 60,
};

export function sendProblem(request: FastifyRequest, reply: FastifyReply, problem: Problem): FastifyReply {
  const data = problem.toData();
  const body = problemBody(data);
  request.call.problem = problem;
  request.call.bytesOut = body.length;
  const retryAfter = data.retryAfterSeconds ?? RETRY_AFTER_SECONDS[problem.reason];
  if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter));
  return reply
    .code(problem.status)
    .header('content-type', PROBLEM_TYPE)
    .header('content-length', String(body.length))
    .send(body);
}

const FRAMEWORK_PROBLEMS: Record<string, () => Problem> = {
  FST_ERR_BAD_URL: () => new Problem('bad_request', 'The path of the request is not a valid URL path.'),
};

/** The framework's own failures have text of its own, which callers never see. */
export function problemOf(thrown: unknown): Problem {
  const known = FRAMEWORK_PROBLEMS[(thrown as { code?: string } | null)?.code ?? ''];
  return known ? known() : Problem.from(thrown);
}

/** Failures before any route or hook: the reply is bare, so the common headers are set here. */
export async function sendFrameworkProblem(
  request: FastifyRequest,
  reply: FastifyReply,
  error: unknown,
  parts: ServerParts,
): Promise<void> {
  const problem = await countKeyed(request, reply, parts).then(() => problemOf(error), problemOf);
  const data = problem.toData();
  const body = problemBody(data);
  const rest = discardBody(request.raw);
  if (data.retryAfterSeconds !== undefined) reply.header('retry-after', String(data.retryAfterSeconds));
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) reply.raw.setHeader(name, value);
  reply.raw.writeHead(problem.status, {
    ...COMMON_HEADERS,
    'x-request-id': request.id,
    'content-type': PROBLEM_TYPE,
    'content-length': body.length,
  });
  reply.raw.write(body);
  await rest;
  reply.raw.end();
}

const clientProblem = ({ code }: NodeJS.ErrnoException): Problem => {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new Problem('request_timeout', 'The request did not arrive in time.');
  if (code === 'HPE_HEADER_OVERFLOW')
    return new Problem('bad_request', 'The headers of the request are too large.');
  return new Problem('bad_request', 'The request is not valid HTTP.');
};

/** What cannot be read as HTTP at all: answered on the bare socket, which is then closed. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  const answering = (socket as { _httpMessage?: { headersSent: boolean } })._httpMessage;
  // A second head inside a response under way would corrupt it.
  if (error.code === 'ECONNRESET' || !socket.writable || answering?.headersSent) {
    socket.destroy();
    return;
  }
  const problem = clientProblem(error);
  const body = problemBody(problem.toData());
  const head = [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
    ...Object.entries(COMMON_HEADERS).map(([name, value]) => `${name}: ${value}`),
    `content-type: ${PROBLEM_TYPE}`,
    `content-length: ${body.length}`,
    'connection: close',
  ];
  socket.end(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]));
}
