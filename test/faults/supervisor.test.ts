// The API process dies, or its event loop stands still: the supervisor starts it anew, and callers lose nothing that
// they were told is kept.
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { descendants, until, workersOf } from '../processes.ts';
import { filePart, fixture, form, type RunningService, startService } from '../service.ts';

const isAlive = (pid: number): boolean => existsSync(`/proc/${pid}`);

async function withSupervised(
  env: Record<string, string>,
  work: (service: RunningService) => Promise<void>,
): Promise<void> {
  const service = await startService({ env, supervised: true });
  try {
    await work(service);
  } finally {
    await service.remove();
  }
}

/** Does harm to the API process and waits until another serves. */
async function afterHarm(service: RunningService, signal: 'SIGKILL' | 'SIGSTOP'): Promise<void> {
  const before = service.apiPid();
  process.kill(before, signal);
  await until('another API process', () => ![0, before].includes(service.apiPid()), 60_000);
  await until('it serves', () => serves(service), 60_000);
}

const serves = (service: RunningService): Promise<boolean> =>
  fetch(`${service.url}/api/v1/info/health`).then(
    ({ ok }) => ok,
    () => false,
  );

async function restarts(service: RunningService): Promise<Record<string, number>> {
  const metrics = await (await fetch(`${service.url}/metrics`)).text();
  const lines = metrics.matchAll(/^bindery_api_restarts_total\{reason="(\w+)"\} (\d+)$/gm);
  return Object.fromEntries([...lines].map(([, reason, count]) => [reason, Number(count)]));
}

const rotateForm = () => form({ fileInput: filePart(fixture('text-two-pages.pdf')), angle: '90' });

