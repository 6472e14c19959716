import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
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
  const settings = { count, queue: 100, deadlineMs: 60_000, memoryBytes: 128 * 1024 ** 2, jobsEach: 500 };
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
        const outcome = await pool.run(job, workspace, NEVER);
        assert.equal(outcome.state, 'made', JSON.stringify(outcome));
      } finally {
        await workspace.remove();
      }
    },
  };
}

const statusOf = (pid: number, label: string): string =>
  new RegExp(`^${label}:\\s+(.*)$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? '';

/** Processes that this one has started, directly or not, by their command. */
function processes(isWanted: (command: string) => boolean): number[] {
  const isOurs = (pid: number): boolean => {
    for (let at = pid; at > 1; at = Number(statusOf(at, 'PPid'))) if (at === process.pid) return true;
    return false;
  };
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return isWanted(readFileSync(`/proc/${pid}/cmdline`, 'latin1')) && isOurs(pid);
      } catch {
        return false;
      }
    });
}

const browsers = (): number[] =>
  processes(
    (command) =>
      command.includes('--remote-debugging-pipe') &&
      /^[^\0 ]*chrom/.test(command) &&
      !command.includes('--type='),
  );

async function soon(isTrue: () => boolean, what: string): Promise<void> {
  for (const end = Date.now() + 30_000; Date.now() < end; await pause(20)) if (isTrue()) return;
  assert.fail(what);
}

test('pages go to the worker whose browser runs; others stay free of one', { skip }, async (t) => {
  const { run, pool } = start(t, 3);
  await Promise.all([run('light'), run('light'), run('light')]);
  await soon(() => pool.load().workers >= 2, 'two workers are up');
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
  const { run, pool } = start(t, 2, { sampleMs: 50, restMs: 100, warmRestMs: 600 });
  await run('page');
  assert.equal(browsers().length, 1);
  await pause(300);
  assert.equal(browsers().length, 1, 'it is kept for a while');
  await soon(() => browsers().length === 0 && pool.load().workers === 1, 'the browser is gone');
  await soon(() => pool.load().workerRssBytes < 150 * 1024 ** 2, 'what it took is given back');
});

test('behind the fence the browser has no network, and a sandbox of its own', {
  skip: skip || (isolation !== 'bwrap' && `the fence is ${isolation}`),
}, async (t) => {
  const { run } = start(t, 1);
  await run('page');
  const [browser] = browsers();
  assert.ok(browser);
  assert.notEqual(readlinkSync(`/proc/${browser}/ns/net`), readlinkSync('/proc/self/ns/net'));
  // The next page is opened once the answer is sent.
  const renderers = () => processes((command) => command.includes('--type=renderer'));
  for (let tries = 0; tries < 100 && renderers().length === 0; tries += 1) await pause(50);
  const pages = renderers();
  assert.ok(pages.length > 0);
  // 2: only calls on a list; and processes of its own count from 1.
  for (const pid of pages) assert.equal(statusOf(pid, 'Seccomp'), '2');
});
