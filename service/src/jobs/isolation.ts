// How a worker is fenced off: memory by RLIMIT_DATA always; where the kernel allows it no network, and a
// file system that holds the programs, the code and the worker's own directory, nothing else.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';

export const FENCES = ['bwrap', 'unshare', 'none'] as const;
export type Fence = (typeof FENCES)[number];

const run = promisify(execFile);

/** System folders a worker may read: programs, libraries, fonts. */
const READABLE = [
  '/usr',
  '/bin',
  '/sbin',
  '/lib',
  '/lib64',
  '/opt',
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
];

const PROBES: Record<Exclude<Fence, 'none'>, [string, string[]]> = {
  bwrap: ['bwrap', [...bwrapBase([]), 'true']],
  unshare: ['unshare', ['-Urn', 'true']],
};

/** The strongest fence that works on this machine, or the one asked for if it does. */
export async function chooseFence(wanted: 'auto' | Fence): Promise<Fence> {
  const candidates = wanted === 'auto' ? FENCES : [wanted];
  for (const fence of candidates) if (fence === 'none' || (await works(fence))) return fence;
  throw new Error(`BINDERY_ISOLATION is "${wanted}" but ${wanted} does not work on this machine.`);
}

async function works(fence: Exclude<Fence, 'none'>): Promise<boolean> {
  const [program, args] = PROBES[fence];
  try {
    await run(program, args, { timeout: 5000 });
    return true;
  } catch {
    return false;
  }
}

function bwrapBase(paths: readonly string[]): string[] {
  const readable = [...READABLE.filter((path) => existsSync(path)), ...paths];
  return [
    '--unshare-user',
    '--unshare-net',
    '--unshare-pid',
    '--unshare-ipc',
    '--unshare-uts',
    '--die-with-parent',
    '--tmpfs',
    '/',
    ...readable.flatMap((path) => ['--ro-bind', path, path]),
    '--proc',
    '/proc',
    '--dev',
    '/dev',
    '--tmpfs',
    '/tmp',
  ];
}

export interface FencedCommand {
  program: string;
  args: string[];
}

/** The command that runs `node <args>` behind the fence, able to use `memoryBytes` of data. */
export function fencedNode(
  fence: Fence,
  options: {
    node: string;
    args: readonly string[];
    codeDir: string;
    hiddenDir: string;
    ownDir: string;
    memoryBytes: number;
  },
): FencedCommand {
  const { node, args, codeDir, hiddenDir, ownDir, memoryBytes } = options;
  // `ulimit -d` bounds JavaScript, Buffers and WebAssembly alike and is inherited by programs a worker starts.
  const limit = [
    '-c',
    'ulimit -c 0; ulimit -d "$1" || exit 125; shift; exec "$@"',
    'sh',
    String(Math.ceil(memoryBytes / 1024)),
  ];
  const command = [node, ...args];
  if (fence === 'none') return { program: '/bin/sh', args: [...limit, ...command] };
  if (fence === 'unshare') return { program: '/bin/sh', args: [...limit, 'unshare', '-Urn', ...command] };
  const binds = [
    '--ro-bind',
    codeDir,
    codeDir,
    '--ro-bind',
    dirname(node),
    dirname(node),
    '--tmpfs',
    hiddenDir,
    '--bind',
    ownDir,
    ownDir,
  ];
  const inner = ['bwrap', ...bwrapBase([]), ...binds, '--chdir', ownDir, ...command];
  return { program: '/bin/sh', args: [...limit, ...inner] };
}
