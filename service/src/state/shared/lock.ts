// One node at a time, for steps that are more than one script: they ask the bucket in between.
import { setTimeout as pause } from 'node:timers/promises';
import { Problem } from '../../contract/problems.ts';
import { newName } from '../new-name.ts';
import type { SharedRedis } from './redis.ts';

/** A node that dies within leaves the lock to others after this time. */
const HELD_MS = 30_000;
const WAIT_MS = 10_000;
const LOOK_EVERY_MS = 20;

export type Exclusive = <T>(what: string, work: () => Promise<T>) => Promise<T>;

export function createExclusive(redis: SharedRedis): Exclusive {
  const take = redis.script(`
    return redis.call('SET', ns .. 'lock:' .. arg.what, arg.token, 'NX', 'PX', ${HELD_MS}) and 1 or 0
  `);
  const give = redis.script(`
    if redis.call('GET', ns .. 'lock:' .. arg.what) == arg.token then redis.call('DEL', ns .. 'lock:' .. arg.what) end
  `);
  return async (what, work) => {
    const token = newName();
    const giveUpAt = performance.now() + WAIT_MS;
    while ((await take({ what, token })) !== 1) {
      if (performance.now() > giveUpAt)
        throw new Problem('unavailable', 'Another node is busy with the same.', { retryAfterSeconds: 2 });
      await pause(LOOK_EVERY_MS);
    }
    try {
      return await work();
    } finally {
      await give({ what, token }).catch(() => {});
    }
  };
}
