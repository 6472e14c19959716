// The real service as a child process, for tests that talk to it from outside.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createKey } from '../service/src/keys.ts';
import { childrenOf } from './processes.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const START_MS = 60_000;

export const API_KEY = 'whole-service-test-key';

export interface StartOptions {
  /** BINDERY_* settings beside the usual ones of a test. */
  env?: Record<string, string>;
  /** The data folder of an earlier start, to see what outlives a restart. */
  dataDir?: string;
  /** Another checkout of the project to start it from. */
  root?: string;
  /** How long the start may take; longer where code must be compiled first. */
  startMs?: number;
  /** With the supervisor that `npm start` has: the process started is the supervisor then. */
  supervised?: boolean;
}

export interface RunningService {
  /** http://127.0.0.1:<port>, without a slash at the end. */
  url: string;
  key: string;
  dataDir: string;
  process: ChildProcess;
  /** The API process: the one started, or at present the supervisor's child; 0 while there is none. */
  apiPid(): number;
  /** What the service has written so far, both streams. */
  output(): string;
  /** fetch with the key; `path` starts with a slash. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** A form to an operation (`general/rotate-pdf`) or to `pipeline`. */
  post(path: string, form: FormData, headers?: Record<string, string>): Promise<Response>;
  /** A further key; its secret. */
  newKey(options: { plan?: string; scopes?: string }): Promise<string>;
  /** Process ids of the workers, to be stopped and continued; start with BINDERY_ISOLATION=none for that. */
  workers(): number[];
  /** Ends it by a signal and waits; the data folder stays. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
  /** Ends it and removes the data folder. */
  remove(): Promise<void>;
}

export async function startService({
  env = {},
  dataDir,
  root = ROOT,
  startMs = START_MS,
  supervised = false,
}: StartOptions = {}): Promise<RunningService> {
  const folder = dataDir ?? mkdtempSync(join(tmpdir(), 'bindery-test-'));
  const args = supervised
    ? ['scripts/supervisor.cjs']
    : ['--disable-warning=ExperimentalWarning', 'service/src/main.ts'];
  const child = spawn(process.execPath, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      ...(process.env.NODE_COMPILE_CACHE ? { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE } : {}),
      BINDERY_PORT: '0',
      BINDERY_DATA_DIR: folder,
      BINDERY_API_KEY: API_KEY,
      BINDERY_WORKERS: '1',
      ...env,
    },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const running = describe(child, folder, supervised, () => output);
  try {
    running.url = await untilReady(child, () => output, startMs);
  } catch (error) {
    await running.remove();
    throw error;
  }
  return running;
}

function describe(
  child: ChildProcess,
  dataDir: string,
  supervised: boolean,
  output: () => string,
): RunningService {
  const service: RunningService = {
    url: '',
    key: API_KEY,
    dataDir,
    process: child,
    output,
    apiPid: () => (supervised ? (childrenOf(Number(child.pid))[0] ?? 0) : Number(child.pid)),
    fetch: (path, init = {}) => {
      const headers = new Headers(init.headers);
      if (!headers.has('x-api-key')) headers.set('x-api-key', API_KEY);
      return fetch(`${service.url}${path}`, { ...init, headers });
    },
    post: (path, form, headers = {}) =>
      service.fetch(`/api/v1/${path}`, { method: 'POST', body: form, headers }),
    newKey: async ({ plan = 'standard', scopes = '*' }) =>
      (await createKey({ dataDir }, { name: 'made by a test', plan, scopes, expires: 'never' })).secret,
    workers: () => childrenOf(service.apiPid()),
    stop: async (signal = 'SIGTERM') => {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill(signal);
        await once(child, 'exit');
      }
      return child.exitCode;
    },
    remove: async () => {
      const api = service.apiPid();
      await service.stop('SIGKILL');
      // One whose supervisor was killed would end in its own time.
      if (supervised && api > 0) await killed(api);
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
  return service;
}

async function killed(pid: number): Promise<void> {
  for (;;) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      return;
    }
    await new Promise((next) => setTimeout(next, 10));
  }
}

/** The address it prints, once it says that it is ready. */
async function untilReady(child: ChildProcess, output: () => string, startMs: number): Promise<string> {
  const giveUpAt = Date.now() + startMs;
  while (Date.now() < giveUpAt) {
    if (child.exitCode !== null) break;
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(output())?.[0];
    const health = url ? await fetch(`${url}/api/v1/info/health`).catch(() => undefined) : undefined;
    if (url && health?.ok) return url;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`the service did not start:\n${output().slice(-3000)}`);
}

export const fixture = (name: string): string => join(ROOT, 'fixtures', name);

/** A file part made from a path, or from bytes and a name. */
export function filePart(source: string | Uint8Array<ArrayBuffer>, name?: string): File {
  if (typeof source !== 'string') return new File([source], name ?? 'document.pdf');
  return new File([readFileSync(source)], name ?? basename(source), { type: 'application/octet-stream' });
}

type Value = string | File;

/** A form: text and files by field, arrays for repeated fields. */
export function form(fields: Record<string, Value | Value[]>): FormData {
  const made = new FormData();
  for (const [name, given] of Object.entries(fields)) {
    for (const value of Array.isArray(given) ? given : [given]) {
      if (typeof value === 'string') made.append(name, value);
      else made.append(name, value, value.name);
    }
  }
  return made;
}

export interface ProblemDocument {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: string;
  reason: string;
  hint: string;
  error: string;
  step?: number;
  op?: string;
  file?: string;
}

/** The problem document of a failed response; throws when it is none. */
export async function problemOf(response: Response): Promise<ProblemDocument> {
  const type = response.headers.get('content-type');
  if (type !== 'application/problem+json') throw new Error(`status ${response.status}, content type ${type}`);
  return (await response.json()) as ProblemDocument;
}
