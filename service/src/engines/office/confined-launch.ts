// Becomes another program after giving up the right to see the machine: run as
//   node confined-launch.ts <folder that is its own> <program> <argument>...
// Landlock, a part of the kernel, lets a process renounce files and network for itself and all it starts; what stays
// readable is what programs are made of. Whatever a document talks LibreOffice into, there is nothing else to be read.
// Where the kernel has no Landlock the program runs as it is, within the isolation of the worker alone.
import { closeSync, constants, existsSync, openSync, statSync } from 'node:fs';
import koffi from 'koffi';

const SYSTEM = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/opt', '/nix/store'];
const SETTINGS = [
  '/etc/ld.so.cache',
  '/etc/alternatives',
  '/etc/fonts',
  '/etc/localtime',
  '/etc/papersize',
  '/etc/locale.alias',
  // Without a user of its own LibreOffice ends at once.
  '/etc/passwd',
  '/etc/nsswitch.conf',
  '/etc/libreoffice',
  '/var/cache/fontconfig',
  '/var/lib/libreoffice',
  '/var/spool/libreoffice',
  '/proc/self',
  '/proc/cpuinfo',
  '/proc/meminfo',
  '/dev/null',
  '/dev/zero',
  '/dev/urandom',
];
/** LibreOffice opens the pipe by which it is spoken to in one of these. */
const PIPE_FOLDERS = ['/tmp', '/var/tmp'];

const SYSCALL = { createRuleset: 444, addRule: 445, restrictSelf: 446 } as const;
const ASK_VERSION = 1;
const PATH_BENEATH = 1;
const PR_SET_PDEATHSIG = 1;
const PR_SET_NO_NEW_PRIVS = 38;
const SIGKILL = 9;
const F_SETFD = 2;
const O_PATH = 0o10000000;

/** Rights to files, as the kernel numbers them, and since which version of Landlock they can be given up. */
const RIGHTS = {
  execute: 1n << 0n,
  writeFile: 1n << 1n,
  readFile: 1n << 2n,
  readDir: 1n << 3n,
  makeSock: 1n << 9n,
  truncate: 1n << 14n,
} as const;
const ALL_RIGHTS = [0, 13, 14, 15, 15, 16].map((bits) => (1n << BigInt(bits)) - 1n);
const FILE_RIGHTS = RIGHTS.execute | RIGHTS.writeFile | RIGHTS.readFile | RIGHTS.truncate;
const READ = RIGHTS.execute | RIGHTS.readFile | RIGHTS.readDir;
/** To open and to accept connections, since version 4. */
const ALL_NETWORK = 3n;
const NETWORK_SINCE = 4;

const libc = koffi.load('libc.so.6');
const prctl = libc.func(
  'int prctl(int option, unsigned long a, unsigned long b, unsigned long c, unsigned long d)',
);
const fcntl = libc.func('fcntl', 'int', ['int', 'int', 'int']);
const execv = libc.func('int execv(const char *path, const char **args)');
const createRuleset = libc.func('syscall', 'long', ['long', 'void *', 'size_t', 'uint32_t']);
const addRule = libc.func('syscall', 'long', ['long', 'int', 'int', 'void *', 'uint32_t']);
const restrictSelf = libc.func('syscall', 'long', ['long', 'int', 'uint32_t']);

function confine(ownDir: string): void {
  const version = Number(createRuleset(SYSCALL.createRuleset, null, 0, ASK_VERSION));
  if (version < 1) return;
  const rights = ALL_RIGHTS[Math.min(version, ALL_RIGHTS.length - 1)] ?? 0n;
  const hasNetwork = version >= NETWORK_SINCE;
  const attributes = Buffer.alloc(hasNetwork ? 16 : 8);
  attributes.writeBigUInt64LE(rights, 0);
  if (hasNetwork) attributes.writeBigUInt64LE(ALL_NETWORK, 8);
  const ruleset = Number(createRuleset(SYSCALL.createRuleset, attributes, attributes.length, 0));
  if (ruleset < 0) throw new Error('no ruleset');
  const allow = (path: string, allowed: bigint): void => {
    if (!existsSync(path)) return;
    const descriptor = openSync(path, O_PATH | constants.O_RDONLY);
    const rule = Buffer.alloc(12);
    rule.writeBigUInt64LE(allowed & rights & (statSync(path).isDirectory() ? rights : FILE_RIGHTS), 0);
    rule.writeInt32LE(descriptor, 8);
    if (Number(addRule(SYSCALL.addRule, ruleset, PATH_BENEATH, rule, 0)) !== 0)
      throw new Error(`no rule for ${path}`);
    closeSync(descriptor);
  };
  for (const path of [...SYSTEM, ...SETTINGS]) allow(path, READ);
  allow('/dev/null', RIGHTS.readFile | RIGHTS.writeFile);
  for (const path of PIPE_FOLDERS) allow(path, RIGHTS.makeSock);
  allow(ownDir, rights);
  if (Number(restrictSelf(SYSCALL.restrictSelf, ruleset, 0)) !== 0) throw new Error('not restricted');
}

const [ownDir = '', program = '', ...args] = process.argv.slice(2);
// It would not notice that whoever started it is gone; the kernel does.
prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
confine(ownDir);
// Node keeps its descriptors to itself; the program wants the usual three.
for (const descriptor of [0, 1, 2]) fcntl(descriptor, F_SETFD, 0);
execv(program, [program, ...args, null]);
throw new Error(`${program} cannot be started`);
