// Asynchronous calls over HTTP: accepted, followed, fetched, cancelled; what they survive and what they are refused.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { listKeys, revokeKey } from '../../service/src/keys.ts';
import { until } from '../processes.ts';
import { filePart, fixture, form, problemOf, type RunningService, startService } from '../service.ts';

const ASYNC = { prefer: 'respond-async' };
const SMALL = fixture('text-two-pages.pdf');

interface JobDocument {
  id: string;
  status: string;
  operation?: string;
  steps?: string[];
  files?: number;
  progress: { step: number; of: number; done: number; message: string };
  createdAt: string;
  startedAt: string | null;
  finishedAt: string | null;
  expiresAt: string | null;
  result?: { filename: string | null; mediaType: string | null; size: number; href: string };
  problem?: { reason: string; status: number; detail: string };
}

const rotation = () => form({ fileInput: filePart(SMALL), angle: '90', reproducible: 'true' });

async function jobOf(service: RunningService, id: string, headers = {}): Promise<JobDocument> {
  const response = await service.fetch(`/api/v1/jobs/${id}`, { headers });
  assert.equal(response.status, 200);
  return (await response.json()) as JobDocument;
}

async function ended(service: RunningService, id: string): Promise<JobDocument> {
  for (let tries = 0; tries < 600; tries += 1) {
    const job = await jobOf(service, id);
    if (job.finishedAt !== null) return job;
    await pause(50);
  }
  throw new Error(`job ${id} did not end`);
}

async function begun(
  service: RunningService,
  path: string,
  body: FormData,
  headers = {},
): Promise<JobDocument> {
  const response = await service.post(path, body, { ...ASYNC, ...headers });
  assert.equal(response.status, 202, await response.clone().text());
  return (await response.json()) as JobDocument;
}

const bytesOf = async (response: Response): Promise<Buffer> => Buffer.from(await response.arrayBuffer());

