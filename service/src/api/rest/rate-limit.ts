// Interface 8: X-RateLimit-* on every response of a keyed call, Retry-After on 429.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';
import { Problem } from '../../contract/problems.ts';
import { planOf } from '../../state/plans.ts';
import type { ApiKey, Rates, RateVerdict } from '../../state/state.ts';
import { findKey } from './authentication.ts';
import type { ServerParts } from './parts.ts';

/** Counts the call, or several that came as one, and writes the headers; whether it may go on is the verdict's. */
export async function countCall(
  key: ApiKey,
  reply: FastifyReply,
  rates: Rates,
  rate: Config['rate'],
  calls = 1,
): Promise<RateVerdict> {
  const verdict = await rates.take(key.id, planOf(key.plan, rate.limit).rateLimit, rate.windowMs, calls);
  reply.header('x-ratelimit-limit', String(verdict.limit));
  reply.header('x-ratelimit-remaining', String(Math.max(0, verdict.remaining)));
  reply.header('x-ratelimit-reset', String(Math.ceil(verdict.resetAt.getTime() / 1000)));
  return verdict;
}

export function requireRate(verdict: RateVerdict): void {
  if (verdict.allowed) return;
  throw new Problem(
    'rate_limited',
    `This API key has used up its ${verdict.limit} requests of the present window.`,
    {
      retryAfterSeconds: Math.max(1, Math.ceil((verdict.resetAt.getTime() - Date.now()) / 1000)),
    },
  );
}

/** A call that is refused for what it is, not for its key, counts like any other where it has one. */
export async function countKeyed(
  request: FastifyRequest,
  reply: FastifyReply,
  { state, config }: Pick<ServerParts, 'state' | 'config'>,
): Promise<void> {
  const key = await findKey(request, state.keys);
  if (key === undefined) return;
  // What is no path at all comes without a call.
  if (request.call) request.call.key = key;
  requireRate(await countCall(key, reply, state.rates, config.rate));
}
