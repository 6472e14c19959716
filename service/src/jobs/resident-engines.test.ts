import assert from 'node:assert/strict';
import { mkdtempSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { browsersOf, renderersOf, statusOf, until } from '../../../test/processes.ts';
import { jobOf } from '../../testing/calls/run-here.ts';
import { fixture } from '../../testing/documents/collection.ts';
import { createLog } from '../contract/log.ts';
import { probe } from '../engines/browser/program.ts';
import { chooseIsolation } from './isolation.ts';
import { Pool } from './pool.ts';
import type { Times } from './worker-settings.ts';
import { Workspaces } from './workspace.ts';

const skip = (await probe()).missing ?? false;
const isolation = await chooseIsolation('auto');
const dataDir = mkdtempSync(join(tmpdir(), 'bindery-heavy-'));
after(() => rmSync(dataDir, { recursive: true, force: true }));
const NEVER = new AbortController().signal;

interface Running {
  run(kind: 'page' | 'light'): Promise<void>;
  pool: Pool;
}

function start(t: TestContext, count: number, times: Partial<Times> = {}): Running {
  const workspaces = new Workspaces(join(dataDir, 'work'));
  const settings = {
    count,
    queue: 100,
    waitMs: 60_000,
    deadlineMs: 60_000,
    memoryBytes: 128 * 1024 ** 2,
    jobsEach: 500,
  };
  const pool = new Pool(
    { ...settings, isolation, logLevel: 'silent', dataDir, times },
    workspaces,
    createLog('silent'),
  );
  t.after(() => pool.close());
  const calls = {
    page: ['convert/html/pdf', fixture('invoice.html')],
    light: ['analysis/page-count', fixture('text-two-pages.pdf')],
  } as const;
  return {
    pool,
    async run(kind) {
      const [op, file] = calls[kind];
      const workspace = workspaces.create();
      try {
        const job = jobOf(op, { files: { fileInput: file } }, workspace.id);
        const outcome = await pool.run(job, workspace, { owner: 'test', signal: NEVER });
        assert.equal(outcome.state, 'made', JSON.stringify(outcome));
      } finally {
        await workspace.remove();
      }
    },
  };
}

const browsers = (): number[] => browsersOf(process.pid);

test('pages go to the worker whose browser runs; others stay free of one', { skip }, async (t) => {
  const { run, pool } = start(t, 3);
  await Promise.all([run('light'), run('light'), run('light')]);
  await until('two workers are up', () => pool.load().workers >= 2);
  for (let times = 0; times < 3; times += 1) {
    await run('page');
    await run('light');
  }
  assert.equal(browsers().length, 1);
});

test('a browser needs more memory than a document may, and has it', { skip }, async (t) => {
  const { run, pool } = start(t, 1, { sampleMs: 20 });
  for (let times = 0; times < 5; times += 1) await run('page');
  assert.equal(pool.load().restarts, 0);
});

test('after a quiet time the browser goes, and a small worker is left', { skip }, async (t) => {
  const { run, pool } = start(t, 2, { sampleMs: 50, restMs: 100, warmRestMs: 3000 });
  await run('page');
  assert.equal(browsers().length, 1);
  await pause(300);
  assert.equal(browsers().length, 1, 'it is kept for a while');
  await until('the browser is gone', () => browsers().length === 0 && pool.load().workers === 1);
  await until('what it took is given back', () => pool.load().workerRssBytes < 150 * 1024 ** 2);
});

test('inside the isolation the browser has no network, and a sandbox of its own', {
  skip: skip || (isolation !== 'bwrap' && `the isolation is ${isolation}`),
}, async (t) => {
  const { run } = start(t, 1);
  await run('page');
  const [browser] = browsers();
  assert.ok(browser);
  assert.notEqual(readlinkSync(`/proc/${browser}/ns/net`), readlinkSync('/proc/self/ns/net'));
  // The next page is opened once the answer is sent, that of the one before may be ending, and each enters its
  // sandbox a moment after its start: 2 means that only calls on a list are allowed.
  await until('every page in a sandbox', () => {
    const seen = renderersOf(process.pid)
      .map((pid) => statusOf(pid, 'Seccomp'))
      .filter(Boolean);
    return seen.length > 0 && seen.every((mode) => mode === '2');
  });
});
