// Nodes on one Redis and one bucket, one that answers callers alone, one that does all, one that works alone: what a
// caller begins on one goes on on the other, and whichever can does the work.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { Webhook } from 'standardwebhooks';
import type { BucketOptions } from '../../service/src/contract/bucket.ts';
import { createKey, listKeys, revokeKey } from '../../service/src/keys.ts';
import { type RedisServer, startRedis, withoutRedis } from '../../service/testing/servers/redis.ts';
import { type S3Server, startSwift, withoutSwift } from '../../service/testing/servers/swift.ts';
import { killAll, until } from '../processes.ts';
import { filePart, fixture, form, problemOf, type RunningService, startService } from '../service.ts';

const bytes = readFileSync(fixture('text-two-pages.pdf'));
const sent = (fields: Record<string, string> = {}): FormData =>
  form({ fileInput: filePart(fixture('text-two-pages.pdf')), ...fields });

/** An outage is told within two seconds; a machine that is shared with all other tests may take longer. */
const SOON_MS = 4000;
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

describe('nodes that share their state and their work', { skip: withoutRedis || withoutSwift }, () => {
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
    // Workers can be stopped from here.
    BINDERY_ISOLATION: 'none',
    BINDERY_URL_ALLOW_HOSTS: host,
  });
  let receiver: Server;
  let host = '';
  const told: { body: string; headers: Record<string, string> }[] = [];
  before(async () => {
    receiver = createServer(async (request, response) => {
      const body = Buffer.concat(await request.toArray()).toString();
      told.push({ body, headers: request.headers as Record<string, string> });
      response.writeHead(204).end();
    });
    await new Promise<void>((up) => receiver.listen(0, '127.0.0.1', up));
    host = `127.0.0.1:${(receiver.address() as AddressInfo).port}`;
    [redis, s3] = await Promise.all([startRedis(), startSwift()]);
    bucket = await s3.newBucket();
    // One that answers callers is ready when there is one that works.
    const roles = ['api', 'all', 'worker'];
    const starting = roles.map((BINDERY_ROLE) => startService({ env: { ...settings(), BINDERY_ROLE } }));
    for (const start of await Promise.allSettled(starting))
      if (start.status === 'fulfilled') services.push(start.value);
    await Promise.all(starting);
  });
  after(async () => {
    receiver?.closeAllConnections();
    receiver?.close();
    for (const one of services) await one.remove();
    await Promise.all([redis?.close(), s3?.close()]);
  });

  /** What another program than ours sees in a document. */
  const pagesOf = (document: Uint8Array): string => {
    const folder = mkdtempSync(join(tmpdir(), 'bindery-nodes-'));
    try {
      writeFileSync(join(folder, 'a.pdf'), document);
      return execFileSync('qpdf', ['--show-npages', join(folder, 'a.pdf')], { encoding: 'utf8' }).trim();
    } finally {
      rmSync(folder, { recursive: true });
    }
  };

  /** A job begun on the node without workers, from the accepted answer to its result, asked of the other. */
  async function resultOf(accepted: Response): Promise<Uint8Array> {
    assert.equal(accepted.status, 202, await accepted.clone().text());
    const { id } = (await accepted.json()) as { id: string };
    const ended = await until('the job has ended', async () => {
      const job = (await (await service(1).fetch(`/api/v1/jobs/${id}`)).json()) as { status: string };
      return ['succeeded', 'failed'].includes(job.status) && job;
    });
    assert.equal(ended.status, 'succeeded', JSON.stringify(ended));
    const result = await service(1).fetch(`/api/v1/jobs/${id}/result`);
    assert.equal(result.status, 200);
    return result.bytes();
  }

  it('an asynchronous call to a node without workers is done by another, and its webhook is told', async () => {
    const fields = { angle: '90', webhookUrl: `http://${host}/`, webhookSecret: SECRET };
    const accepted = await service(0).post('general/rotate-pdf', sent(fields), { prefer: 'respond-async' });
    assert.equal(pagesOf(await resultOf(accepted)), '2');
    const { body, headers } = await until('the webhook is told', () => told[0]);
    assert.equal((new Webhook(SECRET).verify(body, headers) as { status: string }).status, 'succeeded');
  });

  it('so is a batch, of which one document fails', async () => {
    const files = [filePart(bytes, 'a.pdf'), filePart(Buffer.from('no document'), 'b.pdf')];
    const fields = { fileInput: files, operation: 'general/rotate-pdf', angle: '90' };
    const zip = await resultOf(await service(0).post('batch', form(fields)));
    const folder = mkdtempSync(join(tmpdir(), 'bindery-nodes-'));
    try {
      writeFileSync(join(folder, 'batch.zip'), zip);
      const listed = execFileSync('unzip', ['-Z1', join(folder, 'batch.zip')], { encoding: 'utf8' });
      const made = listed.split('\n').find((name) => name.endsWith('.pdf')) ?? '';
      const document = execFileSync('unzip', ['-p', join(folder, 'batch.zip'), made]);
      assert.equal(pagesOf(document), '2');
      assert.ok(!listed.includes('b.pdf'), listed);
    } finally {
      rmSync(folder, { recursive: true });
    }
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

  it('while S3 does not answer, what needs it is 503 with Retry-After soon, and it needs no restart', async () => {
    const large = new Uint8Array(Buffer.concat([bytes, Buffer.alloc(300_000, ' ')]));
    const calls: [FormData, Record<string, string>][] = [
      [form({ fileInput: filePart(large, 'a.pdf') }), {}],
      [sent({ angle: '90' }), { 'idempotency-key': 'kept-where-it-cannot-be' }],
    ];
    s3.pause();
    try {
      // What fits beside the job goes on.
      assert.equal((await service(0).post('general/rotate-pdf', sent({ angle: '90' }))).status, 200);
      for (const [body, headers] of calls) {
        const begun = performance.now();
        const refused = await service(0).post('general/rotate-pdf', body, headers);
        assert.deepEqual([refused.status, refused.headers.get('retry-after') !== null], [503, true]);
        assert.equal((await problemOf(refused)).reason, 'unavailable');
        assert.ok(performance.now() - begun < SOON_MS, `${performance.now() - begun} ms`);
      }
      const ready = async () => (await service(0).fetch('/api/v1/info/ready')).status;
      await until('it is not ready', async () => (await ready()) === 503);
    } finally {
      s3.resume();
    }
    for (const [body, headers] of calls)
      await until('it is answered', async () => {
        const answer = await service(0).post('general/rotate-pdf', body, headers);
        return answer.status === 200 && pagesOf(await answer.bytes()) === '2';
      });
  });

  it('a node that is killed while it is at a document is replaced: the caller gets the result of another', async () => {
    const nodes = [service(1), service(2)];
    const stopped = nodes.map((node) => node.workers());
    for (const pid of stopped.flat()) process.kill(pid, 'SIGSTOP');
    try {
      const answering = service(0).post('general/rotate-pdf', sent({ angle: '90' }));
      const busy = async (node: RunningService): Promise<boolean> =>
        /^bindery_workers_busy 1$/m.test(await (await fetch(`${node.url}/metrics`)).text());
      const at = await until('a node is at it', async () => {
        const which = await Promise.all(nodes.map(busy));
        return which.includes(true) && { node: which.indexOf(true) };
      });
      await nodes[at.node]?.stop('SIGKILL');
      for (const pid of stopped[1 - at.node] ?? []) process.kill(pid, 'SIGCONT');
      const answer = await answering;
      assert.equal(answer.status, 200);
      assert.equal(pagesOf(await answer.bytes()), '2');
      const metrics = await (await fetch(`${nodes[1 - at.node]?.url}/metrics`)).text();
      assert.match(metrics, /^bindery_job_retries_total 1$/m);
    } finally {
      killAll(stopped.flat());
    }
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
    const begun = performance.now();
    const refused = await service(0).post('analysis/page-count', sent());
    assert.deepEqual([refused.status, refused.headers.get('retry-after') !== null], [503, true]);
    assert.ok(performance.now() - begun < SOON_MS, `${performance.now() - begun} ms`);
    const down = (await (await healthIs(503)).json()) as { ready: boolean; unreachable: string[] };
    assert.deepEqual([down.ready, down.unreachable], [false, ['Redis']]);
    assert.equal((await service(0).fetch('/api/v1/info/ready')).status, 503);
    await redis.again();
    assert.equal((await healthIs(200)).status, 200);
    assert.equal((await service(0).post('analysis/page-count', sent())).status, 200);
  });

  it('one of them with half of the settings does not start, and says which is missing', async () => {
    const { BINDERY_S3_BUCKET: _, ...half } = settings();
    await assert.rejects(startService({ env: half }), /BINDERY_S3_BUCKET/);
  });
});
