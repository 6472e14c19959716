// Part of `npm run bench many`: how long bytes take from node to node with a job in Redis, and by the bucket. From this
// follows how many travel with the job.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BucketOptions } from '../service/src/contract/bucket.ts';
import { createLog } from '../service/src/contract/log.ts';
import { Mailbox, sendLetter } from '../service/src/jobs/queued/mailbox.ts';
import { type QueuedData, QueueRedis } from '../service/src/jobs/queued/queue-redis.ts';
import { openSharedState } from '../service/src/state/shared/shared-state.ts';

const KIB = 1024;
const SIZES = [16, 64, 128, 256, 512, 1024].map((kib) => kib * KIB);
const ROUNDS = 15;
const LIVES_MS = 60_000;

/** There as a job, and back as a letter with a result of the same size; or there and back as an object. */
export async function measureBytes(redisUrl: string, bucket: BucketOptions): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'bindery-bytes-'));
  const log = createLog('silent');
  const state = await openSharedState({ redisUrl, bucket: { ...bucket, prefix: 'bytes/' }, dataDir, log });
  const redis = await QueueRedis.open(state.servers, log);
  const queue = redis.queue('plain');
  await queue.waitUntilReady();
  const worker = redis.worker('plain');
  const { passing, node } = state.servers;
  let arrived: (letter: unknown) => void = () => {};
  const mailbox = new Mailbox(
    await redis.another(),
    redis.mailboxKey(node),
    (letter) => arrived(letter),
    log,
  );

  async function withTheJob(bytes: Buffer, id: string): Promise<void> {
    const data = { caller: node, frame: bytes.toString('base64') };
    await redis.add(queue, { id, lane: 'plain', owner: 'bench' }, data, 10, LIVES_MS);
    const job = await worker.getNextJob('bench', { block: false });
    if (!job) throw new Error('the job is not in its lane');
    const got = Buffer.from((job.data as QueuedData).frame, 'base64');
    const { promise, resolve } = Promise.withResolvers<unknown>();
    arrived = resolve;
    const result = { content: { bytes: got }, size: got.length, fileName: 'a', mediaType: 'b' };
    await sendLetter(redis, node, { jobId: id, outcome: { state: 'made', result } } as never, true);
    await promise;
    await job.moveToCompleted(null, 'bench', false);
  }

  async function byTheBucket(bytes: Buffer, id: string): Promise<void> {
    for (const way of ['there', 'back']) {
      const name = await passing.put({ bytes }, LIVES_MS);
      const path = join(dataDir, `${id}-${way}`);
      await passing.bringTo(name, path);
      await passing.remove(name);
      rmSync(path);
    }
  }

  try {
    console.log('bytes there and back, in ms at the median, with the job in Redis and by the bucket:');
    for (const size of SIZES) {
      const bytes = randomBytes(size);
      const times: [number[], number[]] = [[], []];
      for (let round = 0; round <= ROUNDS; round += 1)
        for (const [which, way] of [withTheJob, byTheBucket].entries()) {
          const begun = performance.now();
          await way(bytes, `${size}-${round}`);
          if (round > 0) times[which as 0 | 1].push(performance.now() - begun);
        }
      const [inRedis, inBucket] = times.map(
        (all) => all.sort((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0,
      ) as [number, number];
      console.log(
        `  ${String(size / KIB).padStart(5)} KiB  ${inRedis.toFixed(1).padStart(6)}  ${inBucket.toFixed(1).padStart(7)}`,
      );
    }
  } finally {
    mailbox.close();
    await worker.close(true).catch(() => {});
    await queue.close().catch(() => {});
    redis.close();
    await state.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