describe('asynchronous calls', () => {
  let service: RunningService;
  before(async () => {
    service = await startService();
  });
  after(() => service?.remove());

  test('the answer is 202 with the job, and its result is the very answer of the call', async () => {
    const direct = await service.post('general/rotate-pdf', rotation());
    const expected = await bytesOf(direct);
    const response = await service.post('general/rotate-pdf', rotation(), ASYNC);
    assert.equal(response.status, 202);
    assert.equal(response.headers.get('preference-applied'), 'respond-async');
    const job = (await response.json()) as JobDocument;
    assert.equal(response.headers.get('location'), `/api/v1/jobs/${job.id}`);
    assert.equal(job.operation, 'general/rotate-pdf');
    assert.deepEqual([job.finishedAt, job.expiresAt, job.result], [null, null, undefined]);
    const done = await ended(service, job.id);
    assert.equal(done.status, 'succeeded');
    assert.deepEqual([done.progress.step, done.progress.of, done.progress.done], [1, 1, 1]);
    assert.deepEqual(done.result, {
      filename: 'text-two-pages_rotated.pdf',
      mediaType: 'application/pdf',
      size: expected.length,
      href: `/api/v1/jobs/${job.id}/result`,
    });
    const kept = Date.parse(done.expiresAt ?? '') - Date.parse(done.finishedAt ?? '');
    assert.ok(Math.abs(kept - 24 * 3600_000) < 5000);
    for (let times = 0; times < 2; times += 1) {
      const result = await service.fetch(done.result?.href ?? '');
      assert.equal(result.status, direct.status);
      for (const name of ['content-type', 'content-disposition', 'content-length'])
        assert.equal(result.headers.get(name), direct.headers.get(name), name);
      assert.deepEqual(await bytesOf(result), expected);
    }
  });

  test('a part of the result can be fetched', async () => {
    const { id } = await begun(service, 'general/rotate-pdf', rotation());
    await ended(service, id);
    const path = `/api/v1/jobs/${id}/result`;
    const whole = await service.fetch(path);
    const etag = whole.headers.get('etag') ?? '';
    const bytes = await bytesOf(whole);
    const size = bytes.length;
    const part = async (headers: Record<string, string>) => service.fetch(path, { headers });
    for (const [range, from, to] of [
      ['bytes=0-9', 0, 10],
      ['bytes=10-', 10, size],
      ['bytes=-7', size - 7, size],
      [`bytes=${size - 1}-${size + 99}`, size - 1, size],
    ] as const) {
      const response = await part({ range, 'if-range': etag });
      assert.equal(response.status, 206, range);
      assert.equal(response.headers.get('content-range'), `bytes ${from}-${to - 1}/${size}`);
      assert.deepEqual(await bytesOf(response), bytes.subarray(from, to));
    }
    const ignored: Record<string, string>[] = [
      { range: 'bytes=0-1', 'if-range': '"another"' },
      { range: 'bytes=0-1,5-6' },
      { range: 'bytes=5-2' },
      { range: 'pages=1-2' },
    ];
    for (const headers of ignored)
      assert.deepEqual(await bytesOf(await part(headers)), bytes, JSON.stringify(headers));
    const beyond = await part({ range: `bytes=${size}-` });
    assert.equal(beyond.status, 416);
    assert.equal(beyond.headers.get('content-range'), `bytes */${size}`);
    assert.equal((await problemOf(beyond)).reason, 'range_not_satisfiable');
  });

  test('a call that fails keeps its problem; one that is wrong is refused at once', async () => {
    const broken = () => form({ fileInput: filePart(Buffer.from('no pdf'), 'a.pdf'), angle: '90' });
    const direct = await service.post('general/rotate-pdf', broken());
    const { id } = await begun(service, 'general/rotate-pdf', broken());
    const job = await ended(service, id);
    assert.equal(job.status, 'failed');
    assert.equal(job.problem?.reason, 'invalid_pdf');
    const result = await service.fetch(`/api/v1/jobs/${id}/result`);
    assert.equal(result.status, direct.status);
    assert.equal(result.headers.get('content-type'), 'application/problem+json');
    assert.equal(await result.text(), await direct.text());
    const wrong = form({ fileInput: filePart(SMALL), angle: '45' });
    assert.equal((await service.post('general/rotate-pdf', wrong, ASYNC)).status, 400);
  });

  test('whoever waits a while has the answer itself, or the job', async () => {
    const expected = await bytesOf(await service.post('general/rotate-pdf', rotation()));
    const answered = await service.post('general/rotate-pdf', rotation(), {
      prefer: 'wait=60, respond-async',
    });
    assert.equal(answered.status, 200);
    assert.equal(answered.headers.get('preference-applied'), 'wait=60');
    assert.deepEqual(await bytesOf(answered), expected);
    const key = await service.newKey({});
    const bare = await service.post('general/rotate-pdf', rotation(), {
      prefer: 'wait=60',
      'x-api-key': key,
    });
    assert.equal(bare.status, 200);
    const { jobs } = (await (
      await service.fetch('/api/v1/jobs', { headers: { 'x-api-key': key } })
    ).json()) as {
      jobs: unknown[];
    };
    assert.deepEqual(jobs, []);
  });

  test('the events of a job tell its progress and its end, and go on where they were cut off', async () => {
    const steps = JSON.stringify(Array(3).fill({ op: 'general/rotate-pdf', params: { angle: 90 } }));
    const job = await begun(service, 'pipeline', form({ fileInput: filePart(SMALL), steps }));
    assert.deepEqual(job.steps, Array(3).fill('general/rotate-pdf'));
    const path = `/api/v1/jobs/${job.id}/events`;
    const response = await service.fetch(path);
    assert.equal(response.headers.get('content-type'), 'text/event-stream');
    const events = eventsIn(await response.text());
    const last = events.at(-1);
    assert.equal(last?.name, 'end');
    assert.equal(last.job.status, 'succeeded');
    const shares = events.map(({ job: { progress } }) => progress.done);
    assert.deepEqual(shares, [...shares].sort());
    const ids = events.map(({ id }) => id);
    assert.deepEqual(
      ids,
      [...new Set(ids)].sort((a, b) => a - b),
    );
    const again = await service.fetch(path, { headers: { 'last-event-id': String(last.id - 1) } });
    assert.deepEqual(eventsIn(await again.text()), [last]);
    const over = await service.fetch(path, { headers: { 'last-event-id': String(last.id) } });
    assert.equal(over.status, 204);
  });

  test('a batch does the same to each file, and one that fails does not fail the others', async () => {
    const files = [
      filePart(SMALL, 'a.pdf'),
      filePart(Buffer.from('no pdf'), 'b.pdf'),
      filePart(SMALL, 'a.pdf'),
    ];
    const fields = { fileInput: files, angle: '90', reproducible: 'true' };
    const job = await begun(service, 'batch', form({ ...fields, operation: 'general/rotate-pdf' }), {
      prefer: '',
    });
    assert.deepEqual([job.operation, job.files], ['general/rotate-pdf', 3]);
    assert.equal((await ended(service, job.id)).status, 'succeeded');
    const zip = await bytesOf(await service.fetch(`/api/v1/jobs/${job.id}/result`));
    const folder = mkdtempSync(join(tmpdir(), 'bindery-batch-'));
    try {
      writeFileSync(join(folder, 'batch.zip'), zip);
      execFileSync('unzip', ['-q', 'batch.zip'], { cwd: folder });
      const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
      const told = manifest.files.map((each: Record<string, unknown>) => [
        each.file,
        each.status,
        each.result,
      ]);
      assert.deepEqual(told, [
        ['a.pdf', 'succeeded', 'a_rotated.pdf'],
        ['b.pdf', 'failed', undefined],
        ['a.pdf', 'succeeded', 'a_rotated_1.pdf'],
      ]);
      assert.equal(manifest.files[1].problem.reason, 'invalid_pdf');
      const expected = await bytesOf(await service.post('general/rotate-pdf', rotation()));
      assert.deepEqual(readFileSync(join(folder, 'a_rotated_1.pdf')), expected);
    } finally {
      rmSync(folder, { recursive: true });
    }
    const refused: Record<string, string>[] = [
      {},
      { operation: 'general/none' },
      { operation: 'rotate', steps: '[]' },
    ];
    for (const wrong of refused)
      assert.equal(
        (await service.post('batch', form({ ...fields, ...wrong }))).status,
        400,
        JSON.stringify(wrong),
      );
    const noFile = form({ operation: 'general/rotate-pdf', angle: '90' });
    assert.equal((await problemOf(await service.post('batch', noFile))).reason, 'invalid_parameter');
    const scoped = { 'x-api-key': await service.newKey({ scopes: 'convert' }) };
    const other = form({ ...fields, operation: 'general/rotate-pdf' });
    assert.equal((await service.post('batch', other, scoped)).status, 403);
  });

  test('long work tells of its pages', async () => {
    const files = Array.from({ length: 30 }, () => filePart(SMALL));
    const long = await bytesOf(await service.post('general/merge-pdfs', form({ fileInput: files })));
    const body = form({
      fileInput: filePart(new Uint8Array(long), 'long.pdf'),
      imageFormat: 'png',
      dpi: '72',
    });
    const job = await begun(service, 'convert/pdf/img', body);
    const events = eventsIn(await (await service.fetch(`/api/v1/jobs/${job.id}/events`)).text());
    const shares = events.map((event) => event.job.progress.done);
    assert.deepEqual(
      shares,
      [...shares].sort((a, b) => a - b),
    );
    // Each page, to whoever comes after the end, too, and to whoever was cut off what they missed.
    const told = events.map((event) => event.job.progress.message);
    const pages = Array.from({ length: 60 }, (_, page) => `${page + 1} of 60 done`);
    assert.deepEqual(
      told.filter((message) => / done$/.test(message)),
      pages,
    );
    for (const missed of [1, 20, 59]) {
      const headers = { 'last-event-id': String(events.at(-1 - missed)?.id) };
      const again = eventsIn(
        await (await service.fetch(`/api/v1/jobs/${job.id}/events`, { headers })).text(),
      );
      assert.deepEqual(again, events.slice(-missed));
    }
    // Redaction looks through its result once more, and tells of that, too.
    const terms = form({ fileInput: filePart(new Uint8Array(long), 'long.pdf'), listOfText: 'nowhere' });
    const redaction = await begun(service, 'security/auto-redact', terms);
    const redacted = eventsIn(await (await service.fetch(`/api/v1/jobs/${redaction.id}/events`)).text());
    const halves = redacted.map((event) => event.job.progress.message);
    for (const page of [10, 29, 31, 59]) assert.ok(halves.includes(`${page} of 60 done`), String(page));
  });

  test('a job is seen by its key alone, and listed newest first', async () => {
    const own = { 'x-api-key': await service.newKey({}) };
    const other = { 'x-api-key': await service.newKey({}) };
    const ids: string[] = [];
    for (let n = 0; n < 3; n += 1)
      ids.unshift((await begun(service, 'general/rotate-pdf', rotation(), own)).id);
    const list = async (query: string, headers = own) =>
      (await (await service.fetch(`/api/v1/jobs${query}`, { headers })).json()) as {
        jobs: JobDocument[];
        nextCursor: string | null;
      };
    const first = await list('?limit=2');
    assert.deepEqual(
      first.jobs.map(({ id }) => id),
      ids.slice(0, 2),
    );
    const rest = await list(`?limit=2&cursor=${first.nextCursor}`);
    assert.deepEqual([rest.jobs.map(({ id }) => id), rest.nextCursor], [ids.slice(2), null]);
    assert.deepEqual((await list('', other)).jobs, []);
    for (const path of ['', '/result', '/events']) {
      const response = await service.fetch(`/api/v1/jobs/${ids[0]}${path}`, { headers: other });
      assert.equal((await problemOf(response)).reason, 'job_not_found');
    }
    const removal = { method: 'DELETE', headers: other };
    assert.equal((await service.fetch(`/api/v1/jobs/${ids[0]}`, removal)).status, 204);
    assert.equal((await service.fetch(`/api/v1/jobs/${ids[0]}`, { headers: own })).status, 200);
    for (const query of ['?limit=0', '?limit=x', '?cursor=-1'])
      assert.equal((await service.fetch(`/api/v1/jobs${query}`, { headers: own })).status, 400, query);
    assert.equal((await service.fetch('/api/v1/jobs', { headers: { 'x-api-key': 'none' } })).status, 401);
    const scoped = { ...ASYNC, 'x-api-key': await service.newKey({ scopes: 'convert' }) };
    assert.equal((await service.post('general/rotate-pdf', rotation(), scoped)).status, 403);
  });

  test('the same Idempotency-Key means the same job', async () => {
    const headers = { 'idempotency-key': 'once' };
    const { id } = await begun(service, 'general/rotate-pdf', rotation(), headers);
    const again = await service.post('general/rotate-pdf', rotation(), { ...ASYNC, ...headers });
    assert.equal(again.status, 202);
    assert.equal(again.headers.get('idempotency-replayed'), 'true');
    assert.equal(((await again.json()) as JobDocument).id, id);
    const other = form({ fileInput: filePart(SMALL), angle: '180' });
    assert.equal((await service.post('general/rotate-pdf', other, { ...ASYNC, ...headers })).status, 422);
    assert.equal((await ended(service, id)).status, 'succeeded');
  });

  test('an upload is used up when the job succeeds', async () => {
    const bytes = readFileSync(SMALL);
    const upload = async (): Promise<string> => {
      const described = JSON.stringify({ filename: 'a.pdf', size: bytes.length });
      const made = await service.fetch('/api/v1/uploads', { method: 'POST', body: described });
      const { id } = (await made.json()) as { id: string };
      await service.fetch(`/api/v1/uploads/${id}/chunks/0`, { method: 'PUT', body: bytes });
      await service.fetch(`/api/v1/uploads/${id}/complete`, { method: 'POST' });
      return id;
    };
    const used = await upload();
    const call = () => form({ 'fileInput@upload': used, angle: '90' });
    const job = await begun(service, 'general/rotate-pdf', call());
    assert.equal((await ended(service, job.id)).status, 'succeeded');
    await pause(50);
    const again = await service.post('general/rotate-pdf', call(), ASYNC);
    assert.equal((await problemOf(again)).reason, 'upload_not_found');
  });
});

