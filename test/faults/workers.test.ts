// What happens to callers when a worker crashes, hangs, eats memory or is killed. The harm is real: signals from
// outside, bombs and long documents; no stand-in operations.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, test } from 'node:test';
import { bomb, slowToOpen, writeLargePdf } from '../hostile-documents.ts';
import { descendants, strike, until, workersOf } from '../processes.ts';
import { filePart, fixture, form, problemOf, type RunningService, startService } from '../service.ts';

const running: RunningService[] = [];

async function start(env: Record<string, string> = {}): Promise<RunningService> {
  const service = await startService({ env });
  running.push(service);
  return service;
}

afterEach(async () => {
  for (const service of running.splice(0)) {
    const below = descendants(Number(service.process.pid));
    await service.stop();
    onlyLogLines(service.output());
    await until('no process of the service is left', () => !below.some(isAlive));
    assert.ok(!readdirSync(service.dataDir).includes('work'), 'nothing of the work is left on disk');
    await service.remove();
  }
});

const isAlive = (pid: number): boolean => existsSync(`/proc/${pid}`);

/** Standard output tells the operator four things; all else is JSON. */
function onlyLogLines(output: string): void {
  for (const line of output.split('\n').filter(Boolean)) {
    if (/^(?:Bindery \d|API key:|Workbench:|Isolation:|Engines:)/.test(line)) continue;
    assert.equal(typeof JSON.parse(line).message, 'string', line);
  }
}

const TWO_PAGES = fixture('text-two-pages.pdf');
const rotate = (service: RunningService, file = filePart(TWO_PAGES)): Promise<Response> =>
  service.post('general/rotate-pdf', form({ fileInput: file }));

async function works(service: RunningService): Promise<void> {
  await workersUp(service);
  const response = await rotate(service);
  assert.equal(response.status, 200);
  assert.match(Buffer.from(await response.arrayBuffer()).toString('latin1'), /^%PDF-/);
}

const pidOf = (service: RunningService): number => Number(service.process.pid);

/** Stops every worker, so that what it is given next hangs. */
async function stopWorkers(service: RunningService, count = 1): Promise<number[]> {
  await workersUp(service, count);
  const pids = workersOf(pidOf(service));
  for (const pid of pids) process.kill(pid, 'SIGSTOP');
  return pids;
}

async function gauge(service: RunningService, name: string): Promise<number> {
  const text = await (await service.fetch('/metrics')).text();
  return Number(new RegExp(`^bindery_${name} (\\d+)`, 'm').exec(text)?.[1]);
}

const busy = (service: RunningService): Promise<number> => gauge(service, 'workers_busy');

const workersUp = (service: RunningService, count = 1): Promise<boolean> =>
  until(`${count} workers are up`, async () => (await gauge(service, 'workers')) >= count);

/** Files of requests; empty directories of live workers do not count. */
async function nothingOnDisk(service: RunningService): Promise<void> {
  const work = join(service.dataDir, 'work');
  await until('nothing is left on disk', () =>
    readdirSync(work, { recursive: true, encoding: 'utf8' }).every((name) =>
      /^(?:incoming|results|worker-\d+)$/.test(name),
    ),
  );
}

