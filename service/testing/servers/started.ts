// Real servers for tests: each with a folder and ports of its own, ended when the tests are.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

const UP_WITHIN_MS = 90_000;

export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });

export interface Started {
  process: ChildProcess;
  /** What it said last, where it has ended by itself. */
  lastWords(): string | undefined;
  /** By force: what it was doing is lost. */
  kill(): Promise<void>;
}

/** The kernel ends what it starts with the process that started it, however that ends; Debian has it everywhere. */
const SETPRIV = '/usr/bin/setpriv';
const ENDED_WITH_US = existsSync(SETPRIV) ? [SETPRIV, '--pdeathsig', 'KILL', '--'] : [];

/** A program that runs until it is killed, or this process ends, by force too. */
export function start(program: string, args: readonly string[], cwd: string): Started {
  const [first = program, ...rest] = [...ENDED_WITH_US, program, ...args];
  const child = spawn(first, rest, { cwd, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr?.on('data', (text: Buffer) => {
    said = (said + text.toString('latin1')).slice(-2000);
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const endWithUs = (): void => void child.kill('SIGKILL');
  process.once('exit', endWithUs);
  child.unref();
  return {
    process: child,
    lastWords: () => (child.exitCode === null && child.signalCode === null ? undefined : said),
    async kill() {
      process.off('exit', endWithUs);
      // Else nothing might be left that this process waits for but its end.
      child.ref();
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** Until it does, for a bounded time. */
export async function eventually(
  what: string,
  running: readonly Started[],
  isSo: () => Promise<boolean>,
): Promise<void> {
  const giveUpAt = Date.now() + UP_WITHIN_MS;
  for (;;) {
    if (await isSo().catch(() => false)) return;
    const ended = running.map((one) => one.lastWords()).find((words) => words !== undefined);
    if (ended !== undefined) throw new Error(`${what} has ended: ${ended}`);
    if (Date.now() > giveUpAt) throw new Error(`${what} did not come up`);
    await pause(50);
  }
}