describe('what asynchronous calls survive', () => {
  test('a killed service runs them all, and its answers are the very same', async () => {
    const env = { BINDERY_ISOLATION: 'none' };
    let service = await startService({ env });
    try {
      const expected = await bytesOf(await service.post('general/rotate-pdf', rotation()));
      const jobs: JobDocument[] = [];
      for (let n = 0; n < 20; n += 1) jobs.push(await begun(service, 'general/rotate-pdf', rotation()));
      const { dataDir } = service;
      await service.stop('SIGKILL');
      service = await startService({ env, dataDir });
      for (const { id } of jobs) {
        assert.equal((await ended(service, id)).status, 'succeeded');
        assert.deepEqual(await bytesOf(await service.fetch(`/api/v1/jobs/${id}/result`)), expected);
      }
      // A stop is no end either.
      for (const pid of service.workers()) process.kill(pid, 'SIGSTOP');
      const stopped = await begun(service, 'general/rotate-pdf', rotation());
      await pause(200);
      assert.equal((await jobOf(service, stopped.id)).status, 'running');
      const doomed = await begun(service, 'general/rotate-pdf', rotation());
      const secret = await service.newKey({});
      const orphaned = await begun(service, 'general/rotate-pdf', rotation(), { 'x-api-key': secret });
      await service.stop();
      // One at which the service died three times, one whose key is revoked, and files that belong to none.
      const keys = (await listKeys({ dataDir })).filter(({ name }) => name === 'made by a test');
      for (const { id } of keys) await revokeKey({ dataDir }, id);
      const stray = join(dataDir, 'jobs', 'a-file-of-no-job');
      writeFileSync(stray, 'left by a death');
      inDatabase(dataDir, (db) => {
        db.prepare("UPDATE jobs SET status = 'running', attempts = 3 WHERE id = ?").run(doomed.id);
      });
      // Beyond the room new ones are refused, and what was accepted is answered.
      service = await startService({ env: { ...env, BINDERY_JOB_STORAGE_BYTES: '40000' }, dataDir });
      const refused = await service.post('general/rotate-pdf', rotation(), ASYNC);
      const { reason, status } = await problemOf(refused);
      assert.deepEqual([status, reason], [507, 'insufficient_storage']);
      assert.equal((await service.post('general/rotate-pdf', rotation())).status, 200);
      for (const { id } of [stopped, ...jobs]) {
        assert.equal((await ended(service, id)).status, 'succeeded');
        assert.deepEqual(await bytesOf(await service.fetch(`/api/v1/jobs/${id}/result`)), expected);
        assert.equal((await service.fetch(`/api/v1/jobs/${id}`, { method: 'DELETE' })).status, 204);
      }
      const { status: end, problem } = await ended(service, doomed.id);
      assert.deepEqual([end, problem?.reason], ['failed', 'internal']);
      assert.match(problem?.detail ?? '', /ended 3 times/);
      assert.ok(!existsSync(stray));
      const unrun = await until('the job of the revoked key has ended', () =>
        inDatabase(dataDir, (db) => {
          const row = db.prepare('SELECT status, outcome FROM jobs WHERE id = ?').get(orphaned.id);
          return row?.status === 'failed' && String(row.outcome);
        }),
      );
      assert.equal(JSON.parse(unrun).problem.reason, 'forbidden');
      await begun(service, 'general/rotate-pdf', rotation());
    } finally {
      await service.remove();
    }
  });
});

