import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { after, before, test } from 'node:test';
import { filePart, fixture, form, type RunningService, startService } from '../service.ts';

let service: RunningService;
before(async () => {
  service = await startService();
});
after(() => service.remove());

/** As the program itself lists them; the data that tells how pages lie is no language. */
function installedLanguages(): string[] {
  const { stdout } = spawnSync('tesseract', ['--list-langs'], { encoding: 'utf8' });
  const [, ...listed] = (stdout ?? '').trim().split('\n');
  return listed.filter((language) => language !== 'osd' && language !== 'equ').sort();
}

test('status tells the limits, and the languages that can be read', async () => {
  const response = await service.fetch('/api/v1/info/status');
  assert.equal(response.headers.get('content-type'), 'application/json');
  const { version, ...rest } = (await response.json()) as Record<string, unknown>;
  assert.deepEqual(rest, {
    maxUploadBytes: 100 * 1024 ** 2,
    maxChunkedUploadBytes: 500 * 1024 ** 2,
    uploadChunkBytes: 8 * 1024 ** 2,
    status: 'UP',
    languages: installedLanguages(),
    scopes: ['*'],
  });
  assert.match(String(version), /^\d+\.\d+\.\d+/);
});

test('health needs no key and names the engines', async () => {
  const response = await fetch(`${service.url}/api/v1/info/health`);
  assert.equal(response.status, 200);
  const health = (await response.json()) as {
    status: string;
    live: boolean;
    ready: boolean;
    engines: Record<string, { available: boolean }>;
  };
  assert.deepEqual([health.status, health.live, health.ready], ['UP', true, true]);
  assert.equal(health.engines.qpdf?.available, true);
});

test('live and ready have addresses of their own, without a key', async () => {
  const asked = async (path: string) => {
    const response = await fetch(`${service.url}/api/v1/info/${path}`);
    return [response.status, await response.json()];
  };
  assert.deepEqual(await asked('live'), [200, { live: true }]);
  assert.deepEqual(await asked('ready'), [200, { ready: true }]);
});

test('HEAD answers like GET without a body', async () => {
  const head = await service.fetch('/api/v1/info/status', { method: 'HEAD' });
  const get = await service.fetch('/api/v1/info/status');
  assert.equal(head.status, 200);
  assert.equal(head.headers.get('content-length'), get.headers.get('content-length'));
  assert.equal(await head.text(), '');
});

test('the description is served with an ETag', async () => {
  const response = await fetch(`${service.url}/v1/openapi.json`);
  assert.equal(response.headers.get('content-type'), 'application/json');
  const description = (await response.json()) as { openapi: string; paths: Record<string, unknown> };
  assert.match(description.openapi, /^3\.1/);
  assert.ok(description.paths['/api/v1/general/rotate-pdf']);
  const etag = response.headers.get('etag') ?? '';
  const statusFor = async (tags: string) =>
    (await fetch(`${service.url}/v1/openapi.json`, { headers: { 'if-none-match': tags } })).status;
  for (const tags of [etag, `W/${etag}`, `"other", ${etag}`, '*'])
    assert.equal(await statusFor(tags), 304, tags);
  assert.equal(await statusFor('"other"'), 200);
});

test('the root points to the description', async () => {
  const root = (await (await fetch(service.url)).json()) as { description: string };
  assert.equal((await fetch(`${service.url}${root.description}`)).status, 200);
});

test('metrics count by operation and status, with no word of a caller in them', async () => {
  await service.post('general/rotate-pdf', form({ fileInput: filePart(fixture('text-two-pages.pdf')) }));
  await service.post('general/rotate-pdf', form({ angle: '91' }));
  await service.fetch('/secret-words-of-a-caller');
  await new Promise((resolve) => setTimeout(resolve, 100));
  const response = await fetch(`${service.url}/metrics`);
  assert.match(response.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/);
  const text = await response.text();
  assert.match(text, /^bindery_requests_total\{operation="general\/rotate-pdf",status="200"\} 1$/m);
  assert.match(text, /^bindery_requests_total\{operation="general\/rotate-pdf",status="400"\} 1$/m);
  assert.match(text, /^bindery_requests_total\{operation="unknown",status="404"\} 1$/m);
  assert.match(
    text,
    /^bindery_request_duration_seconds_bucket\{operation="general\/rotate-pdf",le="\+Inf"\} 2$/m,
  );
  assert.match(text, /^bindery_request_bytes_total\{operation="general\/rotate-pdf"\} [1-9]\d{3,}$/m);
  assert.match(text, /^bindery_workers 1$/m);
  assert.match(text, /^bindery_api_rss_bytes [1-9]\d{6,}$/m);
  assert.match(text, /^bindery_spool_bytes 0$/m);
  assert.doesNotMatch(text, /secret-words/);
  for (const line of text.trimEnd().split('\n'))
    assert.match(line, /^(# (HELP|TYPE) \w+ .+|\w+(\{[^}]*\})? [\d.e+-]+)$/);
});
