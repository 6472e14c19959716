// Webhooks in Redis: `webhooks` holds the ids of all that are not over by when they are due, `webhook:<id>` what is
// known of one, which goes by itself when its time is over.
import type { StoredWebhook, Webhooks } from '../webhooks.ts';
import type { Reply, SharedRedis } from './redis.ts';

const ADD = `
local name = ns .. 'webhook:' .. arg.id
if redis.call('EXISTS', name) == 1 then return 0 end
redis.call('HSET', name, 'owner', arg.owner, 'data', arg.data, 'due', arg.due)
redis.call('PEXPIRE', name, math.max(1, arg.expires - now))
redis.call('ZADD', ns .. 'webhooks', arg.due, arg.id)
return 1
`;
const CLAIM = `
while true do
  local id = redis.call('ZRANGEBYSCORE', ns .. 'webhooks', '-inf', now, 'LIMIT', 0, 1)[1]
  if not id then return nil end
  local name = ns .. 'webhook:' .. id
  if redis.call('EXISTS', name) == 1 then
    redis.call('ZADD', ns .. 'webhooks', now + arg.lease, id)
    redis.call('HSET', name, 'due', now + arg.lease)
    return { id, redis.call('HGET', name, 'owner'), redis.call('HGET', name, 'data'), redis.call('HGET', name, 'due') }
  end
  redis.call('ZREM', ns .. 'webhooks', id)
end
`;
const SETTLE = `
local name = ns .. 'webhook:' .. arg.id
if redis.call('EXISTS', name) == 0 then return 0 end
redis.call('HSET', name, 'data', arg.data)
if arg.due then
  redis.call('HSET', name, 'due', arg.due)
  redis.call('ZADD', ns .. 'webhooks', arg.due, arg.id)
else
  redis.call('HDEL', name, 'due')
  redis.call('ZREM', ns .. 'webhooks', arg.id)
end
redis.call('PEXPIRE', name, math.max(1, arg.expires - now))
return 1
`;
const WAKE = `
local due = redis.call('ZSCORE', ns .. 'webhooks', arg.id)
if not due or tonumber(due) <= now then return 0 end
redis.call('ZADD', ns .. 'webhooks', now, arg.id)
redis.call('HSET', ns .. 'webhook:' .. arg.id, 'due', now)
return 1
`;
const GET = `
local name = ns .. 'webhook:' .. arg.id
if redis.call('HGET', name, 'owner') ~= arg.owner then return nil end
return { arg.id, arg.owner, redis.call('HGET', name, 'data'), redis.call('HGET', name, 'due') or '' }
`;
const DROP = `
redis.call('ZREM', ns .. 'webhooks', arg.id)
return redis.call('DEL', ns .. 'webhook:' .. arg.id)
`;

export function createWebhooks(redis: SharedRedis): Webhooks {
  const [add, claim, settle] = [ADD, CLAIM, SETTLE].map((lua) => redis.script(lua));
  const [wake, get, drop] = [WAKE, GET, DROP].map((lua) => redis.script(lua));
  return {
    async add({ id, owner, data }, dueAt, expiresAt) {
      const times = { due: dueAt.getTime(), expires: expiresAt.getTime() };
      await add?.({ id, owner, data: JSON.stringify(data), ...times });
    },
    claim: async (leaseMs) => webhookOf((await claim?.({ lease: leaseMs })) ?? null),
    async settle(id, data, dueAt, expiresAt) {
      const times = { ...(dueAt && { due: dueAt.getTime() }), expires: expiresAt.getTime() };
      await settle?.({ id, data: JSON.stringify(data), ...times });
    },
    async wake(id) {
      await wake?.({ id });
    },
    get: async (id, owner) => webhookOf((await get?.({ id, owner })) ?? null),
    async drop(id) {
      await drop?.({ id });
    },
  };
}

function webhookOf(reply: Reply): StoredWebhook | undefined {
  if (!Array.isArray(reply)) return undefined;
  const [id, owner, data, due] = reply.map(String);
  const dueAt = due ? new Date(Number(due)) : null;
  return { id: id ?? '', owner: owner ?? '', data: JSON.parse(data ?? '{}'), dueAt };
}
