// A finished answer as data: made from an outcome, kept for idempotent retries, sent to the caller.
import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { contentDisposition } from '../../contract/names.ts';
import { Problem } from '../../contract/problems.ts';
import type { JobOutcome, JobResult } from '../../jobs/job.ts';
import type { Workspace } from '../../jobs/workspace.ts';
import type { StoredBytes, StoredResponse } from '../../state/state.ts';
import { PROBLEM_TYPE, problemBody } from './problems.ts';
import { SentFile } from './sent-file.ts';

export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: { bytes: Uint8Array } | { path: string; size: number } | null;
}

/** So many bytes from one on, of those that the state has kept. */
interface StoredPart {
  part: StoredBytes;
  from: number;
  length: number;
}

/** An answer that the state has kept. */
export type ReplayedAnswer = Omit<Answer, 'body'> & { body: StoredResponse['body'] | StoredPart };

export function answerOf(outcome: JobOutcome, workspace: Workspace): Answer {
  if (outcome.state === 'nothing') return { status: 204, headers: {}, body: null };
  if (outcome.state === 'made') return answerOfResult(outcome.result, workspace);
  const problem = Problem.fromData(outcome.problem);
  throw new Problem(problem.reason, problem.detail, { ...problem.options, cause: outcome.cause });
}

function answerOfResult(result: JobResult, workspace: Workspace): Answer {
  const { content, size, name } = result;
  return {
    status: 200,
    headers: {
      ...result.headers,
      'content-type': result.mediaType,
      ...(name === undefined ? {} : { 'content-disposition': contentDisposition(name) }),
    },
    body: 'bytes' in content ? content : { path: workspace.path(content.file), size },
  };
}

export const answerOfProblem = (problem: Problem, headers: Record<string, string> = {}): Answer => ({
  status: problem.status,
  headers: { ...headers, 'content-type': PROBLEM_TYPE },
  body: { bytes: problemBody(problem.toData()) },
});

/** A connection on which a result makes no progress for so long is closed. */
const SEND_IDLE_MS = 120_000;

export async function sendAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Answer | ReplayedAnswer,
): Promise<FastifyReply> {
  const { body } = answer;
  const content = body && (await contentOf(body));
  // Node takes the keep-alive timeout again once the response is finished.
  request.raw.socket.setTimeout(SEND_IDLE_MS);
  reply.code(answer.status).headers(answer.headers);
  if (content === null) return reply.send();
  request.call.bytesOut = content.size;
  reply.header('content-length', String(content.size));
  return reply.send(content.sent);
}

type Body = NonNullable<Answer['body'] | ReplayedAnswer['body']>;

async function contentOf(body: Body): Promise<{ size: number; sent: Uint8Array | Readable }> {
  if ('bytes' in body) return { size: body.bytes.length, sent: body.bytes };
  if ('stored' in body) return { size: body.stored.size, sent: await body.stored.stream() };
  if ('part' in body) return { size: body.length, sent: await body.part.stream(body.from, body.length) };
  return { size: body.size, sent: new SentFile(await open(body.path), body.size) };
}
