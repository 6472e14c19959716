// Keys: asked for in Redis, written to the bucket first. Redis may lose them; they are then read anew from there.
import type { Log } from '../../contract/log.ts';
import { hashOf, newKeyId, newSecret } from '../key-secrets.ts';
import { type ApiKey, type Keys, LAST_USED_EVERY_MS, type NewKey, type SeedKey } from '../state.ts';
import type { Exclusive } from './lock.ts';
import type { Objects } from './objects.ts';
import type { SharedRedis } from './redis.ts';

const FOLDER = 'keys/';
/** One that was found is asked for again after this time: a key that another node revoked stops within it. */
const FOUND_FOR_MS = 2000;
const MOST_FOUND = 10_000;

/** As it stands in Redis and in the bucket; times in milliseconds. */
interface KeyRecord {
  id: string;
  name: string;
  plan: string;
  scopes: readonly string[];
  createdAt: number;
  expiresAt: number | null;
  revokedAt: number | null;
  seeded: boolean;
  secrets: { hash: string; validUntil: number | null }[];
}

interface FoundKeys {
  /** By the clock that nobody sets. */
  at: number;
  keys: { record: KeyRecord; used: string | null }[];
}

const NOT_LOADED = 'not loaded';
const IF_LOADED = `if redis.call('EXISTS', ns .. 'keys-loaded') == 0 then return '${NOT_LOADED}' end\n`;

/** Secrets lead to the ids of their keys: an operator may seed the secret of a key made before. */
const WRITE = `
local function unlink(record)
  for _, secret in ipairs(record.secrets) do
    local left = {}
    for id in string.gmatch(redis.call('HGET', ns .. 'secrets', secret.hash) or '', '[^,]+') do
      if id ~= record.id then left[#left + 1] = id end
    end
    if #left > 0 then redis.call('HSET', ns .. 'secrets', secret.hash, table.concat(left, ','))
    else redis.call('HDEL', ns .. 'secrets', secret.hash) end
  end
end
for _, text in ipairs(arg.records) do
  local record = cjson.decode(text)
  local before = redis.call('HGET', ns .. 'keys', record.id)
  if not (before and arg.onlyNew) then
    if before then unlink(cjson.decode(before)) end
    redis.call('HSET', ns .. 'keys', record.id, text)
    for _, secret in ipairs(record.secrets) do
      local ids = redis.call('HGET', ns .. 'secrets', secret.hash)
      redis.call('HSET', ns .. 'secrets', secret.hash, ids and (ids .. ',' .. record.id) or record.id)
    end
  end
end
if arg.loaded then redis.call('SET', ns .. 'keys-loaded', '1') end
`;

const FIND = `${IF_LOADED}
local found = {}
for id in string.gmatch(redis.call('HGET', ns .. 'secrets', arg.hash) or '', '[^,]+') do
  local text = redis.call('HGET', ns .. 'keys', id)
  if text then found[#found + 1] = { text, redis.call('HGET', ns .. 'keys-used', id) } end
end
return found
`;

const LIST = `${IF_LOADED}
local found = {}
local records = redis.call('HGETALL', ns .. 'keys')
for index = 1, #records, 2 do
  found[#found + 1] = { records[index + 1], redis.call('HGET', ns .. 'keys-used', records[index]) }
end
return found
`;

const ONE = `${IF_LOADED}
return { redis.call('HGET', ns .. 'keys', arg.id) }
`;

