// Fixed windows, each opened by the first request of its key, counted for all nodes together.
import type { Rates } from '../state.ts';
import type { SharedRedis } from './redis.ts';

const TAKE = `
local name = ns .. 'rate:' .. arg.key
local window = redis.call('HMGET', name, 'count', 'reset')
local count, reset = tonumber(window[1]), tonumber(window[2])
-- A clock set back must not lengthen a window.
if not reset or now >= reset or reset - now > arg.window then count, reset = 0, now + arg.window end
local allowed = arg.limit == nil or arg.limit == cjson.null or count + arg.calls <= arg.limit
if allowed then count = count + arg.calls end
redis.call('HSET', name, 'count', count, 'reset', reset)
redis.call('PEXPIRE', name, arg.window)
return { allowed and 1 or 0, count, tostring(reset) }
`;

export function createRates(redis: SharedRedis): Rates {
  const script = redis.script(TAKE);
  return {
    async take(keyId, limit, windowMs, calls = 1) {
      const reply = await script({ key: keyId, limit, window: windowMs, calls });
      const [allowed, count, resetAt] = reply as [number, number, string];
      const most = limit ?? Number.MAX_SAFE_INTEGER;
      return {
        allowed: allowed === 1,
        limit: most,
        remaining: Math.max(0, most - count),
        resetAt: new Date(Number(resetAt)),
      };
    },
  };
}
