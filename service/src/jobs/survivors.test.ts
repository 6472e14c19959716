import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { commandOf, killAll, until } from '../../../test/processes.ts';
import { endSurvivors } from './survivors.ts';

const folder = mkdtempSync(join(tmpdir(), 'bindery-survivors-'));
const work = join(folder, 'work');
const started: ChildProcess[] = [];
after(() => {
  killAll(started.map(({ pid }) => -Number(pid)));
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
  const second = Number(said);
  // Until then it is a copy of the shell, with its home.
  await until('the second one runs', () => commandOf(second)[0] === 'sleep');
  return { child, second };
}

const isAlive = (pid: number): boolean => existsSync(`/proc/${pid}`);
test('what an earlier life left running in its work folder is ended with its group, and nothing else', async () => {
  const byHome = await program(join(work, 'worker-1'), folder);
  const byDirectory = await program(folder, join(work, 'worker-2', 'job'));
  const other = await program(join(folder, 'work-of-others'), folder);
  assert.equal(endSurvivors(work), 2);
  for (const { child, second } of [byHome, byDirectory]) {
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    assert.equal(child.signalCode, 'SIGKILL');
    await until(`${second} is gone`, () => !isAlive(second));
  }
  assert.equal(other.child.signalCode, null);
  assert.ok(isAlive(other.second));
  process.kill(-Number(other.child.pid), 'SIGKILL');
  assert.equal(endSurvivors(join(folder, 'nowhere')), 0);
});
