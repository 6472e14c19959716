// Two services on one Redis and one bucket: what a caller begins on one goes on on the other.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import type { BucketOptions } from '../../service/src/contract/bucket.ts';
import { createKey, listKeys, revokeKey } from '../../service/src/keys.ts';
import { type RedisServer, startRedis, withoutRedis } from '../../service/testing/servers/redis.ts';
import { type S3Server, startSwift, withoutSwift } from '../../service/testing/servers/swift.ts';
import { until } from '../processes.ts';
import { filePart, fixture, form, type RunningService, startService } from '../service.ts';

const bytes = readFileSync(fixture('text-two-pages.pdf'));
const sent = (fields: Record<string, string> = {}): FormData =>
  form({ fileInput: filePart(fixture('text-two-pages.pdf')), ...fields });

describe('two services that share their state', { skip: withoutRedis || withoutSwift }, () => {
  let redis: RedisServer;
  let s3: S3Server;
  let bucket: BucketOptions;
  const services: RunningService[] = [];
  const service = (n: number): RunningService => services[n] as RunningService;
  const settings = (): Record<string, string> => ({
    BINDERY_REDIS_URL: redis.url,
    BINDERY_S3_ENDPOINT: s3.endpoint,
    BINDERY_S3_BUCKET: bucket.bucket,
    BINDERY_S3_ACCESS_KEY_ID: bucket.credentials?.accessKeyId ?? '',
    BINDERY_S3_SECRET_ACCESS_KEY: bucket.credentials?.secretAccessKey ?? '',
    BINDERY_UPLOAD_CHUNK_BYTES: '1024',
  });
  before(async () => {
    [redis, s3] = await Promise.all([startRedis(), startSwift()]);
    bucket = await s3.newBucket();
    for (let count = 0; count < 2; count += 1) services.push(await startService({ env: settings() }));
  });
  after(async () => {
    for (const one of services) await one.remove();
    await Promise.all([redis?.close(), s3?.close()]);
  });

  it('an upload goes from one to the other and back, and is used on the other', async () => {
    const json = { 'content-type': 'application/json' };
    const begun = await service(0).fetch('/api/v1/uploads', {
      method: 'POST',
      headers: json,
      body: JSON.stringify({ filename: 'a.pdf', size: bytes.length }),
    });
    assert.equal(begun.status, 201);
    const { id, chunkSize, chunkCount } = (await begun.json()) as {
      id: string;
      chunkSize: number;
      chunkCount: number;
    };
    for (let index = chunkCount - 1; index >= 0; index -= 1) {
      const chunk = bytes.subarray(index * chunkSize, (index + 1) * chunkSize);
      const put = await service(index % 2).fetch(`/api/v1/uploads/${id}/chunks/${index}`, {
        method: 'PUT',
        headers: { 'content-type': 'application/octet-stream' },
        body: new Uint8Array(chunk),
      });
      assert.ok(put.ok, `${index}: ${put.status} ${await put.text()}`);
    }
    const completed = await service(0).fetch(`/api/v1/uploads/${id}/complete`, { method: 'POST' });
    assert.ok(completed.ok, await completed.text());
    const named = () => form({ 'fileInput@upload': id });
    const counted = await service(1).post('analysis/page-count', named());
    assert.deepEqual([counted.status, await counted.json()], [200, { pageCount: 2 }]);
    const gone = await service(0).post('analysis/page-count', named());
    assert.equal(gone.status, 404);
  });

  it('a call under an Idempotency-Key is done once, whichever of them is asked', async () => {
    const headers = { 'idempotency-key': 'one-and-the-same' };
    const first = await service(0).post('general/rotate-pdf', sent({ angle: '90' }), headers);
    const again = await service(1).post('general/rotate-pdf', sent({ angle: '90' }), headers);
    assert.deepEqual([first.status, again.status], [200, 200]);
    assert.equal(again.headers.get('idempotency-replayed'), 'true');
    assert.deepEqual(Buffer.from(await again.arrayBuffer()), Buffer.from(await first.arrayBuffer()));
  });

  it('keys are administered beside them, and they obey within 5 seconds', async () => {
    const place = { redisUrl: redis.url, bucket };
    const options = { name: 'ci', plan: 'standard', scopes: '*', expires: 'never' };
    const { key, secret } = await createKey(place, options);
    const asked = (n: number) =>
      service(n).fetch('/api/v1/info/status', { headers: { 'x-api-key': secret } });
    assert.deepEqual([(await asked(0)).status, (await asked(1)).status], [200, 200]);
    assert.ok((await listKeys(place)).some(({ id }) => id === key.id));
    await revokeKey(place, key.id);
    const refused = async () => (await asked(0)).status === 401 && (await asked(1)).status === 401;
    await until('both refuse it', refused, 5000);
  });

  it('without Redis calls are 503 with Retry-After, health says why, and they recover by themselves', async () => {
    const healthIs = async (status: number): Promise<Response> => {
      for (let count = 0; ; count += 1) {
        const health = await service(0).fetch('/api/v1/info/health');
        if (health.status === status || count === 150) return health;
        await new Promise((next) => setTimeout(next, 100));
      }
    };
    await redis.kill();
    const refused = await service(0).post('analysis/page-count', sent());
    assert.deepEqual([refused.status, refused.headers.get('retry-after') !== null], [503, true]);
    const down = (await (await healthIs(503)).json()) as { ready: boolean; unreachable: string[] };
    assert.deepEqual([down.ready, down.unreachable], [false, ['Redis']]);
    await redis.again();
    assert.equal((await healthIs(200)).status, 200);
    assert.equal((await service(0).post('analysis/page-count', sent())).status, 200);
  });

  it('one of them with half of the settings does not start, and says which is missing', async () => {
    const { BINDERY_S3_BUCKET: _, ...half } = settings();
    await assert.rejects(startService({ env: half }), /BINDERY_S3_BUCKET/);
  });
});
