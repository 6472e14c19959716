import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { until } from '../processes.ts';
import { filePart, fixture, form, problemOf, type RunningService, startService } from '../service.ts';

// Workers are stopped and continued by signals, so that "still running" is no matter of luck.
const env = { BINDERY_ISOLATION: 'none' };
const rotateForm = () => form({ fileInput: filePart(fixture('text-two-pages.pdf')), angle: '90' });

async function withService(
  more: Record<string, string>,
  work: (service: RunningService) => Promise<void>,
): Promise<void> {
  const service = await startService({ env: { ...env, ...more } });
  try {
    await work(service);
  } finally {
    await service.remove();
  }
}

function freeze(service: RunningService): () => void {
  const workers = service.workers();
  for (const pid of workers) process.kill(pid, 'SIGSTOP');
  return () => {
    for (const pid of workers) process.kill(pid, 'SIGCONT');
  };
}

async function metric(service: RunningService, name: string): Promise<number> {
  const text = await (await fetch(`${service.url}/metrics`)).text();
  const line = text.split('\n').find((one) => one.startsWith(`${name} `));
  assert.ok(line, `no metric ${name}`);
  return Number(line.split(' ')[1]);
}

const requestFiles = (service: RunningService): string[] =>
  readdirSync(join(service.dataDir, 'work'), { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.split('/').length > 1,
  );

test('a client that leaves takes its work with it, and the next is served', () =>
  withService({}, async (service) => {
    freeze(service);
    const aborter = new AbortController();
    const body = form({ fileInput: filePart(new Uint8Array(3_000_000), 'large.pdf') });
    const leaving = service.fetch('/api/v1/general/rotate-pdf', {
      method: 'POST',
      body,
      signal: aborter.signal,
    });
    await until('the job is at work', async () => (await metric(service, 'bindery_workers_busy')) === 1);
    assert.ok(requestFiles(service).length > 0);
    aborter.abort();
    await assert.rejects(leaving);
    await until('its files are gone', () => requestFiles(service).length === 0);
    assert.equal((await service.post('general/rotate-pdf', rotateForm())).status, 200);
    assert.equal(await metric(service, 'bindery_workers_busy'), 0);
    assert.match(service.output(), /"status":499/);
  }));

test('a full queue is 503 with Retry-After', () =>
  withService({ BINDERY_QUEUE: '1' }, async (service) => {
    const thaw = freeze(service);
    const running = service.post('general/rotate-pdf', rotateForm());
    await until('the job is at work', async () => (await metric(service, 'bindery_workers_busy')) === 1);
    const waiting = service.post('general/rotate-pdf', rotateForm());
    await until('one waits', async () => (await metric(service, 'bindery_queue_depth')) === 1);
    const refused = await service.post('general/rotate-pdf', rotateForm());
    assert.equal(refused.status, 503);
    assert.ok(Number(refused.headers.get('retry-after')) >= 1);
    const problem = await problemOf(refused);
    assert.equal(problem.reason, 'unavailable');
    thaw();
    assert.equal((await running).status, 200);
    assert.equal((await waiting).status, 200);
  }));

test('the deadline is a clean 503', () =>
  withService({ BINDERY_DEADLINE_MS: '500' }, async (service) => {
    freeze(service);
    const response = await service.post('general/rotate-pdf', rotateForm());
    assert.equal(response.status, 503);
    assert.equal((await problemOf(response)).reason, 'deadline_exceeded');
    await until('its files are gone', () => requestFiles(service).length === 0);
  }));

test('a stop lets the answer in flight finish, refuses new callers and does not wait for idle connections', () =>
  withService({}, async (service) => {
    const agent = new Agent({ keepAlive: true });
    const idle = request(`${service.url}/api/v1/info/health`, { agent }).end();
    const [first] = await once(idle, 'response');
    first.resume();
    await once(first, 'end');

    const thaw = freeze(service);
    const running = service.post('general/rotate-pdf', rotateForm());
    await until('the job is at work', async () => (await metric(service, 'bindery_workers_busy')) === 1);
    const exited = once(service.process, 'exit');
    const startedAt = Date.now();
    service.process.kill('SIGTERM');
    await until('new callers are refused', () =>
      fetch(`${service.url}/api/v1/info/health`).then(
        () => false,
        () => true,
      ),
    );
    thaw();
    const response = await running;
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('connection'), 'close');
    assert.ok((await response.bytes()).length > 1000);
    assert.deepEqual(await exited, [0, null]);
    assert.ok(Date.now() - startedAt < 20_000, `took ${Date.now() - startedAt} ms`);
    agent.destroy();
  }));

test('a stop does not wait longer than it may', () =>
  withService({ BINDERY_SHUTDOWN_MS: '500' }, async (service) => {
    freeze(service);
    const running = service.post('general/rotate-pdf', rotateForm());
    await until('the job is at work', async () => (await metric(service, 'bindery_workers_busy')) === 1);
    const startedAt = Date.now();
    assert.equal(await service.stop(), 0);
    assert.ok(Date.now() - startedAt < 20_000, `took ${Date.now() - startedAt} ms`);
    assert.equal((await running).status, 503);
  }));

test('a node that lingers says that it stops, and takes calls until proxies have noticed', () =>
  withService({ BINDERY_LINGER_MS: '3000' }, async (service) => {
    const ended = once(service.process, 'exit');
    service.process.kill('SIGTERM');
    const ready = () => fetch(`${service.url}/api/v1/info/ready`);
    await until('it says that it stops', async () => (await ready()).status === 503);
    assert.deepEqual(await (await ready()).json(), { ready: false, why: 'stopping' });
    const answered = await service.post('general/rotate-pdf', rotateForm());
    assert.equal(answered.status, 200);
    assert.equal(answered.headers.get('connection'), 'close');
    const [code] = await ended;
    assert.equal(code, 0);
    await assert.rejects(ready());
  }));
