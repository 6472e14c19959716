// The service that calls go to: a remote one, or one of our own that lives as long as the call.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Bindery } from '@bindery/sdk';
import { UsageError } from './command.ts';
import type { CommonWords } from './operation-words.ts';
import { serviceFile } from './own-service.ts';
import { readSettings } from './settings.ts';

export interface Connected {
  bindery: Bindery;
  close(): Promise<void>;
}

const START_MS = 60_000;

export async function connect({ url, key, local, timeoutMs }: CommonWords): Promise<Connected> {
  if (local) return startLocal(timeoutMs);
  const kept = readSettings();
  const apiKey = key ?? (process.env.BINDERY_API_KEY || kept.key);
  if (!apiKey)
    throw new UsageError(
      'an API key is needed: --key, BINDERY_API_KEY, bindery login, or --local for a service of its own',
    );
  const baseUrl = url ?? (process.env.BINDERY_URL || kept.url || 'http://127.0.0.1:8080');
  try {
    return { bindery: new Bindery({ baseUrl, apiKey, timeoutMs }), close: async () => {} };
  } catch (error) {
    throw error instanceof TypeError ? new UsageError(error.message) : error;
  }
}

async function startLocal(timeoutMs: number): Promise<Connected> {
  const service = serviceFile('give --url, or call the command of a clone of Bindery');
  const dataDir = mkdtempSync(join(tmpdir(), 'bindery-local-'));
  const apiKey = randomBytes(24).toString('base64url');
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', service], {
    stdio: ['ignore', 'pipe', 'pipe'],
    // Ctrl-C reaches this process, which ends the service when the call has ended.
    detached: true,
    env: {
      ...process.env,
      BINDERY_HOST: '127.0.0.1',
      BINDERY_PORT: '0',
      BINDERY_DATA_DIR: dataDir,
      BINDERY_API_KEY: apiKey,
      BINDERY_LOG_LEVEL: 'error',
      BINDERY_SHUTDOWN_MS: '1000',
    },
  });
  const close = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    const baseUrl = await addressOf(child);
    return { bindery: new Bindery({ baseUrl, apiKey, timeoutMs }), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** What the service prints when it listens. */
function addressOf(child: ChildProcess): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      const address = /listens on (http\S+)/.exec(output)?.[1];
      if (address) resolve(address);
    });
  }
  child.on('exit', () => reject(new Error(`the service did not start: ${output.trim()}`)));
  const timer = setTimeout(() => reject(new Error('the service did not start in time')), START_MS);
  return promise.finally(() => clearTimeout(timer));
}
