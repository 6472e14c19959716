// One worker as the API process sees it: started, handed a job, killed with all it started.
import { type ChildProcess, spawn } from 'node:child_process';
import { statfsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { ProblemData } from '../contract/problems.ts';
import type { Stretch } from '../contract/work-budget.ts';
import { memoryOf, processorMs, processTree } from '../engines/process-tree.ts';
import { codeCacheDir } from './code-cache.ts';
import { Exchange, putBytes } from './exchange.ts';
import {
  type IsolationLevel,
  isolatedNode,
  NODE_DATA_BYTES,
  SCRATCH_FOLDERS,
  WORKER_PATH,
} from './isolation.ts';
import type { Job } from './job.ts';
import {
  type FromWorker,
  type HelpReply,
  type OutboundReply,
  readMessage,
  type ToWorker,
} from './messages.ts';
import { WorkMark } from './work-mark.ts';
import { WorkerOutput } from './worker-output.ts';

/** How long an ended process's stderr is read on, should something hold it open. */
const LAST_WORDS_MS = 500;

/** Below the API process, so that it answers and refuses at once while every processor is at documents. */
const NICENESS = '5';

const WORKER_FILE = fileURLToPath(new URL('./worker.ts', import.meta.url));

export interface WorkerSettings {
  isolation: IsolationLevel;
  memoryBytes: number;
  logLevel: string;
  dataDir: string;
  /** The operator's fonts. */
  fontDir?: string | null;
  ownDir: string;
}

/** How a process ended. */
export interface Ending {
  code: number | null;
  signal: string | null;
  stderr: string;
  /** The largest part of its memory limit that it was seen to have taken, in hundredths. */
  memoryShare: number;
}

export interface WorkerEvents {
  message(message: FromWorker): void;
  /** Comes once, always after the constructor has returned. */
  exit(ending: Ending): void;
}

export class WorkerProcess {
  private readonly child: ChildProcess;
  private readonly output = new WorkerOutput((line) => process.stderr.write(line));
  private readonly exchange: Exchange;
  private readonly mark: WorkMark;
  private readonly dataLimitBytes: number;
  /** The worker itself, inside what isolates it. */
  private nodePid: number | undefined;
  private memoryShare = 0;
  /** Whether it has folders in memory of its own. */
  private readonly hasScratch: boolean;
  private ended = false;

  constructor(settings: WorkerSettings, events: WorkerEvents) {
    const cache = codeCacheDir();
    this.hasScratch = settings.isolation === 'bwrap' || settings.isolation === 'bwrap-landlock';
    this.dataLimitBytes = settings.memoryBytes + NODE_DATA_BYTES;
    const { program, args } = isolatedNode(settings.isolation, {
      args: [
        '--disable-warning=ExperimentalWarning',
        `--max-old-space-size=${Math.max(64, Math.floor((settings.memoryBytes * 0.75) / 1024 ** 2))}`,
        WORKER_FILE,
        settings.logLevel,
        settings.fontDir ?? '',
      ],
      readable: [cache, settings.fontDir].filter((path) => typeof path === 'string'),
      hiddenDir: settings.dataDir,
      ownDir: settings.ownDir,
      memoryBytes: this.dataLimitBytes,
    });
    this.exchange = Exchange.make(settings.ownDir);
    this.mark = new WorkMark(settings.ownDir);
    this.child = spawn('nice', ['-n', NICENESS, program, ...args], {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc', this.exchange.fd, this.mark.fd],
      serialization: 'advanced',
      // Its own process group: killed whole, with every program it started.
      detached: true,
      env: {
        ...(cache === undefined ? {} : { NODE_COMPILE_CACHE: cache }),
        PATH: WORKER_PATH,
        LANG: 'C.UTF-8',
        HOME: settings.ownDir,
        TMPDIR: settings.ownDir,
      },
      cwd: settings.ownDir,
    });
    this.listen(events);
  }

  private listen(events: WorkerEvents): void {
    const { child, output } = this;
    const end = () => {
      if (this.ended) return;
      this.ended = true;
      this.exchange.close();
      this.mark.close();
      const { exitCode: code, signalCode: signal } = child;
      events.exit({ code, signal, stderr: output.rest, memoryShare: this.memoryShare });
    };
    child.on('message', (raw) => {
      const message = this.complete(readMessage(raw));
      if (message) events.message(message);
      else this.kill();
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => output.add(text));
    child.on('error', (error) => {
      output.add(`${error}\n`);
      if (child.pid === undefined) end();
    });
    child.on('exit', () => {
      kill(-Number(child.pid));
      setTimeout(end, LAST_WORDS_MS);
    });
    child.on('close', end);
  }

  /** With the bytes that it came without. */
  private complete(message: FromWorker | undefined): FromWorker | undefined {
    if (message?.kind !== 'done' || message.exchangedBytes === 0) return message;
    const { outcome } = message;
    if (outcome.state !== 'made') return undefined;
    try {
      const bytes = this.exchange.read(message.exchangedBytes);
      return { ...message, outcome: { ...outcome, result: { ...outcome.result, content: { bytes } } } };
    } catch {
      return undefined;
    }
  }

  /** A new job has neither taken what the last one did, nor said it. */
  run(job: Job, dir: string): void {
    this.memoryShare = 0;
    this.output.forget();
    this.send({ kind: 'run', sent: putBytes(job, this.exchange), dir });
  }

  answer(askId: number, answer: OutboundReply | ProblemData): void {
    this.send({ kind: 'answer', askId, answer });
  }

  helped(askId: number, reply: HelpReply): void {
    this.send({ kind: 'helped', askId, reply });
  }

  signed(askId: number, report: string | ProblemData): void {
    this.send({ kind: 'signed', askId, report });
  }

  /** The part it helps with is to end with the page in hand. */
  enough(jobId: string): void {
    this.send({ kind: 'enough', jobId });
  }

  private send(message: ToWorker): void {
    // A worker that cannot be reached is of no use; its caller learns by its exit.
    this.child.send(message, (error) => error && this.kill());
  }

  /** The whole group, and descendants that left it. */
  kill(): void {
    const { pid, exitCode, signalCode } = this.child;
    if (pid === undefined || exitCode !== null || signalCode !== null) return;
    for (const target of [...processTree(pid), -pid]) kill(target);
  }

  /** Nobody works here: what the last job exchanged goes. */
  rest(): void {
    this.exchange.empty();
  }

  /** It is up and has started nothing yet. */
  noteUp(): void {
    this.nodePid = processTree(this.child.pid).at(-1);
  }

  /** To be called often while it works: a crash does not say how much memory there was. */
  noteMemory(): void {
    if (this.nodePid === undefined) return;
    const share = Math.round((100 * memoryOf(this.nodePid).dataBytes) / this.dataLimitBytes);
    this.memoryShare = Math.max(this.memoryShare, share);
  }

  /** What it has been at for longer than a document may make it. */
  overdrawn(): Stretch | undefined {
    return this.nodePid === undefined ? undefined : this.mark.overdrawn(processorMs(this.nodePid));
  }

  /** Memory and processes of the worker and what it started; files in memory count, though no process maps them. */
  used(): { bytes: number; processes: number } {
    const tree = processTree(this.child.pid);
    const resident = tree.reduce((sum, pid) => sum + memoryOf(pid).residentBytes, 0);
    return { bytes: resident + this.scratchBytes(), processes: tree.length };
  }

  private scratchBytes(): number {
    if (!this.hasScratch || this.nodePid === undefined) return 0;
    return SCRATCH_FOLDERS.reduce((sum, folder) => sum + bytesUsed(`/proc/${this.nodePid}/root${folder}`), 0);
  }

  /** Resident memory of the worker and what it started. */
  rssBytes(): number {
    return processTree(this.child.pid).reduce((sum, pid) => sum + memoryOf(pid).residentBytes, 0);
  }
}

function bytesUsed(folder: string): number {
  try {
    const { blocks, bfree, bsize } = statfsSync(folder);
    return (blocks - bfree) * bsize;
  } catch {
    // It has ended, or this user may not look.
    return 0;
  }
}

function kill(target: number): void {
  try {
    process.kill(target, 'SIGKILL');
  } catch {
    // Gone already.
  }
}