for (const [what, signal] of [
  ['is killed', 'SIGKILL'],
  ['crashes', 'SIGSEGV'],
] as const) {
  test(`a worker that ${what} costs one caller a clean problem, and nobody else anything`, async () => {
    const service = await start();
    const [worker] = await stopWorkers(service);
    // Large enough that the document lies on disk.
    const hit = rotate(service, filePart(bomb(2, 'once'), 'large.pdf'));
    await until('the worker has it', async () => (await busy(service)) === 1);
    const waits = rotate(service);
    strike(Number(worker), signal);
    const response = await hit;
    const problem = await problemOf(response);
    assert.deepEqual([response.status, problem.reason, problem.code], [500, 'internal', 'internal']);
    assert.doesNotMatch(problem.detail, /SIG|signal|node|\//);
    assert.equal((await waits).status, 200);
    await works(service);
    await nothingOnDisk(service);
  });
}

test('a worker that hangs is ended by the deadline', async () => {
  const service = await start({ BINDERY_DEADLINE_MS: '2000' });
  const [worker] = await stopWorkers(service);
  const response = await rotate(service);
  const problem = await problemOf(response);
  assert.deepEqual([response.status, problem.reason], [503, 'deadline_exceeded']);
  const figures = await (await service.fetch('/metrics')).text();
  for (const figure of [
    /^bindery_worker_kills_total\{reason="deadline_exceeded"\} [1-9]/m,
    /^bindery_queue_wait_seconds_count [1-9]/m,
    /^bindery_queue_wait_seconds_bucket\{le="\+Inf"\} [1-9]/m,
    /^bindery_build_info\{version="[\d.]+",node="[\d.]+",platform="[\w-]+"\} 1$/m,
    /^process_cpu_seconds_total [\d.]+$/m,
    /^process_resident_memory_bytes [1-9]\d{6,}$/m,
    /^process_open_fds [1-9]/m,
    /^process_start_time_seconds 1\d{9}/m,
  ])
    assert.match(figures, figure);
  await until('the worker is gone', () => !workersOf(pidOf(service)).includes(Number(worker)));
  await works(service);
  await nothingOnDisk(service);
});

test('a document that takes too long is ended by the deadline', async () => {
  const service = await start({ BINDERY_DEADLINE_MS: '2000' });
  const response = await rotate(service, filePart(slowToOpen()));
  const problem = await problemOf(response);
  assert.deepEqual([response.status, problem.reason], [503, 'deadline_exceeded']);
  await works(service);
  await nothingOnDisk(service);
});

for (const packed of ['once', 'twice'] as const) {
  test(`a bomb packed ${packed} is refused before it takes the memory of a worker`, async () => {
    const service = await start({ BINDERY_WORKER_MEMORY_MB: '256' });
    const response = await service.post(
      'misc/decompress-pdf',
      form({ fileInput: filePart(bomb(3, packed)) }),
    );
    const problem = await problemOf(response);
    assert.deepEqual([response.status, problem.reason], [422, 'document_too_costly']);
    await works(service);
    await nothingOnDisk(service);
  });
}

test('a library that crashes for want of memory is told from one that fails', async () => {
  const service = await start({ BINDERY_WORKER_MEMORY_MB: '64' });
  const parts = Array.from({ length: 4 }, () => filePart(TWO_PAGES));
  const merged = await service.post('general/merge-pdfs', form({ fileInput: parts }));
  const pages = new Uint8Array(await merged.arrayBuffer());
  for (const [path, params] of [
    ['convert/pdf/img', { dpi: '600' }],
    ['convert/pdf/img', { dpi: '600', singleOrMultiple: 'single', imageFormat: 'webp', pageNumbers: '1-2' }],
    ['security/add-watermark', { convertPDFToImage: 'true', watermarkText: 'x' }],
    ['misc/scanner-effect', {}],
  ] as const) {
    const response = await service.post(path, form({ fileInput: filePart(pages), ...params }));
    // The one or the other, as the machine has it; never a failure of ours.
    if (response.status === 200) await response.arrayBuffer();
    else assert.equal((await problemOf(response)).reason, 'memory_exceeded', path);
  }
  await works(service);
});

test('a bomb in a pipeline names the step', async () => {
  const service = await start({ BINDERY_WORKER_MEMORY_MB: '256' });
  const steps = JSON.stringify([
    { op: 'filter-page-count', params: { pageCount: 1, comparator: 'Equal' } },
    { op: 'decompress-pdf' },
  ]);
  const response = await service.post('pipeline', form({ fileInput: filePart(bomb(3, 'twice')), steps }));
  const problem = await problemOf(response);
  assert.deepEqual(
    [problem.reason, problem.step, problem.op],
    ['document_too_costly', 1, 'misc/decompress-pdf'],
  );
});

test('while every worker is busy the service answers at once', async () => {
  const service = await start({ BINDERY_WORKERS: '2', BINDERY_QUEUE: '2' });
  await works(service);
  const pids = await stopWorkers(service, 2);
  const accepted = Array.from({ length: 4 }, () => rotate(service));
  await until('both are busy', async () => (await busy(service)) === 2);
  for (const path of ['/api/v1/info/status', '/api/v1/info/health', '/metrics']) {
    // An answer at all is the proof: the workers stand still until the end of this test.
    assert.equal((await service.fetch(path)).status, 200, path);
  }
  const refused = await until('the queue is full', async () => {
    const response = await Promise.race([rotate(service), sleep(300)]);
    return response?.status === 503 && response;
  });
  const problem = await problemOf(refused);
  assert.deepEqual([problem.reason, problem.code], ['unavailable', 'unavailable']);
  assert.match(refused.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
  for (const pid of pids) process.kill(pid, 'SIGCONT');
  for (const response of await Promise.all(accepted)) assert.equal(response.status, 200);
});

const sleep = (ms: number): Promise<undefined> => new Promise((done) => setTimeout(done, ms, undefined));

test('a caller who leaves takes the work along', async () => {
  const service = await start();
  const [worker] = await stopWorkers(service);
  const controller = new AbortController();
  const call = service.fetch('/api/v1/general/rotate-pdf', {
    method: 'POST',
    body: form({ fileInput: filePart(bomb(2, 'once')) }),
    signal: controller.signal,
  });
  await until('the worker has it', async () => (await busy(service)) === 1);
  controller.abort();
  await assert.rejects(call);
  await until('the worker is gone', () => !workersOf(pidOf(service)).includes(Number(worker)));
  await works(service);
  await nothingOnDisk(service);
});

test('a stop waits for work in flight', async () => {
  const service = await start();
  const [worker] = await stopWorkers(service);
  const call = rotate(service);
  await until('the worker has it', async () => (await busy(service)) === 1);
  const stopped = service.stop('SIGTERM');
  await until('it is stopping', () => /"message":"stopping"/.test(service.output()));
  process.kill(Number(worker), 'SIGCONT');
  const response = await call;
  assert.equal(response.status, 200);
  assert.ok((await response.arrayBuffer()).byteLength > 1000);
  assert.equal(await stopped, 0);
});

test('a stop does not wait longer than it may, and leaves nothing', async () => {
  const service = await start({ BINDERY_SHUTDOWN_MS: '700' });
  await stopWorkers(service);
  const call = rotate(service, filePart(bomb(2, 'once')));
  await until('the worker has it', async () => (await busy(service)) === 1);
  const stopped = service.stop('SIGTERM');
  const response = await call;
  const problem = await problemOf(response);
  assert.deepEqual(
    [response.status, problem.reason, response.headers.get('connection')],
    [503, 'unavailable', 'close'],
  );
  assert.ok(response.headers.has('retry-after'));
  assert.equal(await stopped, 0);
});

test('when the service itself is killed its workers end too, and the next start sweeps', async () => {
  const service = await startService();
  try {
    const [worker] = await stopWorkers(service);
    const path = join(service.dataDir, 'large.pdf');
    writeLargePdf(path, 8);
    const call = rotate(service, filePart(path));
    await until('the worker has it', async () => (await busy(service)) === 1);
    const below = descendants(pidOf(service));
    assert.ok(below.includes(Number(worker)));
    const lost = assert.rejects(call);
    await service.stop('SIGKILL');
    await lost;
    await until('the workers are gone', () => !below.some(isAlive));
    const left = readdirSync(join(service.dataDir, 'work'), { recursive: true, encoding: 'utf8' });
    assert.ok(
      left.some((name) => /in-1$/.test(name)),
      left.join(),
    );
    const again = await startService({ dataDir: service.dataDir });
    running.push(again);
    await nothingOnDisk(again);
    await works(again);
  } finally {
    await service.stop('SIGKILL');
  }
});

test('a result is sent whole though its worker retires meanwhile', async () => {
  const service = await start({ BINDERY_WORKER_JOBS: '1' });
  const [worker] = workersOf(pidOf(service));
  const path = join(service.dataDir, 'large.pdf');
  writeLargePdf(path, 32);
  const large = readFileSync(path);
  const params = { comparator: 'Equal', pageCount: '32', fileInput: filePart(path) };
  const response = await service.post('filter/filter-page-count', form(params));
  assert.equal(response.status, 200);
  await until('the worker has retired', () => !workersOf(pidOf(service)).includes(Number(worker)));
  await until(
    'and its directory is gone',
    () => !readdirSync(join(service.dataDir, 'work')).includes('worker-1'),
  );
  const received = new Uint8Array(await response.arrayBuffer());
  assert.ok(Buffer.compare(received, large) === 0, `${received.length} of ${large.length} bytes`);
  await nothingOnDisk(service);
});
