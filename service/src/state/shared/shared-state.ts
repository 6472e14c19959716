// State that many nodes share: what is small in Redis, bytes in a bucket. Everything but keys and the installation's
// secrets goes by itself, also when every node has died.
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { BucketOptions } from '../../contract/bucket.ts';
import type { Log } from '../../contract/log.ts';
import { type SharedServers, SharedTraffic } from '../../contract/shared-servers.ts';
import { lockDataFolder } from '../data-folder-lock.ts';
import { newName } from '../new-name.ts';
import type { Keys, State } from '../state.ts';
import { createFiles } from './files.ts';
import { openInstallation } from './installation.ts';
import { createJobs } from './jobs.ts';
import { createKeys } from './keys.ts';
import { createExclusive } from './lock.ts';
import { readTransientName, TRANSIENT, TRANSIENT_DAYS, transientName } from './names.ts';
import { joinNodes } from './nodes.ts';
import { type Objects, openBucket, pourInto } from './objects.ts';
import { createRates } from './rates.ts';
import { openRedis } from './redis.ts';
import { createReplays } from './replays.ts';
import { createUploads, type SharedUploads } from './uploads.ts';
import { createUsage } from './usage.ts';
import { createWebhooks } from './webhooks.ts';

export interface SharedOptions {
  redisUrl: string;
  bucket: BucketOptions;
  /** Of this node: for bytes on their way. */
  dataDir: string;
  log: Log;
  now?: () => Date;
}

export interface SharedState extends State {
  /** For work that the nodes share. */
  servers: SharedServers;
}

export async function openSharedState({
  redisUrl,
  bucket,
  dataDir,
  log,
  now,
}: SharedOptions): Promise<SharedState> {
  const unlock = lockDataFolder(dataDir);
  const spool = join(dataDir, 'spool');
  await rm(spool, { recursive: true, force: true });
  await mkdir(spool, { recursive: true, mode: 0o700 });
  const spoolPath = (): string => join(spool, newName());

  const traffic = new SharedTraffic();
  const { redis, objects, exclusive, close } = await openServers({
    ...{ redisUrl, bucket, log, now, traffic },
  }).catch((error) => {
    unlock();
    throw error;
  });
  const watch = watchServers({ Redis: redis, S3: objects });
  try {
    const installation = await openInstallation(objects, exclusive);
    const node = await joinNodes(redis);
    const clock = now ?? (() => new Date());
    const keys = createKeys(redis, objects, exclusive, clock, log);
    const jobs = createJobs(redis, objects, clock, log);
    const rates = createRates(redis, clock);
    const uploads = createUploads(redis, objects, node, spoolPath, log);
    if (!(await objects.expireByRule(TRANSIENT, TRANSIENT_DAYS)))
      log.info('The bucket takes no rule by which objects expire; the nodes remove them.');
    return {
      ...installation,
      keys,
      usage: createUsage(redis, clock),
      rates,
      uploads,
      replays: createReplays(redis, objects, log),
      files: createFiles(redis, objects, spoolPath, log),
      jobs,
      webhooks: createWebhooks(redis),
      servers: {
        ...{ redisUrl, namespace: namespaceOf(bucket), node: node.id, traffic },
        script: redis.script,
        passing: passingBytes(objects),
      },
      unreachable: watch.unreachable,
      async sweep(at) {
        rates.sweep(at);
        await uploads.sweep(at);
        await jobs.sweep(at);
        await sweepObjects(objects, uploads, at, log);
      },
      async close() {
        watch.end();
        await node.leave();
        await close();
        unlock();
      },
    };
  } catch (error) {
    watch.end();
    await close();
    unlock();
    throw error;
  }
}

type Servers = Pick<SharedOptions, 'redisUrl' | 'bucket' | 'log' | 'now'>;

const namespaceOf = ({ prefix }: BucketOptions): string => `bindery:${prefix}`;

async function openServers({
  redisUrl,
  bucket,
  log,
  now,
  traffic = new SharedTraffic(),
}: Servers & { traffic?: SharedTraffic }) {
  const redis = await openRedis({ url: redisUrl, namespace: namespaceOf(bucket), log, traffic, now });
  const objects = await openBucket(bucket, traffic);
  const close = async (): Promise<void> => {
    await redis.close();
    objects.close();
  };
  try {
    await objects.ping();
  } catch (error) {
    await close();
    throw error;
  }
  return { redis, objects, exclusive: createExclusive(redis), close };
}

/** The keys alone, for whoever administers them beside the nodes. */
export async function withSharedKeys<T>(
  { redisUrl, bucket, log }: Servers,
  work: (keys: Keys) => Promise<T>,
): Promise<T> {
  const { redis, objects, exclusive, close } = await openServers({ redisUrl, bucket, log });
  try {
    return await work(createKeys(redis, objects, exclusive, () => new Date(), log));
  } finally {
    await close();
  }
}

const passingBytes = (objects: Objects): SharedServers['passing'] => ({
  async put(content, livesMs) {
    const name = transientName('job', newName(), new Date(Date.now() + livesMs));
    await objects.put(name, content);
    return name;
  },
  bringTo: async (name, path) => pourInto(path, await objects.stream(name)),
  remove: (name) => objects.remove(name),
});

const LOOK_EVERY_MS = 2000;

/** Asks every server again and again, so that nobody has to wait to know. */
function watchServers(servers: Record<string, { ping(): Promise<void> }>) {
  const down = new Set<string>();
  const look = (): void => {
    for (const [name, server] of Object.entries(servers))
      server.ping().then(
        () => down.delete(name),
        () => down.add(name),
      );
  };
  const timer = setInterval(look, LOOK_EVERY_MS);
  timer.unref();
  return { unreachable: () => [...down], end: () => clearInterval(timer) };
}

/** Objects whose time is over, oldest first; stops at the first whose time is not. */
async function sweepObjects(objects: Objects, uploads: SharedUploads, at: Date, log: Log): Promise<void> {
  const isOver = (name: string): boolean => (readTransientName(name)?.expiresAt ?? 0) <= at.getTime();
  let removed = 0;
  for (let after: string | undefined; ; ) {
    const page = await objects.list(TRANSIENT, after);
    const over = page.filter(({ name }) => isOver(name));
    for (const { name } of over) {
      const read = readTransientName(name);
      // A long request may still use an upload beyond its end.
      if (read?.kind === 'upload' && (await uploads.isKnown(read.id))) continue;
      await objects.remove(name);
      removed += 1;
    }
    after = page.at(-1)?.name;
    if (after === undefined || over.length < page.length) break;
  }
  for (const { name, id } of await objects.multipart.list(TRANSIENT))
    if (isOver(name)) await objects.multipart.abort(name, id);
  if (removed > 0) log.info('Objects swept.', { removed });
}
