// Who may come in at all: names the service is called by, keys that are tried out, figures for those with a key.
import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, before, test } from 'node:test';
import { type ProblemDocument, problemOf, type RunningService, startService } from '../service.ts';

let service: RunningService;
before(async () => {
  service = await startService({
    env: {
      BINDERY_FAILED_KEYS: '3',
      BINDERY_METRICS: 'key',
      BINDERY_SERVER_NAMES: 'pdf.example.org',
      BINDERY_ISOLATION: 'none',
    },
  });
});
after(() => service.remove());

/** fetch allows no Host header of one's choice. */
function statusUnder(host: string, path: string): Promise<{ status: number; body: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: string }>();
  request(`${service.url}${path}`, { headers: { host, 'x-api-key': service.key } }, async (response) => {
    const body = (await response.setEncoding('utf8').toArray()).join('');
    resolve({ status: response.statusCode ?? 0, body });
  })
    .on('error', reject)
    .end();
  return promise;
}

test('a service on loopback is called by its own names only, on every route', async () => {
  for (const path of [
    '/api/v1/info/status',
    '/api/v1/info/health',
    '/v1/openapi.json',
    '/metrics',
    '/mcp',
    '/nowhere',
  ])
    for (const host of [
      'evil.example',
      'evil.example:8080',
      '127.0.0.1.evil.example',
      'localhost.evil.example',
    ]) {
      const { status, body } = await statusUnder(host, path);
      assert.equal(status, 403, `${path} as ${host}`);
      assert.equal((JSON.parse(body) as ProblemDocument).reason, 'forbidden');
    }
  for (const host of [
    'localhost',
    'LOCALHOST:1',
    '127.0.0.1:9',
    '[::1]:80',
    'app.localhost',
    'pdf.example.org:443',
  ])
    assert.equal((await statusUnder(host, '/api/v1/info/status')).status, 200, host);
});

test('an address that tries keys out is held up, those with a valid key are not', async () => {
  const call = (key: string) =>
    fetch(`${service.url}/api/v1/info/status`, { headers: key === '' ? {} : { 'x-api-key': key } });
  const statuses: number[] = [];
  for (let i = 0; i < 5; i += 1) statuses.push((await call(`tried-out-${i}-0123456789`)).status);
  assert.deepEqual(statuses, [401, 401, 401, 429, 429]);
  const refused = await call('another-0123456789');
  assert.match(refused.headers.get('retry-after') ?? '', /^[1-9]\d?$/);
  assert.equal((await problemOf(refused)).reason, 'rate_limited');
  assert.equal((await call(service.key)).status, 200);
  assert.equal((await call('')).status, 401);
});

test('figures and versions of engines are for those who bring a key', async () => {
  assert.equal((await fetch(`${service.url}/metrics`)).status, 401);
  const text = await (await service.fetch('/metrics')).text();
  assert.match(text, /^bindery_isolation_info\{level="none"\} 1$/m);
  const asBearer = { authorization: `Bearer ${service.key}` };
  assert.equal((await fetch(`${service.url}/metrics`, { headers: asBearer })).status, 200);
  type Health = { isolation: string; engines: Record<string, { available: boolean; version?: string }> };
  const known = (await (await service.fetch('/api/v1/info/health')).json()) as Health;
  const unknown = (await (await fetch(`${service.url}/api/v1/info/health`)).json()) as Health;
  assert.match(known.engines.qpdf?.version ?? '', /^\d/);
  assert.deepEqual(unknown.engines.qpdf, { available: true });
  assert.equal(unknown.isolation, 'none');
});
