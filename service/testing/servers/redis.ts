import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { missing } from '../oracles/programs.ts';
import { eventually, freePort, type Started, start } from './started.ts';

/** Reason to skip, or false. */
export const withoutRedis: string | false = missing('redis-server');

export interface RedisServer {
  url: string;
  /** Ends it by force, and starts it again on the same port with what its log of writes holds. */
  kill(): Promise<void>;
  again(): Promise<void>;
  close(): Promise<void>;
}

/** What answers PING is up. */
const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'));
    socket.setTimeout(1000, () => socket.destroy());
    socket.once('data', (data) => {
      resolve(data.toString('latin1').startsWith('+PONG'));
      socket.destroy();
    });
    socket.once('error', () => resolve(false));
    socket.once('close', () => resolve(false));
  });

export async function startRedis(): Promise<RedisServer> {
  const dir = await mkdtemp(join(tmpdir(), 'bindery-redis-'));
  const port = await freePort();
  let running: Started;
  const again = async (): Promise<void> => {
    running = start(
      'redis-server',
      ['--bind', '127.0.0.1', '--port', String(port), '--dir', dir, '--save', '', '--appendonly', 'yes'],
      dir,
    );
    await eventually('redis-server', [running], () => answers(port));
  };
  await again();
  return {
    url: `redis://127.0.0.1:${port}/0`,
    kill: () => running.kill(),
    again,
    async close() {
      await running.kill();
      await rm(dir, { recursive: true, force: true });
    },
  };
}
