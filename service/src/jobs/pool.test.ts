import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, test } from 'node:test';
import { strike, until, workersOf } from '../../../test/processes.ts';
import { fixture } from '../../testing/documents/collection.ts';
import { onePage } from '../../testing/documents/written-pdf.ts';
import { pdfinfo } from '../../testing/oracles/programs.ts';
import { createLog } from '../contract/log.ts';
import { Problem } from '../contract/problems.ts';
import { planPipeline } from '../operations/pipeline.ts';
import { type Part, type Plan, planCall } from '../operations/plan.ts';
import { chooseIsolation, NODE_DATA_BYTES } from './isolation.ts';
import type { Job, JobOutcome } from './job.ts';
import { Pool, type PoolSettings } from './pool.ts';
import { type Workspace, Workspaces } from './workspace.ts';

const isolation = await chooseIsolation('auto');
const folders: string[] = [];
const pools: Pool[] = [];
const lines: string[] = [];

interface Opened {
  pool: Pool;
  workspaces: Workspaces;
  root: string;
}

function open(settings: Partial<PoolSettings> = {}): Opened {
  const dataDir = mkdtempSync(join(tmpdir(), 'bindery-pool-'));
  const root = join(dataDir, 'work');
  folders.push(dataDir);
  const workspaces = new Workspaces(root);
  const pool = new Pool(
    {
      count: 1,
      queue: 8,
      waitMs: 60_000,
      deadlineMs: 60_000,
      memoryBytes: 512 * 1024 * 1024,
      jobsEach: 1000,
      isolation,
      logLevel: 'silent',
      dataDir,
      ...settings,
      times: { sampleMs: 50, restartPauseMs: 100, ...settings.times },
    },
    workspaces,
    createLog('error', (line) => lines.push(line)),
  );
  pools.push(pool);
  return { pool, workspaces, root };
}

afterEach(async () => {
  for (const pool of pools.splice(0)) await pool.close();
  assert.deepEqual(workersOf(process.pid), [], 'no worker outlives its pool');
  lines.length = 0;
});

after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const SMALL = readFileSync(fixture('text-two-pages.pdf'));
/** Large enough to travel as a file. */
const LARGE = onePage({ content: `% ${randomBytes(1_600_000).toString('base64')}\n` });

const part = (bytes: Buffer): Part => ({
  field: 'fileInput',
  file: { name: 'a.pdf', size: bytes.length, content: { chunks: [bytes] } },
});

const rotation = (bytes: Buffer = SMALL): Plan => planCall('general/rotate-pdf', [part(bytes)]);

/** The plans here name no uploads and no extra files. */
function jobOf(id: string, { pipeline, files, steps }: Plan): Job {
  const atHand = files.flatMap((planned) => ('file' in planned ? [planned.file] : []));
  return { id, pipeline, files: atHand, steps: steps.map((step) => ({ ...step, extraFiles: {} })) };
}

interface Running {
  outcome: Promise<JobOutcome>;
  workspace: Workspace;
  abort(): void;
}

function begin({ pool, workspaces }: Opened, plan = rotation(), owner = 'test'): Running {
  const workspace = workspaces.create();
  const controller = new AbortController();
  const outcome = pool.run(jobOf(workspace.id, plan), workspace, { owner, signal: controller.signal });
  outcome.catch(() => {});
  return { outcome, workspace, abort: () => controller.abort() };
}

const isUp = ({ pool }: Opened) => until('a worker is up', () => pool.load().workers > 0);

async function firstWorker(opened: Opened): Promise<number> {
  await isUp(opened);
  const [pid] = workersOf(process.pid);
  assert.ok(pid);
  return pid;
}

async function problemOf(outcome: Promise<JobOutcome>): Promise<Problem> {
  const thrown = await outcome.then(
    (value) => assert.fail(`a ${value.state} outcome`),
    (error: unknown) => error,
  );
  assert.ok(thrown instanceof Problem, String(thrown));
  return thrown;
}

async function succeeds(opened: Opened): Promise<void> {
  const { outcome, workspace } = begin(opened);
  const { state } = await outcome;
  assert.equal(state, 'made');
  await workspace.remove();
}

/** Nothing but empty directories of live workers. */
async function isEmpty(root: string): Promise<void> {
  await until('nothing is left on disk', () =>
    readdirSync(root, { recursive: true, encoding: 'utf8' }).every((name) =>
      /^(?:incoming|results|worker-\d+)$/.test(name),
    ),
  );
}

