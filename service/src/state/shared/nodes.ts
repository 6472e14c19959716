// Which nodes are alive: each says so every few seconds, and what a dead one held is free.
import { newName } from '../new-name.ts';
import type { SharedRedis } from './redis.ts';

const SAY_EVERY_MS = 4000;
const DEAD_AFTER_MS = 15_000;

export interface ThisNode {
  id: string;
  leave(): Promise<void>;
}

/** A Lua function for scripts that ask whether a node is alive. */
export const IS_ALIVE = `
local function is_alive(node) return redis.call('EXISTS', ns .. 'node:' .. node) == 1 end
`;

export async function joinNodes(redis: SharedRedis): Promise<ThisNode> {
  const id = newName();
  const say = redis.script(`redis.call('SET', ns .. 'node:' .. arg.id, '1', 'PX', ${DEAD_AFTER_MS})`);
  const leave = redis.script(`redis.call('DEL', ns .. 'node:' .. arg.id)`);
  await say({ id });
  const timer = setInterval(() => void say({ id }).catch(() => {}), SAY_EVERY_MS);
  timer.unref();
  return {
    id,
    async leave() {
      clearInterval(timer);
      await leave({ id }).catch(() => {});
    },
  };
}
