// Answers kept for idempotent retries: small ones in Redis, larger bodies in the bucket. All go by themselves.
import { createHash } from 'node:crypto';
import { KIB } from '../../contract/limits.ts';
import type { Log } from '../../contract/log.ts';
import { newName } from '../new-name.ts';
import { MAX_REPLAYS_OF_KEY, type Replays } from '../state.ts';
import { transientName } from './names.ts';
import { ObjectBytes } from './object-bytes.ts';
import type { Objects } from './objects.ts';
import type { Reply, SharedRedis } from './redis.ts';
import { contentOf } from './taken-in.ts';

/** Redis holds all in memory: a refusal or a short answer may stand there, no document. */
const MOST_IN_REDIS_BYTES = 4 * KIB;

/** `until` is the end of the lease for a running request. */
const BEGIN = `
local name = ns .. 'replay:' .. arg.name
local row = redis.call('HMGET', name, 'fingerprint', 'lease', 'until', 'status', 'headers', 'body', 'object', 'size')
if row[3] and tonumber(row[3]) > now then
  if row[1] ~= arg.fingerprint then return 'reused' end
  if row[2] then return 'running' end
  return { row[4], row[5], row[6], row[7], row[8] }
end
redis.call('DEL', name)
redis.call('HSET', name, 'fingerprint', arg.fingerprint, 'lease', arg.lease, 'until', now + arg.ms)
redis.call('PEXPIRE', name, arg.ms)
return { 'begun', row[7] }
`;

const RENEW = `
local name = ns .. 'replay:' .. arg.name
if redis.call('HGET', name, 'lease') ~= arg.lease then return 0 end
redis.call('HSET', name, 'until', now + arg.ms)
redis.call('PEXPIRE', name, arg.ms)
return 1
`;

/** Returns objects that nobody needs any more; nil: the lease is lost. */
const STORE = `
local name = ns .. 'replay:' .. arg.name
if redis.call('HGET', name, 'lease') ~= arg.lease then return nil end
redis.call('HDEL', name, 'lease')
redis.call('HSET', name, 'until', arg.expiresAt, 'status', arg.status, 'headers', arg.headers, 'size', arg.size)
if arg.body then redis.call('HSET', name, 'body', arg.body) end
if arg.object then redis.call('HSET', name, 'object', arg.object) end
redis.call('PEXPIRE', name, math.max(1, arg.expiresAt - now))
local own = ns .. 'replays:' .. arg.owner
redis.call('ZADD', own, now, arg.name)
redis.call('PEXPIRE', own, math.max(1, arg.expiresAt - now))
local dropped = {}
while redis.call('ZCARD', own) > arg.most do
  local oldest = redis.call('ZPOPMIN', own)[1]
  local object = redis.call('HGET', ns .. 'replay:' .. oldest, 'object')
  if object then dropped[#dropped + 1] = object end
  redis.call('DEL', ns .. 'replay:' .. oldest)
end
return dropped
`;

const ABANDON = `
local name = ns .. 'replay:' .. arg.name
if redis.call('HGET', name, 'lease') == arg.lease then redis.call('DEL', name) end
`;

export function createReplays(redis: SharedRedis, objects: Objects, log: Log): Replays {
  const begin = redis.script(BEGIN);
  const renew = redis.script(RENEW);
  const store = redis.script(STORE);
  const abandon = redis.script(ABANDON);

  /** Best done now; what is missed here goes with its time. */
  const removed = async (object: Reply): Promise<void> => {
    if (object === null) return;
    await objects
      .remove(String(object))
      .catch((error) => log.warn('the body of a stored answer was not removed', { error: String(error) }));
  };

  return {
    async begin(owner, key, fingerprint, leaseMs) {
      const name = rowName(owner, key);
      const lease = newName();
      const reply = await begin({ name, fingerprint, lease, ms: leaseMs });
      if (reply === 'reused' || reply === 'running') return { state: reply };
      const [first, headers, body, object, size] = reply as Reply[];
      if (first === 'begun') {
        // Of an answer that stood here before: its time is over.
        await removed(headers ?? null);
        return { state: 'begun', lease: `${lease} ${name} ${owner}` };
      }
      const response = { status: Number(first), headers: JSON.parse(String(headers)) };
      if (typeof object === 'string') {
        const stored = new ObjectBytes(objects, [{ name: object, size: Number(size) }]);
        return { state: 'replay', response: { ...response, body: { stored } } };
      }
      const bytes = typeof body === 'string' ? { bytes: Buffer.from(body, 'base64') } : null;
      return { state: 'replay', response: { ...response, body: bytes } };
    },
    async renew(held, leaseMs) {
      return (await renew({ ...leaseOf(held), ms: leaseMs })) === 1;
    },
    async store(held, { status, headers, body }, expiresAt) {
      const content = body && (await contentOf(body));
      const size = content && ('bytes' in content ? content.bytes.length : content.size);
      const isSmall = content !== null && 'bytes' in content && content.bytes.length <= MOST_IN_REDIS_BYTES;
      const object =
        content && !isSmall && size !== 0 ? transientName('replay', newName(), expiresAt) : undefined;
      if (object && content) await objects.put(object, content);
      const inline =
        content && !object ? ('bytes' in content ? Buffer.from(content.bytes) : Buffer.alloc(0)) : null;
      const dropped = await store({
        ...leaseOf(held),
        status,
        headers: JSON.stringify(headers),
        size: size ?? 0,
        ...(inline && { body: inline.toString('base64') }),
        ...(object && { object }),
        expiresAt: expiresAt.getTime(),
        most: MAX_REPLAYS_OF_KEY,
      });
      if (dropped === null) {
        await removed(object ?? null);
        return false;
      }
      for (const one of dropped as Reply[]) await removed(one);
      return true;
    },
    async abandon(held) {
      await abandon(leaseOf(held));
    },
  };
}

const rowName = (owner: string, key: string): string =>
  createHash('sha256')
    .update(JSON.stringify([owner, key]))
    .digest('base64url');

/** A lease knows its row, so that nobody needs to look for it. */
function leaseOf(held: string): { lease: string; name: string; owner: string } {
  const [lease = '', name = '', owner = ''] = held.split(' ');
  return { lease, name, owner };
}