describe('jobs whose worker stands still', () => {
  let service: RunningService;
  before(async () => {
    service = await startService({ env: { BINDERY_JOBS_AT_ONCE: '1', BINDERY_ISOLATION: 'none' } });
    assert.equal((await service.post('general/rotate-pdf', rotation())).status, 200);
  });
  after(() => service?.remove());
  const halt = (signal: NodeJS.Signals = 'SIGSTOP') => {
    for (const pid of service.workers()) process.kill(pid, signal);
  };

  test('what is not finished has no result, and is cancelled; what is finished is removed', async () => {
    halt();
    const first = await begun(service, 'general/rotate-pdf', rotation());
    const { id } = await begun(service, 'general/rotate-pdf', rotation());
    const early = await service.fetch(`/api/v1/jobs/${id}/result`);
    assert.equal((await problemOf(early)).reason, 'request_in_progress');
    assert.equal(early.headers.get('retry-after'), '2');
    const waited = await service.post('general/rotate-pdf', rotation(), { prefer: 'respond-async, wait=1' });
    assert.equal(waited.status, 202);
    for (const one of [id, first.id]) {
      assert.equal((await service.fetch(`/api/v1/jobs/${one}`, { method: 'DELETE' })).status, 204);
      assert.equal((await jobOf(service, one)).status, 'cancelled');
      assert.equal((await service.fetch(`/api/v1/jobs/${one}/result`)).status, 404);
    }
    // The worker that was at the cancelled one is replaced; those that follow are done.
    const next = (await waited.json()) as JobDocument;
    assert.equal((await ended(service, next.id)).status, 'succeeded');
    for (let times = 0; times < 2; times += 1)
      assert.equal((await service.fetch(`/api/v1/jobs/${id}`, { method: 'DELETE' })).status, 204);
    assert.equal((await service.fetch(`/api/v1/jobs/${id}`)).status, 404);
  });

  test('a key may have fifty streams of events open, and has room again when one is closed', async () => {
    halt();
    const { id } = await begun(service, 'general/rotate-pdf', rotation());
    const streams: AbortController[] = [];
    const open = () => {
      const stream = new AbortController();
      streams.push(stream);
      return service.fetch(`/api/v1/jobs/${id}/events`, { signal: stream.signal });
    };
    for (let n = 0; n < 50; n += 1) assert.equal((await open()).status, 200);
    const refused = await open();
    assert.deepEqual([refused.status, (await problemOf(refused)).reason], [429, 'rate_limited']);
    assert.ok(refused.headers.get('retry-after'));
    streams[0]?.abort();
    await until('there is room again', async () => (await open()).status === 200);
    for (const stream of streams) stream.abort();
    halt('SIGCONT');
    assert.equal((await ended(service, id)).status, 'succeeded');
  });

  test('a caller who leaves ends a synchronous call and no asynchronous one', async () => {
    const own = { 'x-api-key': await service.newKey({}) };
    const jobs = async () =>
      ((await (await service.fetch('/api/v1/jobs', { headers: own })).json()) as { jobs: JobDocument[] })
        .jobs;
    const leaving = async (headers: Record<string, string>, isThere: () => Promise<boolean>) => {
      const gone = new AbortController();
      const path = '/api/v1/general/rotate-pdf';
      const init = { method: 'POST', body: rotation(), headers, signal: gone.signal };
      const rejected = assert.rejects(service.fetch(path, init));
      while (!(await isThere())) await pause(20);
      gone.abort();
      await rejected;
      await pause(300);
    };
    const isBusy = async () =>
      /^bindery_workers_busy 1$/m.test(await (await service.fetch('/metrics')).text());
    halt();
    const held = service.workers();
    await leaving(
      { ...own, prefer: 'respond-async, wait=60' },
      async () => (await jobs())[0]?.status === 'running',
    );
    assert.deepEqual(service.workers(), held, 'its worker goes on');
    halt('SIGCONT');
    const [job] = await jobs();
    const result = async () => service.fetch(`/api/v1/jobs/${job?.id}/result`, { headers: own });
    while ((await result()).status === 409) await pause(20);
    assert.equal((await result()).status, 200);
    halt();
    await leaving(own, isBusy);
    assert.ok(!held.some((pid) => service.workers().includes(pid)), 'its worker was ended');
  });
});

function inDatabase<T>(dataDir: string, use: (db: DatabaseSync) => T): T {
  const db = new DatabaseSync(join(dataDir, 'state', 'bindery.sqlite'), { timeout: 5000 });
  try {
    return use(db);
  } finally {
    db.close();
  }
}

interface Event {
  name: string;
  id: number;
  job: JobDocument;
}

const eventsIn = (text: string): Event[] =>
  text.split('\n\n').flatMap((block) => {
    const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1];
    const data = field('data');
    return data ? [{ name: field('event') ?? '', id: Number(field('id')), job: JSON.parse(data) }] : [];
  });
