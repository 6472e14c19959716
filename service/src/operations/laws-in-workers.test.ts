// What every operation keeps to when it runs as it does in service: in worker processes, beside others, cut off.
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { EXAMPLE_ALLOW_HOSTS, exampleCall } from '../../testing/calls/example-calls.ts';
import { jobOf } from '../../testing/calls/run-here.ts';
import { zipEntries } from '../../testing/oracles/archives.ts';
import { askProgram, missing } from '../../testing/oracles/programs.ts';
import { sniff } from '../contract/kinds.ts';
import { createLog } from '../contract/log.ts';
import { Problem } from '../contract/problems.ts';
import type { EngineName } from '../engines/engines.ts';
import { probeEngines } from '../engines/load.ts';
import { chooseIsolation } from '../jobs/isolation.ts';
import type { JobOutcome } from '../jobs/job.ts';
import { Pool } from '../jobs/pool.ts';
import { Workspaces } from '../jobs/workspace.ts';
import { OPERATIONS } from './index.generated.ts';

const MIB = 1024 ** 2;
const ENGINES = await probeEngines();
/** The operations this machine can do. */
const PATHS = Object.entries(OPERATIONS)
  .filter(([, { uses }]) => (uses as EngineName[]).every((name) => ENGINES[name].available))
  .map(([path]) => path);
/** Programs are started only by calls that take at least so long. */
const SLOW_MS = 100;
const NEVER = new AbortController().signal;

/** Results that differ from run to run on purpose, and why. */
const RANDOM: Record<string, string> = {
  'security/add-password': 'keys of an encryption are random',
  'security/cert-sign': 'a signature holds its time',
  'security/timestamp-pdf': 'a timestamp holds its time',
};

const isolation = await chooseIsolation('auto');
const dataDir = mkdtempSync(join(tmpdir(), 'bindery-laws-'));
after(() => rmSync(dataDir, { recursive: true, force: true }));

interface Bench {
  pool: Pool;
  workspaces: Workspaces;
}

async function withPool(
  count: number,
  deadlineMs: number,
  use: (bench: Bench) => Promise<void>,
): Promise<void> {
  const workspaces = new Workspaces(join(dataDir, 'work'));
  const settings = {
    count,
    queue: 1000,
    waitMs: 600_000,
    deadlineMs,
    memoryBytes: 1024 * MIB,
    jobsEach: 500,
    allowHosts: EXAMPLE_ALLOW_HOSTS,
  };
  const pool = new Pool(
    { ...settings, isolation, logLevel: 'silent', dataDir },
    workspaces,
    createLog('silent'),
  );
  try {
    await use({ pool, workspaces });
  } finally {
    await pool.close();
  }
  await soon(() => processesUnder(dataDir).length === 0, 'no process is left');
  await soon(() => filesUnder(dataDir).length === 0, 'no file is left');
}

interface Ran {
  outcome: JobOutcome;
  bytes: Buffer;
  ms: number;
}

async function run({ pool, workspaces }: Bench, path: string, signal = NEVER): Promise<Ran> {
  const op = OPERATIONS[path];
  assert.ok(op);
  const workspace = workspaces.create();
  const start = performance.now();
  try {
    const outcome = await pool.run(jobOf(path, exampleCall(path, op), workspace.id), workspace, {
      owner: 'test',
      signal,
    });
    const ms = performance.now() - start;
    if (outcome.state !== 'made') return { outcome, bytes: Buffer.alloc(0), ms };
    const { content } = outcome.result;
    const bytes =
      'bytes' in content ? Buffer.from(content.bytes) : readFileSync(workspace.path(content.file));
    return { outcome, bytes, ms };
  } finally {
    await workspace.remove();
  }
}

test('calls side by side give what calls one by one give, and leave nothing on disk', {
  skip: missing('qpdf'),
}, async (t) => {
  await withPool(2, 600_000, async (bench) => {
    await workerUp(bench);
    const alone = new Map<string, Ran>();
    for (const path of PATHS) {
      alone.set(path, await run(bench, path));
      assert.deepEqual(filesUnder(dataDir), [], `${path} leaves files`);
    }
    const together = await Promise.all(
      PATHS.flatMap((path) => [path, path]).map(async (path) => ({ path, ran: await run(bench, path) })),
    );
    for (const { path, ran } of together) {
      await t.test(path, async () => {
        const first = alone.get(path);
        assert.ok(first && first.outcome.state !== 'failed', JSON.stringify(first?.outcome));
        assert.deepEqual(facts(ran), facts(first));
        if (!(path in RANDOM)) assert.deepEqual(await lasting(ran.bytes), await lasting(first.bytes));
      });
    }
    assert.deepEqual(filesUnder(dataDir), []);
    await t.test('a call whose caller leaves in the middle ends with all it started', async () => {
      for (const [path, ms] of slowestOfEachKind(alone)) {
        await workerUp(bench);
        // One that is done before its caller leaves is done.
        await run(bench, path, AbortSignal.timeout(Math.round(ms / 2))).catch((error: Error) =>
          assert.equal(error.name, 'TimeoutError'),
        );
        await soon(() => filesUnder(dataDir).length === 0, `${path} leaves files`);
      }
    });
  });
});

