// How a worker is isolated from the machine and from other workers. What each level guarantees, and why these:
// docs/decisions/2026-11-16-isolation.md.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { LIMITS, MIB } from '../contract/limits.ts';
import { readablePaths } from './isolation-paths.ts';
import type { LaunchRights } from './landlock-launch.ts';
import { isFiltered, seccompFilter } from './seccomp.ts';

/** From the strongest. */
export const ISOLATION_LEVELS = ['bwrap', 'bwrap-landlock', 'landlock', 'none'] as const;
export type IsolationLevel = (typeof ISOLATION_LEVELS)[number];

const run = promisify(execFile);

/** Where workers, and what isolates them, look for programs. */
export const WORKER_PATH = '/usr/local/bin:/usr/bin:/bin';

export interface IsolatedOptions {
  args: readonly string[];
  /** The data folder: unseen, wherever it lies. */
  hiddenDir: string;
  /** The one folder that can be written, often inside the hidden one; a real path. */
  ownDir: string;
  memoryBytes: number;
  /** Folders that can be read beside programs and code. */
  readable?: readonly string[];
  node?: string;
}

/**
 * The strongest isolation that works on this machine, or the one asked for if it does. Tried in earnest: the very Node of
 * the workers reads the code and writes where the data is, which isolation may forbid for reasons of its own (folders of
 * other users, libraries in unusual places), and can neither read beside its folder nor open a socket of the network.
 * None at all is never chosen, only asked for.
 */
export async function chooseIsolation(
  wanted: 'auto' | IsolationLevel,
  dataDir = tmpdir(),
  path = WORKER_PATH,
): Promise<IsolationLevel> {
  if (wanted === 'none') return 'none';
  const candidates = wanted === 'auto' ? ISOLATION_LEVELS.filter((level) => level !== 'none') : [wanted];
  for (const isolation of candidates) if (await works(isolation, dataDir, path)) return isolation;
  throw new Error(
    wanted === 'auto'
      ? 'workers cannot be isolated on this machine, so documents could reach everything that this user can. Install ' +
          'bubblewrap (apt-get install bubblewrap) and allow user namespaces, or use a kernel with Landlock (Linux ' +
          '5.13 or newer; a container must not forbid it); where every document is trusted, set BINDERY_ISOLATION=none.'
      : `BINDERY_ISOLATION is "${wanted}" but ${wanted} does not work on this machine.`,
  );
}

const TRIAL = `
  const fs = require('node:fs');
  const [code, own, beside] = process.argv.slice(1);
  fs.readFileSync(code);
  fs.writeFileSync(own, '');
  let isSeen = true;
  try { fs.readFileSync(beside); } catch { isSeen = false; }
  if (isSeen) process.exit(3);
  require('node:net').connect(9, '127.0.0.1')
    .on('connect', () => process.exit(4))
    .on('error', ({ code }) => process.exit(code === 'EAFNOSUPPORT' ? 0 : 4));`;

