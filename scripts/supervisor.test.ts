import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

interface Thread {
  state: string;
  cpuMs: number;
}
interface LoopWatch {
  forget(): void;
  isBlocked(now: number, thread?: Thread): boolean;
}
const SUPERVISOR = join(import.meta.dirname, 'supervisor.cjs');
const { LoopWatch }: { LoopWatch: new (limitMs: number, now: number) => LoopWatch } = createRequire(
  import.meta.url,
)(SUPERVISOR);

/** Seconds until a process with such a main thread is called blocked; Infinity where it is not. */
function secondsUntilBlocked(
  thread: (second: number) => Thread | undefined,
  secondOf = (tick: number) => tick,
) {
  const watch = new LoopWatch(10_000, 0);
  for (let tick = 1; tick <= 600; tick += 1)
    if (watch.isBlocked(1000 * secondOf(tick), thread(secondOf(tick)))) return secondOf(tick);
  return Number.POSITIVE_INFINITY;
}

test('a loop that stands still is told from a process that is not let run', () => {
  const endless = secondsUntilBlocked((second) => ({ state: 'R', cpuMs: 1000 * second }));
  assert.ok(endless >= 10 && endless <= 12, `${endless} s`);
  assert.equal(
    secondsUntilBlocked(() => ({ state: 'T', cpuMs: 500 })),
    10,
  );
  assert.equal(
    secondsUntilBlocked(() => undefined),
    10,
  );
  const starved = secondsUntilBlocked((second) => ({ state: 'R', cpuMs: 50 * second }));
  assert.ok(starved > 190, `one that gets a twentieth of a processor, after ${starved} s`);
  assert.equal(
    secondsUntilBlocked(() => ({ state: 'R', cpuMs: 70 })),
    Number.POSITIVE_INFINITY,
  );
  assert.equal(
    secondsUntilBlocked(() => ({ state: 'D', cpuMs: 70 })),
    Number.POSITIVE_INFINITY,
  );
});

test('a machine that slept blocked nobody', () => {
  // Every ninth second an hour passes.
  const sleepy = (tick: number) => tick + 3600 * Math.floor(tick / 9);
  assert.equal(
    secondsUntilBlocked(() => ({ state: 'S', cpuMs: 0 }), sleepy),
    Number.POSITIVE_INFINITY,
  );
});

test('a sign of life begins the count anew, and no limit is none', () => {
  const watch = new LoopWatch(10_000, 0);
  for (let second = 1; second < 100; second += 1) {
    if (second % 9 === 0) watch.forget();
    assert.equal(watch.isBlocked(1000 * second, { state: 'S', cpuMs: 0 }), false);
  }
  const unlimited = new LoopWatch(0, 0);
  for (let second = 1; second < 100; second += 1) assert.equal(unlimited.isBlocked(1000 * second), false);
});

const folder = mkdtempSync(join(tmpdir(), 'bindery-supervisor-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** The supervisor over a program of ours, which keeps count of its lives in a file. */
function supervised(program: string): { child: ChildProcess; lives(): string[]; said(): string } {
  const count = join(folder, `lives-${Math.random()}`);
  const main = join(folder, `main-${Math.random()}.cjs`);
  const head = `
    const fs = require('node:fs');
    fs.appendFileSync(${JSON.stringify(count)}, process.env.BINDERY_PORT + '\\n');
    const life = fs.readFileSync(${JSON.stringify(count)}, 'utf8').split('\\n').length - 1;
    const listen = () => process.send({ kind: 'listening', port: 4711, blockedMs: 2000 });
  `;
  writeFileSync(main, head + program);
  const call = `require(${JSON.stringify(SUPERVISOR)}).supervise(process.execPath, [${JSON.stringify(main)}], process.env)`;
  const child = spawn(process.execPath, ['-e', call], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: process.env.PATH, BINDERY_PORT: '0' },
  });
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  return { child, lives: () => readFileSync(count, 'utf8').trim().split('\n'), said: () => said };
}

test('a start that is refused is not tried again, and its code stays', async () => {
  const { child, lives } = supervised('process.exit(3)');
  assert.deepEqual(await once(child, 'exit'), [3, null]);
  assert.equal(lives().length, 1);
});

test('one that served is started anew on its port, and given up only when it does not come to serve', async () => {
  const { child, lives, said } = supervised(
    'if (life < 3) { listen(); setTimeout(() => process.exit(5), 50); } else process.exit(6);',
  );
  assert.deepEqual(await once(child, 'exit'), [6, null]);
  // Two lives that served, and five that did not.
  assert.deepEqual(lives(), ['0', '4711', '4711', '4711', '4711', '4711', '4711']);
  assert.match(said(), /ended with code 5 after .* s; starting it anew in 0\.3 s\.\n/);
  assert.match(said(), /could not be started 5 times in a row; giving up\.\n$/);
});

test('an end by its own will is respected', async () => {
  const { child, lives } = supervised('listen(); setTimeout(() => process.exit(0), 50);');
  assert.deepEqual(await once(child, 'exit'), [0, null]);
  assert.equal(lives().length, 1);
});

test('a stop while it waits to start anew ends at once', async () => {
  const { child, said } = supervised('listen(); setTimeout(() => process.exit(5), 50);');
  while (!said().includes('in 1.0 s')) await new Promise((next) => setTimeout(next, 20));
  child.kill('SIGTERM');
  assert.deepEqual(await once(child, 'exit'), [0, null]);
});

test('a loop that never returns is ended and its successor told why, also while a stop is under way', async () => {
  const { child, lives, said } = supervised(`
    process.on('message', ({ history }) => {
      listen();
      if (life === 1) for (;;);
      fs.writeFileSync(${JSON.stringify(join(folder, 'history'))}, JSON.stringify(history));
      process.on('SIGTERM', () => { for (;;); });
      setInterval(() => process.send({ kind: 'beat' }), 500);
    });
  `);
  const history = join(folder, 'history');
  const told = () => {
    try {
      return JSON.parse(readFileSync(history, 'utf8'));
    } catch {
      return undefined;
    }
  };
  while (told() === undefined) await new Promise((next) => setTimeout(next, 50));
  assert.deepEqual(told().restarts, { blocked: 1, crashed: 0, killed: 0 });
  assert.equal(told().last.reason, 'blocked');
  assert.match(said(), /has stood still for \d\.\d s; ending it\./);
  child.kill('SIGTERM');
  assert.deepEqual(await once(child, 'exit'), [137, null]);
  assert.equal(lives().length, 2);
});