for (const [how, signal] of [
  ['is killed', 'SIGKILL'],
  ['crashes', 'SIGSEGV'],
] as const) {
  test(`a worker that ${how} during a job costs that job only`, async () => {
    const opened = open();
    const worker = await firstWorker(opened);
    process.kill(worker, 'SIGSTOP');
    const { outcome, workspace } = begin(opened, rotation(LARGE));
    const next = begin(opened);
    strike(worker, signal);
    const problem = await problemOf(outcome);
    assert.equal(problem.reason, 'internal');
    await workspace.remove();
    assert.equal((await next.outcome).state, 'made');
    await next.workspace.remove();
    await isEmpty(opened.root);
    assert.equal(opened.pool.load().restarts, 1);
    assert.match(lines.join(''), /worker ended during a job/);
  });
}

test('a worker that hangs is ended by the deadline', async () => {
  const opened = open({ deadlineMs: 1500 });
  const worker = await firstWorker(opened);
  process.kill(worker, 'SIGSTOP');
  const { outcome, workspace } = begin(opened);
  const problem = await problemOf(outcome);
  assert.equal(problem.reason, 'deadline_exceeded');
  assert.match(problem.detail, /1\.5 seconds/);
  await workspace.remove();
  await until('the worker is gone', () => !workersOf(process.pid).includes(worker));
  await isUp(opened);
  await isEmpty(opened.root);
});

test('a job that waits for too long is refused, and never runs; the deadline counts from the start of work', async () => {
  const opened = open({ waitMs: 1000, deadlineMs: 2000 });
  const worker = await firstWorker(opened);
  process.kill(worker, 'SIGSTOP');
  const running = begin(opened);
  const waiting = begin(opened);
  const problems = await Promise.all([problemOf(running.outcome), problemOf(waiting.outcome)]);
  assert.deepEqual(
    problems.map(({ reason }) => reason),
    ['deadline_exceeded', 'unavailable'],
  );
  assert.match(problems[1].detail, /within 1 seconds/);
  assert.ok(Number(problems[1].options.retryAfterSeconds) > 0);
  assert.equal(opened.pool.load().waiting, 0);
  await succeeds(open());
});

test('an idle worker that dies is replaced', async () => {
  const opened = open();
  const worker = await firstWorker(opened);
  process.kill(worker, 'SIGKILL');
  await until('another worker is up', () => {
    const [other] = workersOf(process.pid);
    return opened.pool.load().workers === 1 && other !== undefined && other !== worker;
  });
  await succeeds(opened);
  assert.equal(opened.pool.load().restarts, 1);
});

test('a caller who leaves ends the work; one who leaves the queue ends nothing', async () => {
  const opened = open();
  const worker = await firstWorker(opened);
  process.kill(worker, 'SIGSTOP');
  const running = begin(opened, rotation(LARGE));
  const waiting = begin(opened);
  const last = begin(opened);
  waiting.abort();
  await assert.rejects(waiting.outcome, { name: 'AbortError' });
  assert.ok(workersOf(process.pid).includes(worker));
  running.abort();
  await assert.rejects(running.outcome, { name: 'AbortError' });
  await running.workspace.remove();
  assert.equal((await last.outcome).state, 'made');
  assert.ok(!workersOf(process.pid).includes(worker));
  await last.workspace.remove();
  await isEmpty(opened.root);
});

test('a caller who has left already is not served', async () => {
  const opened = open();
  const workspace = opened.workspaces.create();
  await assert.rejects(
    opened.pool.run(jobOf(workspace.id, rotation()), workspace, {
      owner: 'test',
      signal: AbortSignal.abort(),
    }),
    {
      name: 'AbortError',
    },
  );
  assert.equal(opened.pool.load().waiting, 0);
});

test('a full queue refuses, and there are never more workers than allowed', async () => {
  const opened = open({ count: 2, queue: 3 });
  await isUp(opened);
  let most = 0;
  const watch = setInterval(() => {
    const pids = workersOf(process.pid);
    most = Math.max(most, pids.length);
    for (const pid of pids) process.kill(pid, 'SIGSTOP');
  }, 5);
  const accepted = Array.from({ length: 5 }, () => begin(opened));
  const refused = await Promise.all(Array.from({ length: 3 }, () => problemOf(begin(opened).outcome)));
  for (const { reason, options } of refused) {
    assert.equal(reason, 'unavailable');
    assert.ok(Number(options.retryAfterSeconds) > 0);
  }
  await until('a second worker has started', () => most >= 2);
  clearInterval(watch);
  for (const pid of workersOf(process.pid)) process.kill(pid, 'SIGCONT');
  const outcomes = await Promise.all(accepted.map(({ outcome }) => outcome));
  assert.deepEqual(
    outcomes.map(({ state }) => state),
    Array(5).fill('made'),
  );
  assert.equal(most, 2);
});

