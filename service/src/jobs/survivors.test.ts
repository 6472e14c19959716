import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { endSurvivors } from './survivors.ts';

const folder = mkdtempSync(join(tmpdir(), 'bindery-survivors-'));
const work = join(folder, 'work');
const started: ChildProcess[] = [];
after(() => {
  for (const child of started) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** A program in a group of its own, deaf to hints, that says the id of a second one it started. */
async function program(home: string, cwd: string): Promise<{ child: ChildProcess; second: number }> {
  for (const dir of [home, cwd]) mkdirSync(dir, { recursive: true });
  const script = 'trap "" HUP TERM; env -u HOME -C / sleep 600 & echo $!; wait; wait';
  const child = spawn('/bin/sh', ['-c', script], {
    detached: true,
    cwd,
    env: { PATH: '/usr/bin:/bin', HOME: home },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  started.push(child);
  const [said] = await once(child.stdout as NonNullable<typeof child.stdout>, 'data');
  return { child, second: Number(said) };
}

const isAlive = (pid: number): boolean => existsSync(`/proc/${pid}`);
async function gone(pid: number): Promise<void> {
  for (const giveUpAt = Date.now() + 10_000; isAlive(pid); ) {
    if (Date.now() > giveUpAt) assert.fail(`${pid} is still there`);
    await new Promise((next) => setTimeout(next, 10));
  }
}

test('what an earlier life left running in its work folder is ended with its group, and nothing else', async () => {
  const byHome = await program(join(work, 'worker-1'), folder);
  const byDirectory = await program(folder, join(work, 'worker-2', 'job'));
  const other = await program(join(folder, 'work-of-others'), folder);
  assert.equal(endSurvivors(work), 2);
  for (const { child, second } of [byHome, byDirectory]) {
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    assert.equal(child.signalCode, 'SIGKILL');
    await gone(second);
  }
  assert.equal(other.child.signalCode, null);
  assert.ok(isAlive(other.second));
  process.kill(-Number(other.child.pid), 'SIGKILL');
  assert.equal(endSurvivors(join(folder, 'nowhere')), 0);
});
