// What is known of one request while it is answered: for hooks, metrics and the log.
import type { ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Problem } from '../../contract/problems.ts';
import type { TraceContext } from '../../contract/trace-context.ts';
import type { ApiKey } from '../../state/state.ts';
import type { Forwarded, TrustedProxies } from './forwarded.ts';

export interface Call {
  startedAt: number;
  /** A word of ours for metrics and log: `general/rotate-pdf`, `uploads`, ...; never the caller's text. */
  operation: string;
  key: ApiKey | undefined;
  /** Where it comes from, and under which name it reached us. */
  from: Forwarded;
  /** Where traces are collected. */
  trace?: TraceContext | undefined;
  /** The key that was administered. */
  target?: string;
  bytesIn: number;
  bytesOut: number;
  /** Why the answer is a problem document. */
  problem: Problem | undefined;
}

declare module 'fastify' {
  interface FastifyRequest {
    call: Call;
  }
}

export const UNKNOWN_OPERATION = 'unknown';

/** Gives every request its `call` and says when it is over, answered or not. */
export function followCalls(
  app: FastifyInstance,
  proxies: TrustedProxies,
  over: (request: FastifyRequest, reply: FastifyReply, answered: boolean) => void,
): void {
  app.decorateRequest('call');
  app.addHook('onRequest', (request, reply, done) => {
    request.call = {
      startedAt: performance.now(),
      operation: UNKNOWN_OPERATION,
      key: undefined,
      from: proxies.forwarded(request),
      bytesIn: 0,
      bytesOut: 0,
      problem: undefined,
    };
    reply.raw.once('close', () => over(request, reply, reply.raw.writableFinished));
    done();
  });
}

/** The caller of a keyed route; the gate has let nobody else through. */
export function callerOf(request: FastifyRequest): ApiKey {
  const { key } = request.call;
  if (key === undefined) throw new Error('a keyed route was reached without a key');
  return key;
}

/** Aborts when the caller leaves before the answer is sent. Fastify's request.signal also fires once a body is read. */
export function disconnectSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  onceOver(response, () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}

/** Runs when the response is sent or broken, also when that has happened already. */
export function onceOver(response: ServerResponse, action: () => void): void {
  if (response.closed || response.destroyed) action();
  else response.once('close', action);
}