test('workers that cannot start are tried ever more slowly, and callers are told at once', async () => {
  const times = { restartPauseMs: 100, patienceMs: 1500 };
  const opened = open({ memoryBytes: 50 * 1024 * 1024 - NODE_DATA_BYTES, times });
  const early = begin(opened);
  const problem = await problemOf(early.outcome);
  assert.equal(problem.reason, 'unavailable');
  assert.ok(Number(problem.options.retryAfterSeconds) > 0);
  assert.equal(opened.pool.engines(), undefined);
  const before = Date.now();
  assert.equal((await problemOf(begin(opened).outcome)).reason, 'unavailable');
  assert.ok(Date.now() - before < times.patienceMs - 100, 'no wait');
  // 100 ms, then 200, 400, 800: not one after the other.
  const { restarts } = opened.pool.load();
  assert.ok(restarts >= 2 && restarts <= 6, `${restarts} starts`);
  assert.match(lines.join(''), /worker could not start/);
  await until(
    'no directory of a dead worker',
    () => readdirSync(opened.root).filter((name) => name.startsWith('worker')).length <= 1,
  );
});

test('a worker that hangs while it starts is given up', async () => {
  const opened = open({ times: { startLimitMs: 4000, patienceMs: 60_000 } });
  const [pid] = await until('a worker starts', () => {
    const pids = workersOf(process.pid);
    return pids.length > 0 && pids;
  });
  process.kill(Number(pid), 'SIGSTOP');
  assert.equal(opened.pool.load().workers, 0, 'it was caught before it was up');
  const { outcome, workspace } = begin(opened);
  assert.equal((await outcome).state, 'made');
  await workspace.remove();
  assert.ok(!workersOf(process.pid).includes(Number(pid)));
});

test('the result outlives the worker that made it', async () => {
  const opened = open({ jobsEach: 1 });
  const worker = await firstWorker(opened);
  const { outcome, workspace } = begin(opened, rotation(LARGE));
  const made = await outcome;
  assert.ok(made.state === 'made' && 'file' in made.result.content);
  await until('the worker is gone', () => !workersOf(process.pid).includes(worker));
  await until('its directory too', () => !readdirSync(opened.root).includes('worker-1'));
  const bytes = readFileSync(workspace.path(made.result.content.file));
  assert.equal(bytes.length, made.result.size);
  assert.equal(pdfinfo(bytes)['Page rot'], '90');
  await workspace.remove();
  await isEmpty(opened.root);
});

/** Sizes of the files without a name that this process and its workers exchange bytes by. */
const exchanges = (): number[] =>
  readdirSync('/proc/self/fd').flatMap((fd) => {
    const path = `/proc/self/fd/${fd}`;
    try {
      return readlinkSync(path).endsWith('/exchange (deleted)') ? [statSync(path).size] : [];
    } catch {
      return [];
    }
  });

test('bytes are exchanged without a trace: none of a job is left when it is over', async () => {
  const opened = open();
  const before = await firstWorker(opened);
  assert.deepEqual(exchanges(), [0]);
  const medium = onePage({ content: `% ${randomBytes(700_000).toString('base64')}\n` });
  const { outcome, workspace } = begin(opened, rotation(medium));
  const made = await outcome;
  assert.ok(made.state === 'made' && 'bytes' in made.result.content && made.result.size > 900_000);
  assert.equal(pdfinfo(Buffer.from(made.result.content.bytes))['Page rot'], '90');
  assert.ok(!existsSync(workspace.dir), 'no directory was needed');
  await until('the exchange is empty', () => exchanges().every((size) => size === 0));
  strike(before, 'SIGKILL');
  await until('another worker came', () => workersOf(process.pid).some((pid) => pid !== before));
  await until('the first exchange is closed', () => exchanges().length === 1);
  await isEmpty(opened.root);
});

test('each worker serves its number of jobs', async () => {
  const opened = open({ jobsEach: 2 });
  for (let n = 0; n < 5; n += 1) await succeeds(opened);
  assert.equal(opened.pool.load().restarts, 2);
});

