// What is left in Redis and in the bucket when every call is over: what was promised to be kept, and nothing else.
import { Redis } from 'ioredis';
import { openBucket } from '../../service/src/state/shared/objects.ts';
import { until } from '../../test/processes.ts';
import type { Cluster } from './cluster.ts';

/** Longest life of what a job has put into the bucket, and a sweep. */
const OVER_WITHIN_MS = 330_000;

/** Of work in the queue; what asynchronous calls keep for their callers has other names. */
const OF_QUEUE = /^bindery:(?:job-|jobs:)/;
/** Of lanes and nodes; each goes by itself. */
const LASTING =
  /^bindery:(?:job-(?:lanes|nodes?|turns|bell)\b.*|jobs:[\w+]+:(?:events|id|meta|stalled-check|marker|pc))$/;
/** Without an end. */
const KEYS = /^bindery:(?:keys|secrets|keys-used|keys-loaded)$/;

export interface Leftovers {
  figures: string;
  failures: string[];
}

export async function leftovers(cluster: Cluster): Promise<Leftovers> {
  const redis = new Redis(cluster.redis.url);
  const objects = await openBucket({ ...cluster.bucket, endpoint: cluster.s3.endpoint });
  const ofJobs = async (): Promise<string[]> =>
    (await redis.keys('bindery:job*')).filter((name) => OF_QUEUE.test(name) && !LASTING.test(name));
  const jobObjects = async (): Promise<string[]> =>
    (await objects.list('transient/')).map(({ name }) => name).filter((name) => /-job-/.test(name));
  const begun = performance.now();
  const failures: string[] = [];
  const gone = async (what: string, look: () => Promise<string[]>): Promise<number> => {
    const atFirst = (await look()).length;
    await until(what, async () => (await look()).length === 0, OVER_WITHIN_MS).catch(async () => {
      const left = await look();
      failures.push(`${left.length} ${what} are left, such as ${left[0]}`);
    });
    return atFirst;
  };
  try {
    const jobs = await gone('keys of jobs', ofJobs);
    const bytes = await gone('objects of jobs', jobObjects);
    const names = await redis.keys('*');
    for (const name of names)
      if ((await redis.pttl(name)) === -1 && !KEYS.test(name)) failures.push(`${name} stays for ever`);
    const kept = await unknownObjects(redis, objects);
    if (kept.length > 0) failures.push(`${kept.length} objects that nobody knows, such as ${kept[0]}`);
    const seconds = Math.round((performance.now() - begun) / 1000);
    return {
      figures: `at first ${jobs} keys and ${bytes} objects of jobs; 0 after ${seconds} s; ${names.length} keys in Redis, all with an end but those of API keys`,
      failures,
    };
  } finally {
    redis.disconnect();
    objects.close();
  }
}

/** Uploads, stored answers and files that Redis does not know. */
async function unknownObjects(
  redis: Redis,
  objects: Awaited<ReturnType<typeof openBucket>>,
): Promise<string[]> {
  const known = new Set<string>();
  for (const name of await redis.keys('bindery:replay:*')) {
    const object = await redis.hget(name, 'object');
    if (object) known.add(object);
  }
  const texts: string[] = [];
  // A slash is escaped where a script in Redis wrote the name.
  for (const name of [...(await redis.keys('bindery:upload:*')), ...(await redis.keys('bindery:file:*'))])
    texts.push(JSON.stringify(await redis.hgetall(name).catch(() => ({}))).replaceAll('\\', ''));
  const isNamed = (name: string): boolean => known.has(name) || texts.some((text) => text.includes(name));
  const listed = (await objects.list('transient/')).map(({ name }) => name);
  return listed.filter((name) => !/-job-/.test(name) && !isNamed(name));
}
