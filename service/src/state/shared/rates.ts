// Fixed windows, each opened by the first request of its key, counted for all nodes together. Where there is no limit
// each node counts for itself: what is told of such a key bounds nobody, and asks nothing of Redis.
import { createRates as createOwnRates } from '../embedded/rates.ts';
import type { Rates } from '../state.ts';
import type { SharedRedis } from './redis.ts';

const TAKE = `
local name = ns .. 'rate:' .. arg.key
local window = redis.call('HMGET', name, 'count', 'reset')
local count, reset = tonumber(window[1]), tonumber(window[2])
-- A clock set back must not lengthen a window.
if not reset or now >= reset or reset - now > arg.window then count, reset = 0, now + arg.window end
local allowed = count + arg.calls <= arg.limit
if allowed then count = count + arg.calls end
redis.call('HSET', name, 'count', count, 'reset', reset)
redis.call('PEXPIRE', name, arg.window)
return { allowed and 1 or 0, count, tostring(reset) }
`;

export function createRates(redis: SharedRedis, now: () => Date): Rates & { sweep(now: Date): void } {
  const script = redis.script(TAKE);
  const own = createOwnRates(now);
  return {
    sweep: own.sweep,
    async take(keyId, limit, windowMs, calls = 1) {
      if (limit === null) return own.take(keyId, limit, windowMs, calls);
      const reply = await script({ key: keyId, limit, window: windowMs, calls });
      const [allowed, count, resetAt] = reply as [number, number, string];
      return {
        allowed: allowed === 1,
        limit,
        remaining: Math.max(0, limit - count),
        resetAt: new Date(Number(resetAt)),
      };
    },
  };
}
