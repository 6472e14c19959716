// The connection to Redis or Valkey: what is small and shared. Every step of the state is one script, so nothing can
// come between a check and its act, on whichever node it runs.
import type { Redis } from 'ioredis';
import type { Log } from '../../contract/log.ts';
import { Problem } from '../../contract/problems.ts';

/** Callers hear of an outage within this time instead of waiting for its end. */
const ANSWER_WITHIN_MS = 1500;
const CONNECT_WITHIN_MS = 5000;
const LONGEST_PAUSE_MS = 1000;
const RETRY_AFTER_SECONDS = 2;

/**
 * What every script begins with: the names of all keys begin with `ns`, and times are of Redis' own clock, the same
 * for every node. Only tests bring a clock of theirs.
 */
const PRELUDE = `
local ns = ARGV[1]
local now = tonumber(ARGV[2])
if now == nil then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end
local arg = cjson.decode(ARGV[3])
`;

/** JSON knows no infinity. */
export const finite = (bound: number): number => Math.min(bound, Number.MAX_SAFE_INTEGER);

export type Reply = string | number | null | Reply[];

/** A Lua function: a name lives at least so long from now. */
export const LASTING = `
local function lasting(name, ms)
  if redis.call('PTTL', name) < ms then redis.call('PEXPIRE', name, ms) end
end
`;

export type Script = (argument: Readonly<Record<string, unknown>>) => Promise<Reply>;

export interface SharedRedis {
  script(lua: string): Script;
  /** Resolves when it answers; throws Problem `unavailable` where it does not. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

export interface RedisOptions {
  url: string;
  /** Names of keys begin with it: several services may share one Redis. */
  namespace: string;
  log: Log;
  now?: (() => Date) | undefined;
}

export async function openRedis({ url, namespace, log, now }: RedisOptions): Promise<SharedRedis> {
  // Loaded here alone: the embedded service does without it.
  const { Redis } = await import('ioredis');
  const redis: Redis = new Redis(url, {
    lazyConnect: true,
    commandTimeout: ANSWER_WITHIN_MS,
    connectTimeout: CONNECT_WITHIN_MS,
    maxRetriesPerRequest: 0,
    // A call during an outage is refused at once, not kept for later.
    enableOfflineQueue: false,
    retryStrategy: (attempt) => Math.min(50 * 2 ** Math.min(attempt, 10), LONGEST_PAUSE_MS),
  });
  let isDown = false;
  redis.on('error', (error: Error) => {
    if (!isDown) log.error('Redis cannot be reached', { error: error.message });
    isDown = true;
  });
  redis.on('ready', () => {
    if (isDown) log.info('Redis is back');
    isDown = false;
  });
  let scripts = 0;

  async function asked<T>(question: () => Promise<T>): Promise<T> {
    try {
      return await question();
    } catch (error) {
      throw redisProblem(error);
    }
  }

  await asked(() => redis.connect());
  return {
    script(lua) {
      const name = `bindery${scripts++}`;
      redis.defineCommand(name, { numberOfKeys: 0, lua: PRELUDE + lua });
      type Command = (...words: string[]) => Promise<Reply>;
      const command = (redis as unknown as Record<string, Command>)[name] as Command;
      return (argument) =>
        asked(() =>
          command.call(redis, namespace, now ? String(now().getTime()) : '', JSON.stringify(argument)),
        );
    },
    async ping() {
      await asked(() => redis.ping());
    },
    async close() {
      redis.disconnect();
    },
  };
}

/** What Redis says of a script is a fault of ours; anything else is that it is not there. */
function redisProblem(error: unknown): unknown {
  const isReply = error instanceof Error && error.name === 'ReplyError';
  // It answers, but is starting, read-only, full or busy with a script.
  const passes =
    isReply && /^(LOADING|READONLY|OOM|BUSY|MASTERDOWN|NOREPLICAS|MISCONF)\b/.test(error.message);
  if (isReply && !passes) return error;
  return new Problem('unavailable', 'The shared state of the service cannot be reached.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    cause: error,
  });
}
