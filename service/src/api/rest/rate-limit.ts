// Interface 8: X-RateLimit-* on every response of a keyed call, Retry-After on 429.
import type { FastifyReply } from 'fastify';
import type { Config } from '../../config.ts';
import { Problem } from '../../contract/problems.ts';
import { planOf } from '../../state/plans.ts';
import type { ApiKey, Rates, RateVerdict } from '../../state/state.ts';

/** Counts the call and writes the headers; whether it may go on is the verdict's. */
export async function countCall(
  key: ApiKey,
  reply: FastifyReply,
  rates: Rates,
  rate: Config['rate'],
): Promise<RateVerdict> {
  const verdict = await rates.take(key.id, planOf(key.plan, rate.limit).rateLimit, rate.windowMs);
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