/** What an operation starts depends on its engines: an end is asked of one operation for each set of them. */
const enginesOf = (path: string): string => [...(OPERATIONS[path]?.uses ?? [])].sort().join();

function slowestOfEachKind(ran: ReadonlyMap<string, Ran>): [path: string, ms: number][] {
  const slowest = new Map<string, [path: string, ms: number]>();
  for (const [path, { ms }] of ran) {
    const [, most] = slowest.get(enginesOf(path)) ?? ['', SLOW_MS];
    if (ms >= most) slowest.set(enginesOf(path), [path, ms]);
  }
  return [...slowest.values()];
}
const ONE_OF_EACH_KIND = [...new Map(PATHS.map((path) => [enginesOf(path), path])).values()];

test('a deadline ends an operation as a clean problem, with its worker, and leaves nothing', async (t) => {
  await withPool(1, 1, async (bench) => {
    for (const path of ONE_OF_EACH_KIND) {
      await t.test(`${path} (${enginesOf(path)})`, async () => {
        await workerUp(bench);
        const { restarts } = bench.pool.load();
        const error = await firstRefusal(() => run(bench, path));
        assert.ok(error instanceof Problem && error.reason === 'deadline_exceeded', String(error));
        assert.ok(bench.pool.load().restarts > restarts, 'the worker is replaced');
        await soon(() => filesUnder(dataDir).length === 0, 'no file is left');
      });
    }
  });
});

/** A small call may be answered before its time is up. */
async function firstRefusal(call: () => Promise<unknown>): Promise<unknown> {
  for (let tries = 0; tries < 100; tries += 1) {
    try {
      await call();
    } catch (error) {
      return error;
    }
  }
  return undefined;
}

const workerUp = ({ pool }: Bench): Promise<void> => soon(() => pool.load().workers > 0, 'a worker is up');

/** What stays the same whatever the content. */
function facts({ outcome }: Ran): unknown {
  if (outcome.state !== 'made') return outcome.state;
  const { name, mediaType, kind, headers } = outcome.result;
  // How small a packed date gets depends on the date.
  const { 'X-Compression-Ledger': _bytes, ...lastingHeaders } = headers;
  return { name, mediaType, kind, headers: lastingHeaders };
}

/** The content without dates and ids, which differ from run to run. */
async function lasting(bytes: Buffer): Promise<unknown> {
  const kind = sniff(bytes);
  if (kind === 'zip') {
    const entries = await zipEntries(bytes);
    return Promise.all(entries.map(async (entry) => [entry.name, await lasting(entry.bytes)]));
  }
  if (kind !== 'pdf') return bytes.toString('latin1');
  return askProgram('qpdf', ['--qdf', '--object-streams=disable', '{}', '-'], bytes, [0, 3])
    .replace(/\bxref\n[\s\S]*$/, '')
    .replace(/D:\d{14}[^)>]*/g, 'DATE')
    .replace(/\d{4}-\d\d-\d\dT[\d:.+-]+Z?/g, 'DATE');
}

async function soon(isTrue: () => boolean, what: string): Promise<void> {
  for (const end = Date.now() + 60_000; Date.now() < end; ) {
    if (isTrue()) return;
    await pause(5);
  }
  assert.fail(what);
}

/** What a LibreOffice that stays up knows of itself is no document's; it goes with its worker. */
const KEPT = /\/worker-\d+\/office-\w+\/(?:profile|tmp)\//;

function filesUnder(dir: string): string[] {
  try {
    return readdirSync(dir, { recursive: true, withFileTypes: true })
      .filter((entry) => !entry.isDirectory())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => !KEPT.test(path));
  } catch (error) {
    // A folder that is being removed right now: there was something.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [dir];
    throw error;
  }
}

/** Workers and what they start have their home below the data folder. */
function processesUnder(dir: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid) || pid === String(process.pid)) return false;
    try {
      return readFileSync(`/proc/${pid}/environ`, 'latin1').includes(`HOME=${dir}`);
    } catch {
      return false;
    }
  });
}
