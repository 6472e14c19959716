// The page for people, as it is served: what it is allowed to do, and that callers of the API notice nothing of it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { buildWeb, type Manifest } from '../../scripts/build-web.ts';
import { type RunningService, startService } from '../service.ts';

const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
let service: RunningService;
let manifest: Manifest;
before(async () => {
  manifest = await buildWeb();
  service = await startService();
});
after(() => service.remove());

test('a browser gets the page, any other caller what it always got', async () => {
  const page = await fetch(`${service.url}/`, { headers: HTML });
  assert.match(page.headers.get('content-type') ?? '', /^text\/html/);
  assert.match(await page.text(), /<script type="module" src="\/workbench\//);
  for (const accept of ['*/*', 'application/json']) {
    const answer = await fetch(`${service.url}/`, { headers: { accept } });
    assert.equal(((await answer.json()) as { name: string }).name, 'bindery');
    assert.match(answer.headers.get('vary') ?? '', /Accept/);
  }
});

test('the page may run its own code only, is framed by nobody, and sets no cookie', async () => {
  for (const path of ['/', '/docs', ...Object.keys(manifest.files)]) {
    const { headers, status } = await fetch(`${service.url}${path}`, { headers: HTML });
    assert.equal(status, 200, path);
    const policy = headers.get('content-security-policy') ?? '';
    assert.match(policy, /default-src 'self'; script-src 'self' 'wasm-unsafe-eval';/, path);
    assert.match(policy, /frame-ancestors 'none'/, path);
    assert.doesNotMatch(policy, /unsafe-inline|'unsafe-eval'|https?:|\*/, path);
    assert.equal(headers.get('x-content-type-options'), 'nosniff', path);
    assert.equal(headers.get('referrer-policy'), 'no-referrer', path);
    assert.equal(headers.get('set-cookie'), null, path);
  }
  const page = await (await fetch(`${service.url}/`, { headers: HTML })).text();
  assert.doesNotMatch(page, /<script(?![^>]* src=)|<style|\sstyle=|\son\w+=|https?:\/\//);
});

test('files are sent compressed where that is understood, and not again where they are known', async () => {
  for (const [path, { etag, size, gzip }] of Object.entries(manifest.files)) {
    if (!gzip || path === '/') continue;
    const plain = await fetch(`${service.url}${path}`, { headers: { 'accept-encoding': 'identity' } });
    assert.equal(plain.headers.get('content-encoding'), null, path);
    const bytes = Buffer.from(await plain.arrayBuffer());
    assert.equal(bytes.length, size, path);
    // fetch unpacks by itself; both must be the same.
    const packed = await fetch(`${service.url}${path}`, { headers: { 'accept-encoding': 'gzip' } });
    assert.equal(packed.headers.get('content-encoding'), 'gzip', path);
    assert.deepEqual(Buffer.from(await packed.arrayBuffer()), bytes, path);
    const known = await fetch(`${service.url}${path}`, { headers: { 'if-none-match': etag } });
    assert.equal(known.status, 304, path);
    const head = await fetch(`${service.url}${path}`, {
      method: 'HEAD',
      headers: { 'accept-encoding': 'identity' },
    });
    assert.equal(Number(head.headers.get('content-length')), size, path);
  }
});

test('paths that browsers and people try are there, and nothing beside the listed files is', async () => {
  assert.equal((await fetch(`${service.url}/favicon.ico`)).headers.get('content-type'), 'image/x-icon');
  const health = (await (await fetch(`${service.url}/health`)).json()) as { status: string };
  assert.equal(health.status, 'UP');
  for (const path of [
    '/workbench/',
    '/workbench/manifest.json',
    '/workbench/..%2fpackage.json',
    '/workbench/x.js',
  ])
    assert.equal((await fetch(`${service.url}${path}`)).status, 404, path);
});

test('turned off, there is no page; health and the icon stay', async () => {
  const without = await startService({ env: { BINDERY_WORKBENCH: 'off' } });
  try {
    const root = await fetch(`${without.url}/`, { headers: HTML });
    assert.equal(((await root.json()) as { name: string }).name, 'bindery');
    assert.equal((await fetch(`${without.url}/docs`, { headers: HTML })).status, 404);
    assert.equal((await fetch(`${without.url}/favicon.ico`)).status, 204);
    assert.equal((await fetch(`${without.url}/health`)).status, 200);
    assert.doesNotMatch(without.output(), /Workbench:/);
  } finally {
    await without.remove();
  }
});
