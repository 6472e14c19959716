// Counted in Redis for all nodes together; what its loss loses is figures, no right of anybody.
import { dayOf, USAGE_DAYS, type Usage, type UsageOfOperation } from '../state.ts';
import type { SharedRedis } from './redis.ts';

const DAY_MS = 24 * 3600 * 1000;

const ADD = `
for _, count in ipairs(arg.counts) do
  local name = ns .. 'usage:' .. count.keyId .. ':' .. arg.day
  for _, figure in ipairs({ 'calls', 'failed', 'bytesIn', 'bytesOut' }) do
    redis.call('HINCRBY', name, figure .. ' ' .. count.operation, string.format('%.0f', count[figure]))
  end
  redis.call('PEXPIRE', name, arg.lasting)
end
`;

const OF = `
local found = {}
for _, day in ipairs(arg.days) do
  found[#found + 1] = redis.call('HGETALL', ns .. 'usage:' .. arg.key .. ':' .. day)
end
return found
`;

export function createUsage(redis: SharedRedis, now: () => Date): Usage {
  const add = redis.script(ADD);
  const of = redis.script(OF);
  return {
    async add(counts) {
      // An empty list would be an object to Lua.
      if (counts.length > 0) await add({ counts, day: dayOf(now()), lasting: (USAGE_DAYS + 1) * DAY_MS });
    },
    async of(keyId, days) {
      const asked = Array.from({ length: days }, (_, ago) => dayOf(new Date(now().getTime() - ago * DAY_MS)));
      const found = (await of({ key: keyId, days: asked })) as string[][];
      const sums = new Map<string, UsageOfOperation>();
      for (const day of found)
        for (let at = 0; at < day.length; at += 2) {
          const [figure = '', operation = ''] = (day[at] ?? '').split(' ');
          const sum = sums.get(operation) ?? { operation, calls: 0, failed: 0, bytesIn: 0, bytesOut: 0 };
          sum[figure as 'calls'] += Number(day[at + 1]);
          sums.set(operation, sum);
        }
      return [...sums.values()].sort((a, b) => (a.operation < b.operation ? -1 : 1));
    },
  };
}
