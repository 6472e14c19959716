import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { Redis } from 'ioredis';
import { until } from '../../../../test/processes.ts';
import { type RedisServer, startRedis, withoutRedis } from '../../../testing/servers/redis.ts';
import { type S3Server, startSwift, withoutSwift } from '../../../testing/servers/swift.ts';
import { stateLaws } from '../../../testing/state-laws/state-laws.ts';
import type { BucketOptions } from '../../contract/bucket.ts';
import { createLog } from '../../contract/log.ts';
import { Problem } from '../../contract/problems.ts';
import type { State } from '../state.ts';
import { openBucket } from './objects.ts';
import { openSharedState } from './shared-state.ts';

const skip = withoutRedis || withoutSwift;
const log = createLog('silent');
const HOUR = 3600_000;
const CAPS = { inProgress: 5, storageBytes: 1_000_000 };
const KEY = { name: 'a', plan: 'standard', scopes: ['*'], expiresAt: null };
const SOON_MS = 4000;

describe('on Redis and S3', { skip }, () => {
  let redis: RedisServer;
  let s3: S3Server;
  let bucket: BucketOptions;
  let homes = 0;
  before(async () => {
    [redis, s3] = await Promise.all([startRedis(), startSwift()]);
    bucket = await s3.newBucket();
  });
  after(async () => {
    await Promise.all([redis?.close(), s3?.close()]);
  });

  stateLaws('shared', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'bindery-shared-'));
    const prefix = `home-${homes++}/`;
    return {
      open: (now) =>
        openSharedState({ redisUrl: redis.url, bucket: { ...bucket, prefix }, dataDir, log, now }),
      remove: () => rm(dataDir, { recursive: true }),
      takesLargeFiles: false,
    };
  });

  describe('two nodes', () => {
    const folders: string[] = [];
    const nodes: State[] = [];
    const prefix = 'nodes/';
    const open = async (): Promise<State> => {
      const dataDir = await mkdtemp(join(tmpdir(), 'bindery-shared-'));
      folders.push(dataDir);
      const node = await openSharedState({
        redisUrl: redis.url,
        bucket: { ...bucket, prefix },
        dataDir,
        log,
      });
      nodes.push(node);
      return node;
    };
    let a: State;
    let b: State;
    before(async () => {
      a = await open();
      b = await open();
    });
    after(async () => {
      for (const node of nodes) await node.close();
      for (const folder of folders) await rm(folder, { recursive: true });
    });
    const inAnHour = () => new Date(Date.now() + HOUR);
    const once = async function* (text: string) {
      yield Buffer.from(text);
    };
    const begun = async (size: number, chunkSize: number) => {
      const upload = await a.uploads.begin(
        {
          owner: 'me',
          filename: 'a.pdf',
          contentType: null,
          size,
          chunkSize,
          chunkCount: Math.ceil(size / chunkSize),
          expiresAt: inAnHour(),
        },
        CAPS,
      );
      assert.ok(typeof upload === 'object');
      return upload.id;
    };

    it('an upload begun on one is continued on the other, completed on the first, used on the second', async () => {
      const id = await begun(6, 3);
      assert.equal(await a.uploads.putChunk(id, 'me', 1, 3, once('def'), CAPS.storageBytes), 'stored');
      assert.equal(await b.uploads.putChunk(id, 'me', 0, 3, once('abc'), CAPS.storageBytes), 'stored');
      assert.equal(await a.uploads.complete(id, 'me'), 'completed');
      const claimed = await b.uploads.claim(id, 'me', 'call');
      assert.equal(String(await claimed?.bytes.read(0, 6)), 'abcdef');
      assert.equal(await a.uploads.claim(id, 'me', 'another'), undefined);
      await b.uploads.consume('call');
      assert.equal(await a.uploads.get(id, 'me'), undefined);
    });

    it('a request answered by one is replayed by the other, and runs on one alone', async () => {
      const first = await a.replays.begin('me', 'k', 'f', 30_000);
      assert.ok(first.state === 'begun');
      assert.equal((await b.replays.begin('me', 'k', 'f', 30_000)).state, 'running');
      const body = { bytes: Buffer.alloc(20_000, 'x') };
      await a.replays.store(first.lease, { status: 200, headers: { a: 'b' }, body }, inAnHour());
      const again = await b.replays.begin('me', 'k', 'f', 30_000);
      assert.ok(again.state === 'replay' && again.response.body && 'stored' in again.response.body);
      assert.deepEqual(await again.response.body.stored.read(0, 20_000), body.bytes);
    });

    it('rates are counted for both together', async () => {
      const verdicts = await Promise.all(
        Array.from({ length: 60 }, (_, n) => (n % 2 ? a : b).rates.take('me', 25, 60_000)),
      );
      assert.equal(verdicts.filter(({ allowed }) => allowed).length, 25);
    });

    it('a key made on one works on the other until it is revoked on either', async () => {
      const { key, secret } = await a.keys.create(KEY);
      assert.equal((await b.keys.find(secret))?.id, key.id);
      // Just found, it is not asked for anew by each call.
      assert.ok(await a.keys.find(secret));
      assert.ok(await b.keys.revoke(key.id));
      assert.equal(await b.keys.find(secret), undefined);
      await until('the other knows', async () => (await a.keys.find(secret)) === undefined, 5000);
    });

    it('a file kept on one is read and dropped on the other, and addresses are signed alike', async () => {
      const file = { owner: 'me', filename: 'a', mediaType: 'text/plain', expiresAt: inAnHour() };
      const kept = await a.files.keep(
        file,
        { bytes: Buffer.from('content') },
        { files: 9, storageBytes: 100 },
      );
      assert.ok(typeof kept === 'object');
      const found = await b.files.find(kept.id, 'me');
      assert.ok(found);
      assert.equal(String(await (await b.files.bytesOf(found)).read(0, 7)), 'content');
      await b.files.drop(kept.id, 'me');
      assert.equal(await a.files.find(kept.id), undefined);
      assert.deepEqual(a.signingSecret, b.signingSecret);
    });

    it('what is left alone holds nothing but keys after two days', async () => {
      const { secret } = await a.keys.create(KEY);
      await begun(10, 5);
      const client = new Redis(redis.url);
      try {
        for (const name of await client.keys(`bindery:${prefix}*`)) {
          const isOfKeys = /:(.*\/)?(keys|secrets|keys-used|keys-loaded)$/.test(name);
          assert.equal((await client.pttl(name)) > 0, !isOfKeys, name);
        }
      } finally {
        client.disconnect();
      }
      await a.sweep(new Date(Date.now() + 48 * HOUR));
      const objects = await openBucket({ ...bucket, prefix });
      const names = (await objects.list('')).map(({ name }) => name);
      assert.deepEqual(await objects.multipart.list(''), []);
      objects.close();
      assert.ok(
        names.every((name) => /^(keys\/|installation\.json$)/.test(name)),
        names.join(),
      );
      assert.ok(await b.keys.find(secret));
    });

    it('keys outlive the loss of Redis', async () => {
      const { key, secret } = await a.keys.create(KEY);
      const client = new Redis(redis.url);
      await client.flushall();
      client.disconnect();
      const found = await Promise.all([a, b, a, b].map((node) => node.keys.find(secret)));
      assert.deepEqual(
        found.map((one) => one?.id),
        [key.id, key.id, key.id, key.id],
      );
      assert.equal(
        (await b.keys.list()).some(({ id }) => id === key.id),
        true,
      );
    });

    const refusedSoon = async (ask: () => Promise<unknown>): Promise<void> => {
      const begunAt = performance.now();
      await assert.rejects(ask, (error) => error instanceof Problem && error.reason === 'unavailable');
      assert.ok(performance.now() - begunAt < SOON_MS, `${performance.now() - begunAt} ms`);
    };
    const eventuallyAll = async (ask: () => Promise<unknown>): Promise<void> => {
      for (let count = 0; ; count += 1) {
        try {
          await ask();
          return;
        } catch (error) {
          if (count === 100) throw error;
          await new Promise((next) => setTimeout(next, 100));
        }
      }
    };

    it('calls without Redis are refused soon, and it needs no restart when it is back', async () => {
      const id = await begun(3, 3);
      assert.equal(await a.uploads.putChunk(id, 'me', 0, 3, once('abc'), CAPS.storageBytes), 'stored');
      assert.equal(await a.uploads.complete(id, 'me'), 'completed');
      assert.ok(await a.uploads.claim(id, 'me', 'broken-off'));
      await redis.kill();
      await refusedSoon(() => a.rates.take('me', 5, 1000));
      // The call that claimed it is refused like all others: the claim is given back as soon as that can be told.
      await a.uploads.release('broken-off');
      await redis.again();
      await eventuallyAll(() => a.rates.take('me', 5, 1000));
      await eventuallyAll(() => b.rates.take('me', 5, 1000));
      await until('it is free for another', () => b.uploads.claim(id, 'me', 'again'));
    });

    it('bytes that break off on their way from S3 are refused as those that do not come', async () => {
      const objects = await openBucket({ ...bucket, prefix });
      await objects.put('transient/long', { bytes: Buffer.alloc(8_000_000) });
      const read = async (): Promise<void> => {
        for await (const _ of await objects.stream('transient/long')) objects.close();
      };
      await assert.rejects(read, (error) => error instanceof Problem && error.reason === 'unavailable');
    });

    it('calls without S3 are refused soon, and it needs no restart when it is back', async () => {
      const file = { owner: 'me', filename: 'a', mediaType: 'text/plain', expiresAt: inAnHour() };
      const keep = () => a.files.keep(file, { bytes: Buffer.from('x') }, { files: 99, storageBytes: 1000 });
      s3.pause();
      try {
        await refusedSoon(keep);
      } finally {
        s3.resume();
      }
      await eventuallyAll(keep);
    });
  });
});