export function createKeys(
  redis: SharedRedis,
  objects: Objects,
  exclusive: Exclusive,
  now: () => Date,
  log: Log,
): Keys {
  const write = redis.script(WRITE);
  const find = redis.script(FIND);
  const list = redis.script(LIST);
  const one = redis.script(ONE);
  const touch = redis.script(`redis.call('HSET', ns .. 'keys-used', arg.id, arg.at)`);

  /** Reads all keys from the bucket, as after a loss of Redis. */
  async function rebuild(): Promise<void> {
    const records: string[] = [];
    for (let after: string | undefined; ; ) {
      const page = await objects.list(FOLDER, after);
      for (const { name } of page) {
        const bytes = await objects.get(name);
        if (bytes) records.push(bytes.toString('utf8'));
      }
      after = page.at(-1)?.name;
      if (after === undefined) break;
    }
    await write({ records, onlyNew: true, loaded: true });
    if (records.length > 0) log.info('keys were read from the bucket', { keys: records.length });
  }

  /** Redis that was emptied or lost is filled again. */
  async function loaded<T>(ask: () => Promise<T>): Promise<T> {
    const reply = await ask();
    if (reply !== NOT_LOADED) return reply;
    await exclusive('keys-rebuild', async () => {
      if ((await ask()) === NOT_LOADED) await rebuild();
    });
    return ask();
  }

  const stored = async (
    argument: Record<string, unknown>,
    script = find,
  ): Promise<[string, string | null][]> =>
    (await loaded(() => script(argument))) as [string, string | null][];

  let found = new Map<string, FoundKeys>();

  async function keysWith(hash: string): Promise<FoundKeys> {
    const before = found.get(hash);
    if (before && performance.now() - before.at < FOUND_FOR_MS) return before;
    const noting = found;
    const at = performance.now();
    const keys = (await stored({ hash })).map(([text, used]) => ({ record: JSON.parse(text), used }));
    if (noting.size >= MOST_FOUND) noting.clear();
    if (keys.length > 0) noting.set(hash, { at, keys });
    return { at, keys };
  }

  /** The bucket first: what Redis is told and the bucket is not would be undone by its next loss. */
  async function save(record: KeyRecord): Promise<void> {
    const text = JSON.stringify(record);
    await objects.put(`${FOLDER}${record.id}.json`, { bytes: Buffer.from(text) });
    await write({ records: [text] });
    // What is still being asked for may be older: it is noted where nobody looks.
    found = new Map();
  }

  async function recordOf(id: string): Promise<KeyRecord | undefined> {
    const [text] = (await loaded(() => one({ id }))) as [string | null];
    return text ? JSON.parse(text) : undefined;
  }

  const isLive = (record: KeyRecord): boolean =>
    record.revokedAt === null && (record.expiresAt === null || record.expiresAt > now().getTime());

  const newRecord = (key: NewKey, secret: string, seeded: boolean): KeyRecord => ({
    id: newKeyId(),
    name: key.name,
    plan: key.plan,
    scopes: key.scopes,
    createdAt: now().getTime(),
    expiresAt: key.expiresAt?.getTime() ?? null,
    revokedAt: null,
    seeded,
    secrets: [{ hash: hexOf(secret), validUntil: null }],
  });

  const all = async (): Promise<{ record: KeyRecord; used: string | null }[]> =>
    (await stored({}, list)).map(([text, used]) => ({ record: JSON.parse(text), used }));

  async function seed(key: SeedKey | null): Promise<KeyRecord | null> {
    const before = (await all()).find(({ record }) => record.seeded)?.record;
    if (key === null) {
      if (before) await save({ ...before, secrets: [], revokedAt: before.revokedAt ?? now().getTime() });
      return null;
    }
    const fresh = newRecord({ ...key, expiresAt: null }, key.secret, true);
    // What the operator sets always works: the key is revived, and a secret set before is gone at once.
    const record = before ? { ...fresh, id: before.id, createdAt: before.createdAt } : fresh;
    if (JSON.stringify(record) !== JSON.stringify(before)) await save(record);
    return record;
  }

  return {
    async create(key) {
      const secret = newSecret();
      const record = newRecord(key, secret, false);
      // An emptied Redis must not look as if this were the only key.
      await loaded(() => one({ id: record.id }));
      await save(record);
      return { key: keyOf(record, null), secret };
    },
    seed: (key) =>
      exclusive('keys', async () => {
        const record = await seed(key);
        return record && keyOf(record, null);
      }),
    async find(secret) {
      const at = now().getTime();
      const hash = hexOf(secret);
      const live = (await keysWith(hash)).keys.filter(
        ({ record }) =>
          isLive(record) &&
          record.secrets.some(
            ({ hash: own, validUntil }) => own === hash && (validUntil === null || validUntil > at),
          ),
      );
      const key = live.find(({ record }) => record.seeded) ?? live[0];
      if (!key) return undefined;
      if (key.used === null || at - Number(key.used) >= LAST_USED_EVERY_MS) {
        await touch({ id: key.record.id, at: String(at) });
        key.used = String(at);
      }
      return keyOf(key.record, key.used);
    },
    async isLive(id) {
      const record = await recordOf(id);
      return record !== undefined && isLive(record);
    },
    async list() {
      const keys = (await all()).map(({ record, used }) => keyOf(record, used));
      return keys.sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : 1));
    },
    revoke: (id) =>
      exclusive('keys', async () => {
        const record = await recordOf(id);
        if (!record || record.revokedAt !== null) return false;
        await save({ ...record, revokedAt: now().getTime() });
        return true;
      }),
    rotate: (id, graceMs) =>
      exclusive('keys', async () => {
        const record = await recordOf(id);
        if (!record || record.seeded || !isLive(record)) return undefined;
        const at = now().getTime();
        const end = at + graceMs;
        const secret = newSecret();
        const older = record.secrets
          .map(({ hash, validUntil }) => ({ hash, validUntil: Math.min(validUntil ?? end, end) }))
          .filter(({ validUntil }) => validUntil > at);
        await save({ ...record, secrets: [...older, { hash: hexOf(secret), validUntil: null }] });
        return secret;
      }),
  };
}

const hexOf = (secret: string): string => hashOf(secret).toString('hex');

const dateOf = (time: number | null): Date | null => (time === null ? null : new Date(time));

const keyOf = (record: KeyRecord, used: string | null): ApiKey => ({
  id: record.id,
  name: record.name,
  plan: record.plan,
  scopes: record.scopes,
  createdAt: new Date(record.createdAt),
  lastUsedAt: used === null ? null : new Date(Number(used)),
  expiresAt: dateOf(record.expiresAt),
  revokedAt: dateOf(record.revokedAt),
  seeded: record.seeded,
});