test('after a quiet time one small worker is left', async () => {
  const opened = open({ count: 3, times: { restMs: 1200 } });
  await isUp(opened);
  const several = [begin(opened), begin(opened), begin(opened)];
  for (const { outcome } of several) assert.equal((await outcome).state, 'made');
  await until('more came up with the load', () => opened.pool.load().workers > 1);
  await until('one is left', () => workersOf(process.pid).length === 1);
  const [plain] = workersOf(process.pid);
  // One that has looked into a page with PDFium has grown.
  const looks = begin(
    opened,
    planCall('filter/filter-contains-text', [part(SMALL), { field: 'text', text: 'e' }]),
  );
  assert.equal((await looks.outcome).state, 'made');
  await until('a fresh one took its place', () => {
    const pids = workersOf(process.pid);
    return pids.length === 1 && pids[0] !== plain && opened.pool.load().workers === 1;
  });
  const [fresh] = workersOf(process.pid);
  await new Promise((next) => setTimeout(next, 1500));
  assert.deepEqual(workersOf(process.pid), [fresh], 'a fresh one stays');
});

test('one that has grown waits for a successor that takes its time, and for no other', async () => {
  const opened = open({ count: 3, times: { restMs: 1000 } });
  const grown = await firstWorker(opened);
  const looks = begin(
    opened,
    planCall('filter/filter-contains-text', [part(SMALL), { field: 'text', text: 'e' }]),
  );
  const others = () => workersOf(process.pid).filter((pid) => pid !== grown);
  await until('a spare one starts', () => others().length > 0);
  const [slow] = others();
  assert.ok(slow);
  process.kill(slow, 'SIGSTOP');
  assert.equal((await looks.outcome).state, 'made');
  await new Promise((next) => setTimeout(next, 2000));
  assert.deepEqual(others(), [slow]);
  process.kill(slow, 'SIGCONT');
  await until('it took its place', () => !workersOf(process.pid).includes(grown));
  assert.deepEqual(others(), [slow]);
});

test('closing ends what runs, waits and starts, and leaves nothing', async () => {
  const opened = open({ count: 2 });
  const worker = await firstWorker(opened);
  process.kill(worker, 'SIGSTOP');
  const running = begin(opened, rotation(LARGE));
  const others = [begin(opened), begin(opened)];
  await opened.pool.close();
  for (const { outcome } of [running, ...others]) {
    const settled = await outcome.catch((error: unknown) => error);
    if (settled instanceof Problem) assert.equal(settled.reason, 'unavailable');
  }
  assert.equal((await problemOf(running.outcome)).reason, 'unavailable');
  assert.equal((await problemOf(begin(opened).outcome)).reason, 'unavailable');
  assert.deepEqual(workersOf(process.pid), []);
  assert.deepEqual(readdirSync(join(opened.root, '..')), []);
});

test('where each key has workers of its own, none that has seen a document of one sees another’s', async () => {
  const opened = open({ workerPerKey: true });
  const served = async (owner: string): Promise<number> => {
    assert.equal((await begin(opened, rotation(), owner).outcome).state, 'made');
    return firstWorker(opened);
  };
  const first = await served('key_a');
  assert.equal(await served('key_a'), first);
  const second = await served('key_b');
  assert.notEqual(second, first);
  assert.equal(await served('key_b'), second);
  // Both at once, in turns: everybody is served.
  const mixed = Array.from(
    { length: 6 },
    (_, n) => begin(opened, rotation(), n % 2 ? 'key_a' : 'key_b').outcome,
  );
  for (const outcome of mixed) assert.equal((await outcome).state, 'made');
});

test('whoever wants to know hears of each step as it begins', async () => {
  const opened = open();
  const workspace = opened.workspaces.create();
  const steps = JSON.stringify(Array(3).fill({ op: 'general/rotate-pdf' }));
  const job = jobOf(workspace.id, planPipeline([part(SMALL), { field: 'steps', text: steps }]));
  const told: number[] = [];
  const { signal } = new AbortController();
  await opened.pool.run(job, workspace, { owner: 'test', signal, onStep: (step) => told.push(step) });
  assert.deepEqual(told, [0, 1, 2]);
  await workspace.remove();
});

test('a death in a pipeline names the step', async () => {
  const opened = open();
  const worker = await firstWorker(opened);
  const steps = JSON.stringify(Array(50).fill({ op: 'general/rotate-pdf' }));
  const { outcome, workspace } = begin(opened, planPipeline([part(LARGE), { field: 'steps', text: steps }]));
  // Each goes as soon as the next step has read it: any of them will do.
  const isWritten = (): boolean =>
    existsSync(workspace.dir) && readdirSync(workspace.dir).some((name) => name.startsWith('out-'));
  await until('a step has begun to write', isWritten);
  process.kill(worker, 'SIGKILL');
  const problem = await problemOf(outcome);
  assert.equal(problem.options.op, 'general/rotate-pdf');
  assert.ok(Number.isInteger(problem.options.step));
});
