// How a worker is isolated: memory by RLIMIT_DATA always; where the kernel allows it no network, and a
// file system that holds the programs, the code and the worker's own directory, nothing else.
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { LIMITS, MIB } from '../contract/limits.ts';

export const ISOLATION_LEVELS = ['bwrap', 'unshare', 'none'] as const;
export type IsolationLevel = (typeof ISOLATION_LEVELS)[number];

const run = promisify(execFile);

/** System folders a worker may read: programs, libraries, fonts. */
const SYSTEM = [
  '/usr',
  '/bin',
  '/sbin',
  '/lib',
  '/lib32',
  '/lib64',
  '/opt',
  '/nix/store',
  '/etc/ld.so.cache',
  '/etc/ld.so.conf',
  '/etc/ld.so.conf.d',
  '/etc/alternatives',
  '/etc/fonts',
  '/etc/localtime',
  '/etc/papersize',
  '/var/cache/fontconfig',
  '/etc/libreoffice',
  '/var/lib/libreoffice',
  '/etc/ImageMagick-6',
  '/etc/chromium',
  '/etc/chromium.d',
  '/etc/passwd',
  '/etc/nsswitch.conf',
  '/etc/mime.types',
  // Whom the machine trusts: signatures are held against it.
  '/etc/ssl/certs',
  '/etc/ssl/cert.pem',
  '/etc/pki/tls/certs',
  '/etc/pki/ca-trust/extracted',
];

/** What of the project a worker needs to read; not its history, not files an operator laid beside it. */
const CODE = ['../../../node_modules', '../../../service'].map((path) =>
  fileURLToPath(new URL(path, import.meta.url)),
);

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
 * other users, libraries in unusual places).
 */
export async function chooseIsolation(
  wanted: 'auto' | IsolationLevel,
  dataDir = tmpdir(),
): Promise<IsolationLevel> {
  const candidates = wanted === 'auto' ? ISOLATION_LEVELS : [wanted];
  for (const isolation of candidates)
    if (isolation === 'none' || (await works(isolation, dataDir))) return isolation;
  throw new Error(`BINDERY_ISOLATION is "${wanted}" but ${wanted} does not work on this machine.`);
}

const TRIAL =
  'const fs = require("node:fs"); fs.readFileSync(process.argv[1]); fs.writeFileSync(process.argv[2], "");';

async function works(isolation: IsolationLevel, dataDir: string): Promise<boolean> {
  const ownDir = mkdtempSync(join(realpathSync(dataDir), 'isolation-'));
  const { program, args } = isolatedNode(isolation, {
    args: ['-e', TRIAL, fileURLToPath(import.meta.url), join(ownDir, 'trial')],
    hiddenDir: dataDir,
    ownDir,
    memoryBytes: NODE_DATA_BYTES + 100 * MIB,
  });
  try {
    await run(program, args, { timeout: 10_000, cwd: ownDir });
    return true;
  } catch {
    return false;
  } finally {
    rmSync(ownDir, { recursive: true, force: true });
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

/** Inside the isolation nobody is root, whoever runs the service: a browser has its own sandbox only then. */
export const NOBODY = '65534';

/** The command that runs `node <args>` inside the isolation, able to use `memoryBytes` of data, Node's own included. */
export function isolatedNode(isolation: IsolationLevel, options: IsolatedOptions): IsolatedCommand {
  const { node = process.execPath, args, memoryBytes } = options;
  // `ulimit -d` bounds JavaScript, Buffers and WebAssembly alike; all limits hold for programs a worker starts.
  const limited = [
    '-c',
    'ulimit -c 0; ulimit -f "$1"; ulimit -Sd "$2" && ulimit -Hd "$3" || exit 125; shift 3; exec "$@"',
    'sh',
    // In blocks of 512 bytes. No result may be larger, and a document must not fill the disk.
    String((LIMITS.resultBytes + MIB) / 512),
    String(Math.ceil(memoryBytes / 1024)),
    String(Math.ceil((memoryBytes + ENGINE_DATA_BYTES) / 1024)),
  ];
  const command = [node, ...args];
  if (isolation === 'bwrap') {
    return { program: '/bin/sh', args: [...limited, 'bwrap', ...bwrapArguments(node, options), ...command] };
  }
  const unshared =
    isolation === 'unshare' ? ['unshare', '-Un', `--map-user=${NOBODY}`, `--map-group=${NOBODY}`] : [];
  return { program: '/bin/sh', args: [...limited, ...unshared, ...dieWithParent(), ...command] };
}

/** A worker deep in a document does not notice that the API process is gone; the kernel does. */
function dieWithParent(): string[] {
  const found = ['/usr/bin/setpriv', '/bin/setpriv'].some((path) => existsSync(path));
  return found ? ['setpriv', '--pdeathsig', 'KILL'] : [];
}

function bwrapArguments(node: string, { hiddenDir, ownDir, readable = [] }: IsolatedOptions): string[] {
  const hidden = realpathSync(hiddenDir);
  const mounts: [path: string, ...mount: string[]][] = [
    ...[...SYSTEM, ...CODE, ...readable, node]
      .filter((path) => existsSync(path))
      .map((path): [string, ...string[]] => [path, '--ro-bind', path, path]),
    ['/proc', '--proc', '/proc'],
    // To the kernel a worker of root is root: it could write what the whole machine obeys, such as core_pattern.
    ...['/proc/sys', '/proc/sysrq-trigger']
      .filter((path) => existsSync(path))
      .map((path): [string, ...string[]] => [path, '--ro-bind', path, path]),
    ['/dev', '--dev', '/dev'],
    ['/tmp', '--tmpfs', '/tmp'],
    [hidden, '--tmpfs', hidden],
    [ownDir, '--bind', ownDir, ownDir],
  ];
  // A folder is mounted before what lies in it, else it would cover that: data inside the code, code inside /tmp.
  mounts.sort(([a], [b]) => depth(a) - depth(b));
  return [
    '--unshare-user',
    '--uid',
    NOBODY,
    '--gid',
    NOBODY,
    '--unshare-net',
    '--unshare-pid',
    '--unshare-ipc',
    '--unshare-uts',
    '--die-with-parent',
    // Root would keep its capabilities inside, and with them the power to mount and unmount.
    '--cap-drop',
    'ALL',
    '--tmpfs',
    '/',
    ...mounts.flatMap(([, ...mount]) => mount),
    '--chdir',
    ownDir,
  ];
}

const depth = (path: string): number => path.split('/').filter(Boolean).length;
