// The only place where a program is started. No shell, no inherited environment, bounded output and time; the
// children stay in the worker's process group, so they go when it is killed.
import { spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import type { Socket } from 'node:net';
import { diskFullError, isDiskFull } from '../contract/machine-faults.ts';
import { memoryOf, processTree } from './process-tree.ts';

export interface ProgramOptions {
  cwd: string;
  timeoutMs: number;
  /** Beside PATH, LANG, HOME and TMPDIR, which are always set; HOME and TMPDIR are `cwd`. */
  env?: Record<string, string>;
  stdin?: Uint8Array;
  /** More on standard output than this ends the program. */
  maxOutputBytes?: number;
  signal?: AbortSignal;
}

export interface ProgramResult {
  code: number;
  stdout: Buffer;
  /** The end of what it said, for the log; never for a caller. */
  stderr: string;
}

/** Why a program did not come to its own end; recorded when it is killed, not guessed afterwards. */
export type ProgramFault = 'not_found' | 'timeout' | 'cancelled' | 'too_much_output' | 'crashed';

export class ProgramFailure extends Error {
  readonly fault: ProgramFault;
  readonly stderr: string;
  constructor(program: string, fault: ProgramFault, stderr: string) {
    super(`${program}: ${fault} ${stderr.slice(-MESSAGE_KEPT)}`.trimEnd());
    this.name = 'ProgramFailure';
    this.fault = fault;
    this.stderr = stderr;
  }
}

const STDERR_KEPT = 8000;
const MESSAGE_KEPT = 500;
const DEFAULT_OUTPUT_BYTES = 64 * 1024 * 1024;

/** Runs a program to its end. A code other than 0 is a result; only what kept it from ending is thrown. */
export function runProgram(
  program: string,
  args: readonly string[],
  options: ProgramOptions,
): Promise<ProgramResult> {
  const { cwd, timeoutMs, env = {}, stdin, maxOutputBytes = DEFAULT_OUTPUT_BYTES, signal } = options;
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd,
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'C.UTF-8', HOME: cwd, TMPDIR: cwd, ...env },
    });
    // Where this machine has no more processes or open files to give, there are no pipes either.
    if (!child.stdout) {
      child.on('error', reject);
      return;
    }
    const chunks: Buffer[] = [];
    let bytes = 0;
    let stderr = '';
    let fault: ProgramFault | undefined;
    let unstarted: Error | undefined;
    const end = (why: ProgramFault): void => {
      fault ??= why;
      if (child.pid !== undefined) killTree(child.pid);
      // What it started may hold the pipes open; nobody reads them any more.
      child.stdout.destroy();
      child.stderr.destroy();
    };
    const timer = setTimeout(() => end('timeout'), timeoutMs);
    const onAbort = (): void => end('cancelled');
    if (signal?.aborted) onAbort();
    else signal?.addEventListener('abort', onAbort, { once: true });

    child.stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > maxOutputBytes) end('too_much_output');
      else chunks.push(chunk);
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr = (stderr + text).slice(-STDERR_KEPT);
    });
    // A program may end without reading all it is given.
    child.stdin.on('error', () => {});
    child.stdin.end(stdin);
    child.on('error', (error: NodeJS.ErrnoException) => {
      const isMissing = error.code === 'ENOENT' || error.code === 'EACCES';
      if (isMissing) fault ??= 'not_found';
      else unstarted = error;
      if (child.pid === undefined) finish(null);
    });
    child.on('close', (code) => finish(code));

    function finish(code: number | null): void {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      const hasFailed = fault === undefined && code !== 0;
      // Asked now, before what it wrote is removed: a full disk is nothing that the document did.
      if (hasFailed && unstarted === undefined && isDiskFull(cwd)) reject(diskFullError(program));
      else if (unstarted !== undefined && fault === undefined) reject(unstarted);
      else if (fault !== undefined || code === null)
        reject(new ProgramFailure(program, fault ?? 'crashed', stderr));
      else resolve({ code, stdout: Buffer.concat(chunks), stderr });
    }
  });
}

/** A program that goes on beside the jobs of a process: spoken to through two pipes, its descriptors 3 and 4. */
export interface RunningProgram {
  readonly input: Socket;
  readonly output: Socket;
  /** Settles when it has ended, with the last it said, for the log. */
  readonly ended: Promise<string>;
  /** With all it started. */
  kill(): void;
  /** What it and all it started hold for themselves, code and other shared pages apart. */
  ownBytes(): number;
  /** Whether this process waits for it; it never outlives this process. */
  hold(isHeld: boolean): void;
}

/**
 * Starts a program that may use as much memory as the hard limit allows: large programs map more than a document
 * ever should.
 */
export function startProgram(
  program: string,
  args: readonly string[],
  { cwd, env = {} }: Pick<ProgramOptions, 'cwd' | 'env'>,
): RunningProgram {
  const raised = ['-c', 'ulimit -Sd "$(ulimit -Hd)"; exec "$@"', 'sh', program, ...args];
  const child = spawn('/bin/sh', raised, {
    cwd,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'C.UTF-8', HOME: cwd, TMPDIR: cwd, ...env },
  });
  const [, , , input, output] = child.stdio as unknown as Socket[];
  if (!input || !output || !child.stderr) throw new ProgramFailure(program, 'crashed', 'no pipes');
  const stderrPipe = child.stderr as unknown as Socket;
  let stderr = '';
  stderrPipe.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-STDERR_KEPT);
  });
  // Whoever is spoken to may be gone; that shows by its end.
  for (const pipe of [input, output]) pipe.on('error', () => {});
  const ended = new Promise<string>((resolve) => {
    child.on('error', (error) => resolve(String(error)));
    child.on('exit', () => resolve(stderr));
  });
  const kill = (): void => {
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) killTree(child.pid);
  };
  return {
    input,
    output,
    ended,
    kill,
    ownBytes: () => (child.pid === undefined ? 0 : ownBytesOf(child.pid)),
    hold(isHeld) {
      // A pipe that is closed would wait to be connected before it does as it is told.
      const pipes = [input, output, stderrPipe].filter(({ destroyed }) => !destroyed);
      for (const each of [child, ...pipes]) isHeld ? each.ref() : each.unref();
    },
  };
}

/** A program and what it started. They share the worker's process group, which must live on. */
function killTree(pid: number): void {
  for (const each of processTree(pid).toReversed()) {
    try {
      process.kill(each, 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
  }
}

function ownBytesOf(pid: number): number {
  const memory = processTree(pid).map(memoryOf);
  return memory.reduce((sum, { residentBytes, sharedBytes }) => sum + residentBytes - sharedBytes, 0);
}

/** Whether a program has written something there. */
export function hasOutput(path: string): boolean {
  return (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0;
}
