// One worker as the API process sees it: started, handed a job, killed with all it started.
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { EngineStates } from '../engines/engines.ts';
import { codeCacheDir } from './code-cache.ts';
import { type Fence, fencedNode } from './isolation.ts';
import type { Job } from './job.ts';
import type { FromWorker, ToWorker } from './messages.ts';

/** Node itself needs about this much of the limit (measured). */
const NODE_OVERHEAD_BYTES = 300 * 1024 * 1024;
const PAGE_BYTES = 4096;
const STDERR_KEPT = 4000;

const WORKER_FILE = fileURLToPath(new URL('./worker.ts', import.meta.url));
const CODE_DIR = fileURLToPath(new URL('../../..', import.meta.url));

export interface WorkerSettings {
  fence: Fence;
  memoryBytes: number;
  logLevel: string;
  dataDir: string;
  ownDir: string;
}

export interface WorkerEvents {
  ready(engines: EngineStates): void;
  done(message: Extract<FromWorker, { kind: 'done' }>): void;
  /** The process ended; `diagnosis` is for the log. */
  exit(diagnosis: { code: number | null; signal: string | null; stderr: string }): void;
}

export class WorkerProcess {
  private readonly child: ChildProcess;
  private stderr = '';

  constructor(settings: WorkerSettings, events: WorkerEvents) {
    const { program, args } = fencedNode(settings.fence, {
      node: process.execPath,
      args: [
        '--disable-warning=ExperimentalWarning',
        `--max-old-space-size=${Math.max(64, Math.floor((settings.memoryBytes * 0.75) / 1024 ** 2))}`,
        WORKER_FILE,
        settings.logLevel,
      ],
      codeDir: CODE_DIR,
      hiddenDir: settings.dataDir,
      ownDir: settings.ownDir,
      memoryBytes: settings.memoryBytes + NODE_OVERHEAD_BYTES,
    });
    this.child = spawn(program, args, {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      serialization: 'advanced',
      // Its own process group: killed whole, with every program it started.
      detached: true,
      env: {
        ...codeCacheEnvironment(),
        PATH: '/usr/local/bin:/usr/bin:/bin',
        LANG: 'C.UTF-8',
        HOME: settings.ownDir,
        TMPDIR: settings.ownDir,
      },
      cwd: settings.ownDir,
    });
    this.child.on('message', (message: FromWorker) => {
      if (message.kind === 'ready') events.ready(message.engines);
      else events.done(message);
    });
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.stderr = (this.stderr + text).slice(-STDERR_KEPT);
      if (text.startsWith('{')) process.stderr.write(text);
    });
    this.child.on('error', (error) => {
      this.stderr += String(error);
      if (this.child.pid === undefined) events.exit({ code: null, signal: null, stderr: this.stderr });
    });
    this.child.on('exit', (code, signal) => {
      this.kill();
      events.exit({ code, signal, stderr: this.stderr });
    });
  }

  run(job: Job, dir: string): void {
    const message: ToWorker = { kind: 'run', job, dir };
    // A worker that dies while we write shows itself by its exit.
    this.child.send(message, () => {});
  }

  kill(): void {
    const { pid } = this.child;
    if (pid === undefined) return;
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // The group is gone already.
    }
  }

  /** Resident memory of the worker and what it started. */
  rssBytes(): number {
    return this.child.pid === undefined ? 0 : treeRssBytes(this.child.pid, 0);
  }
}

function codeCacheEnvironment(): Record<string, string> {
  const dir = codeCacheDir();
  return dir === undefined ? {} : { NODE_COMPILE_CACHE: dir };
}

function treeRssBytes(pid: number, depth: number): number {
  try {
    const pages = Number(readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ')[1]);
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').trim();
    if (children === '' || depth > 5) return pages * PAGE_BYTES;
    return children
      .split(' ')
      .reduce((sum, child) => sum + treeRssBytes(Number(child), depth + 1), pages * PAGE_BYTES);
  } catch {
    return 0;
  }
}
