// Programs are started by a small shell beside the test. Whoever starts a program is copied first, page by page of its
// memory map, and a test that holds engines and documents is large: 11 ms of processor time at 300 MB, as much as what
// the program then takes. The shell waits for requests on one pipe and answers on another; it ends with the test.
import { spawnSync } from 'node:child_process';
import {
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Reads the path of a folder, runs what stands in it, tells the exit code. */
const LOOP = `while read -r dir; do
  ( exec 3>&-; . "$dir/run" ) </dev/null >"$dir/out" 2>"$dir/err"
  echo $? >&3
done`;

const MOST_OUTPUT_BYTES = 1 << 28;

interface Shell {
  requests: number;
  answers: number;
}

let shell: Shell | undefined;

function started(): Shell {
  const dir = mkdtempSync(join(tmpdir(), 'bindery-shell-'));
  try {
    const [asked, told] = [join(dir, 'asked'), join(dir, 'told')];
    const made = spawnSync('mkfifo', [asked, told]);
    if (made.status !== 0) throw new Error(`no pipes: ${made.error ?? made.stderr}`);
    // In the background of a shell that ends at once: it is nobody's child, for tests that count theirs.
    spawnSync('sh', ['-c', `( ${LOOP} ) <"$0" 3>"$1" &`, asked, told], { stdio: 'ignore' });
    // Each opening waits for the other side; the shell opens them in the same order.
    return { requests: openSync(asked, 'w'), answers: openSync(told, 'r') };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

/** What a program said, and how it ended: above 128 by a signal, 127 where it is not there. */
export function runProgram(
  program: string,
  args: readonly string[],
): { status: number; stdout: Buffer; stderr: Buffer } {
  shell ??= started();
  const dir = mkdtempSync(join(tmpdir(), 'bindery-ran-'));
  try {
    writeFileSync(join(dir, 'run'), `exec ${[program, ...args].map(quoted).join(' ')}\n`);
    writeSync(shell.requests, `${dir}\n`);
    const status = answer(shell);
    const out = join(dir, 'out');
    if (statSync(out).size > MOST_OUTPUT_BYTES) throw new Error(`${program} says too much`);
    return { status, stdout: readFileSync(out), stderr: readFileSync(join(dir, 'err')) };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

function answer({ requests, answers }: Shell): number {
  const line = Buffer.alloc(16);
  const length = readSync(answers, line);
  if (length > 0) return Number(line.toString('latin1', 0, length));
  for (const end of [requests, answers]) closeSync(end);
  shell = undefined;
  throw new Error('the shell that starts programs has ended');
}
