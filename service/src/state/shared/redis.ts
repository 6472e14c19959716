// The connection to Redis or Valkey: what is small and shared. Every step of the state is one script, so nothing can
// come between a check and its act, on whichever node it runs.
import type { Redis } from 'ioredis';
import type { Log } from '../../contract/log.ts';
import { REDIS_CONNECTION, redisProblem } from '../../contract/redis-connection.ts';
import type { Reply, Script, SharedTraffic } from '../../contract/shared-servers.ts';

export type { Reply, Script } from '../../contract/shared-servers.ts';

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

/** A Lua function: a name lives at least so long from now. */
export const LASTING = `
local function lasting(name, ms)
  if redis.call('PTTL', name) < ms then redis.call('PEXPIRE', name, ms) end
end
`;

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
  traffic: SharedTraffic;
  now?: (() => Date) | undefined;
}

export async function openRedis({ url, namespace, log, traffic, now }: RedisOptions): Promise<SharedRedis> {
  // Loaded here alone: the embedded service does without it.
  const { Redis } = await import('ioredis');
  const redis: Redis = new Redis(url, REDIS_CONNECTION);
  countCommands(redis, traffic);
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

function countCommands(redis: Redis, traffic: SharedTraffic): void {
  const send = redis.sendCommand.bind(redis);
  redis.sendCommand = (...command) => {
    traffic.redisCommands += 1;
    return send(...command);
  };
}