async function works(isolation: IsolationLevel, dataDir: string, path: string): Promise<boolean> {
  const place = mkdtempSync(join(realpathSync(dataDir), 'isolation-'));
  const ownDir = join(place, 'own');
  const beside = join(place, 'beside');
  try {
    mkdirSync(ownDir);
    writeFileSync(beside, 'unseen');
    const { program, args } = isolatedNode(isolation, {
      args: ['-e', TRIAL, fileURLToPath(import.meta.url), join(ownDir, 'trial'), beside],
      hiddenDir: dataDir,
      ownDir,
      memoryBytes: NODE_DATA_BYTES + 100 * MIB,
    });
    // Like a worker it inherits no options: what they name may lie where isolation shows nothing.
    await run(program, args, { timeout: 10_000, cwd: ownDir, env: { PATH: path } });
    return true;
  } catch {
    return false;
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

export interface IsolatedCommand {
  program: string;
  args: string[];
}

/**
 * What of RLIMIT_DATA Node takes for itself before any document (measured). On x64 V8 reserves 512 MiB for code alone,
 * elsewhere 128.
 */
export const NODE_DATA_BYTES = (process.arch === 'x64' ? 700 : 320) * MIB;

/** What an engine that is a large program of its own may raise its limit by (measured: a page maps up to 700 MB). */
const ENGINE_DATA_BYTES = 1024 * MIB;

/** Processes and threads; a browser at a large page has some 150 (measured). */
const MOST_THREADS = 1024;

/** Folders in memory, which count as a worker's memory (`WorkerProcess.used`). */
export const SCRATCH_FOLDERS = ['/tmp', '/dev/shm'] as const;
const SCRATCH_BYTES = 256 * MIB;

/** Inside the isolation nobody is root, whoever runs the service: a browser has its own sandbox only then. */
export const NOBODY = '65534';

const LAUNCH = fileURLToPath(new URL('./landlock-launch.ts', import.meta.url));

/** `ulimit -d` bounds JavaScript, Buffers and WebAssembly alike; all limits hold for programs a worker starts. */
const LIMIT =
  'ulimit -c 0; ulimit -f "$1"; ulimit -Sd "$2" && ulimit -Hd "$3" || exit 125; ' +
  // Shells call the same limit by different letters.
  'if [ -n "$4" ]; then { ulimit -u "$4" || ulimit -p "$4" || exit 125; } 2>/dev/null; fi; shift 4; exec "$@"';

/** The command that runs `node <args>` inside the isolation, able to use `memoryBytes` of data, Node's own included. */
export function isolatedNode(isolation: IsolationLevel, options: IsolatedOptions): IsolatedCommand {
  const { node = process.execPath, args, memoryBytes } = options;
  const isBwrap = isolation === 'bwrap' || isolation === 'bwrap-landlock';
  const limited = [
    '/bin/sh',
    '-c',
    LIMIT,
    'sh',
    // In blocks of 512 bytes. No result may be larger, and a document must not fill the disk.
    String((LIMITS.resultBytes + MIB) / 512),
    String(Math.ceil(memoryBytes / 1024)),
    String(Math.ceil((memoryBytes + ENGINE_DATA_BYTES) / 1024)),
    // Counted for each user of a user namespace: elsewhere it would count what has nothing to do with us.
    isBwrap ? String(MOST_THREADS) : '',
  ];
  const command = [node, ...args];
  const launched = [...landlockLaunch(node, isolation, options), ...command];
  const words = isBwrap
    ? [...bwrapCommand(node, isolation, options), ...limited, ...(isolation === 'bwrap' ? command : launched)]
    : [...limited, ...(isolation === 'landlock' ? launched : [...dieWithParent(), ...command])];
  const [program = '', ...rest] = words;
  return { program, args: rest };
}

/** A worker deep in a document does not notice that the API process is gone; the kernel does. */
function dieWithParent(): string[] {
  const found = ['/usr/bin/setpriv', '/bin/setpriv'].some((path) => existsSync(path));
  return found ? ['setpriv', '--pdeathsig', 'KILL'] : [];
}

/** Node starts twice: only a process that then becomes another can restrict itself with all its threads. */
function landlockLaunch(
  node: string,
  isolation: IsolationLevel,
  { ownDir, readable = [] }: IsolatedOptions,
): string[] {
  const rights: LaunchRights = {
    readable: [...readablePaths(), ...readable, node],
    ownDir,
    // Inside bubblewrap there is a filter already, and a /tmp that is its own.
    filtersCalls: isolation === 'landlock',
    ownScratch: isolation === 'bwrap-landlock',
  };
  // The channel to the API process is for the worker, not for the Node that becomes it.
  const launch =
    'channel=$NODE_CHANNEL_FD; unset NODE_CHANNEL_FD; node=$1; code=$2; rights=$3; shift 3; ' +
    'exec "$node" --disable-warning=ExperimentalWarning "$code" "$rights" "$channel" "$@"';
  return ['/bin/sh', '-c', launch, 'sh', node, LAUNCH, JSON.stringify(rights)];
}

/** A descriptor that workers have no other use for. */
const FILTER_FD = '9';

function bwrapCommand(node: string, isolation: IsolationLevel, options: IsolatedOptions): string[] {
  const bwrap = ['bwrap', ...bwrapArguments(node, isolation, options)];
  const { arch } = process;
  if (!isFiltered(arch)) return bwrap;
  // The sandbox of the browser needs namespaces, and a /proc in which it can write.
  const filter = seccompFilter(arch, { namespaces: isolation === 'bwrap', connect: true });
  // Open before the worker is there, and gone: nobody can change it.
  const file = join(options.ownDir, 'seccomp');
  writeFileSync(file, filter);
  const opened = `exec ${FILTER_FD}<"$0"; rm -f "$0"; exec "$@"`;
  return ['/bin/sh', '-c', opened, file, ...bwrap, '--seccomp', FILTER_FD];
}

type Mount = readonly [path: string, ...mount: string[]];
const readOnly = (path: string): Mount => [path, '--ro-bind', path, path];
const scratch = (path: string): Mount => [path, '--size', String(SCRATCH_BYTES), '--tmpfs', path];

function bwrapArguments(node: string, isolation: IsolationLevel, options: IsolatedOptions): string[] {
  const { hiddenDir, ownDir, readable = [] } = options;
  const hidden = realpathSync(hiddenDir);
  const hasOwnProc = isolation === 'bwrap';
  const mounts: Mount[] = [
    ...[...readablePaths(), ...readable, node].filter((path) => existsSync(path)).map(readOnly),
    hasOwnProc ? ['/proc', '--proc', '/proc'] : readOnly('/proc'),
    // To the kernel a worker of root is root: it could write what the whole machine obeys, such as core_pattern.
    ...['/proc/sys', '/proc/sysrq-trigger'].filter((path) => existsSync(path)).map(readOnly),
    ['/dev', '--dev', '/dev'],
    ...SCRATCH_FOLDERS.map(scratch),
    [hidden, '--tmpfs', hidden],
    [ownDir, '--bind', ownDir, ownDir],
  ];
  // A folder is mounted before what lies in it, else it would cover that: data inside the code, code inside /tmp.
  mounts.sort(([a], [b]) => depth(a) - depth(b));
  // What only holds other folders has no room of its own.
  const closed = ['/', '/dev', ...(isWithin(ownDir, hidden) ? [hidden] : [])];
  return [
    '--unshare-user',
    '--uid',
    NOBODY,
    '--gid',
    NOBODY,
    '--unshare-net',
    // Processes would not find themselves in a /proc of other numbers.
    ...(hasOwnProc ? ['--unshare-pid'] : []),
    '--unshare-ipc',
    '--unshare-uts',
    '--die-with-parent',
    // Root would keep its capabilities inside, and with them the power to mount and unmount.
    '--cap-drop',
    'ALL',
    '--tmpfs',
    '/',
    ...mounts.flatMap(([, ...mount]) => mount),
    ...closed.flatMap((path) => ['--remount-ro', path]),
    '--chdir',
    ownDir,
  ];
}

const depth = (path: string): number => path.split('/').filter(Boolean).length;

const isWithin = (path: string, folder: string): boolean =>
  dirname(path) === folder || (dirname(path) !== path && isWithin(dirname(path), folder));