test('killed under uploads and keyed calls, the service is back; uploads resume and keyed calls are answered once', () =>
  withSupervised(
    { BINDERY_API_KEY: '', BINDERY_ISOLATION: 'none', BINDERY_UPLOAD_CHUNK_BYTES: '4096' },
    async (service) => {
      const key = /API key: (\S+) \(shown this once/.exec(service.output())?.[1] ?? '';
      const headers = { 'x-api-key': key };
      const document = readFileSync(fixture('text-two-pages.pdf'));
      const begun = await service.fetch('/api/v1/uploads', {
        method: 'POST',
        headers,
        body: JSON.stringify({ filename: 'two.pdf', size: document.length }),
      });
      const { id, chunkCount } = (await begun.json()) as { id: string; chunkCount: number };
      const send = async (index: number) => {
        const body = document.subarray(index * 4096, (index + 1) * 4096);
        const path = `/api/v1/uploads/${id}/chunks/${index}`;
        assert.equal((await service.fetch(path, { method: 'PUT', headers, body })).status, 204);
      };
      const complete = () => service.fetch(`/api/v1/uploads/${id}/complete`, { method: 'POST', headers });
      await send(0);
      const done = await service.post('general/rotate-pdf', rotateForm(), {
        ...headers,
        'idempotency-key': 'done-before',
      });
      const answer = await done.bytes();

      // Its worker is stopped, so that this call is surely under way when the process dies.
      for (const pid of service.workers()) process.kill(pid, 'SIGSTOP');
      const broken = service
        .post('general/rotate-pdf', rotateForm(), { ...headers, 'idempotency-key': 'under-way' })
        .then(
          () => 'answered',
          () => 'broken',
        );
      await until('the call is under way', async () =>
        (await (await fetch(`${service.url}/metrics`)).text()).includes('\nbindery_workers_busy 1\n'),
      );
      const below = descendants(service.apiPid());
      const swept = readdirSync(join(service.dataDir, 'work'));
      assert.ok(below.length > 0 && swept.some((name) => name.startsWith('worker-')));
      await afterHarm(service, 'SIGKILL');

      assert.equal(await broken, 'broken');
      await until('no process of the dead one is left', () => !below.some(isAlive));
      const again = await service.post('general/rotate-pdf', rotateForm(), {
        ...headers,
        'idempotency-key': 'under-way',
      });
      assert.equal(again.status, 200, 'runs, though its first run never ended');
      assert.equal(again.headers.get('idempotency-replayed'), null);
      const replayed = await service.post('general/rotate-pdf', rotateForm(), {
        ...headers,
        'idempotency-key': 'done-before',
      });
      assert.equal(replayed.headers.get('idempotency-replayed'), 'true');
      assert.deepEqual(await replayed.bytes(), answer);

      const incomplete = await complete();
      assert.equal(incomplete.status, 400);
      assert.doesNotMatch(await incomplete.text(), /not arrived: 0,/, 'the chunk sent before is there');
      for (let index = 1; index < chunkCount; index += 1) await send(index);
      assert.equal((await complete()).status, 200);
      const counted = await service.post('analysis/page-count', form({ 'fileInput@upload': id }), headers);
      assert.deepEqual(await counted.json(), { pageCount: 2 });

      assert.deepEqual(await restarts(service), { blocked: 0, crashed: 0, killed: 1 });
      assert.equal(service.output().match(/shown this once/g)?.length, 1, 'a key is shown once');
      assert.equal(await service.stop(), 0, 'a stop ends the supervisor and the service');
    },
  ));

test('programs that workers started without isolation do not outlive a killed API process', () =>
  withSupervised({ BINDERY_ISOLATION: 'none' }, async (service) => {
    const letter = form({ fileInput: filePart(fixture('letter.docx')) });
    const made = await service.post('convert/file/pdf', letter);
    assert.equal(made.status, 200, await made.clone().text());
    const below = descendants(service.apiPid());
    assert.ok(below.length > workersOf(service.apiPid()).length, 'an office suite is kept running');
    await afterHarm(service, 'SIGKILL');
    await until('no process of the dead one is left', () => !below.some(isAlive));
  }));

test('an API process that stands still is ended and started anew', () =>
  withSupervised({ BINDERY_BLOCKED_MS: '2000' }, async (service) => {
    await afterHarm(service, 'SIGSTOP');
    assert.deepEqual(await restarts(service), { blocked: 1, crashed: 0, killed: 0 });
    const metrics = await (await fetch(`${service.url}/metrics`)).text();
    assert.match(metrics, /\nbindery_event_loop_delay_seconds [\d.e-]+\n/);
    assert.match(metrics, /\nbindery_api_last_restart_timestamp_seconds\{reason="blocked"\} \d{10}\n/);
    assert.match(service.output(), /bindery: the API process has stood still for \d+\.\d s; ending it\./);
    assert.equal((await service.post('general/rotate-pdf', rotateForm())).status, 200);
  }));

test('an API process whose supervisor was killed ends by itself, and makes room for the next', () =>
  withSupervised({}, async (service) => {
    const api = service.apiPid();
    service.process.kill('SIGKILL');
    await once(service.process, 'exit');
    await until('the API process has ended', () => !isAlive(api));
    const next = await startService({ dataDir: service.dataDir, supervised: true });
    assert.equal((await next.post('general/rotate-pdf', rotateForm())).status, 200);
    assert.equal(await next.stop(), 0);
  }));

test('under a manager of processes that speaks other words the service serves, and tells of no restarts', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'bindery-managed-'));
  const child = fork('service/src/main.ts', [], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      PATH: process.env.PATH,
      BINDERY_PORT: '0',
      BINDERY_DATA_DIR: dataDir,
      BINDERY_API_KEY: 'managed-key-of-tests',
    },
  });
  try {
    for (const word of ['shutdown', { type: 'process:msg' }, null, 7]) child.send(word as never);
    const said: string[] = [];
    child.stdout?.setEncoding('utf8').on('data', (text: string) => said.push(text));
    const url = await until('it listens', () => /http:\S+/.exec(said.join(''))?.[0]);
    for (const word of ['shutdown', { kind: 'other' }]) child.send(word);
    const metrics = await (await fetch(`${url}/metrics`)).text();
    assert.match(metrics, /\nbindery_api_restarts_total\{reason="killed"\} 0\n/);
  } finally {
    if (child.kill('SIGTERM')) await once(child, 'exit');
    rmSync(dataDir, { recursive: true, force: true });
  }
});
