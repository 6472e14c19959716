// Landlock, a part of the kernel: a process renounces files and network for itself and all it starts (landlock(7)). No
// rights and no program are needed for it. It binds the calling thread alone, so whoever restricts himself must become
// another program at once.
import { closeSync, constants, existsSync, openSync, statSync } from 'node:fs';
import koffi from 'koffi';

const SYSCALL = { createRuleset: 444, addRule: 445, restrictSelf: 446 } as const;
const ASK_VERSION = 1;
const PATH_BENEATH = 1;
const O_PATH = 0o10000000;

/** Rights to files, as the kernel numbers them. */
export const RIGHTS = {
  execute: 1n << 0n,
  writeFile: 1n << 1n,
  readFile: 1n << 2n,
  readDir: 1n << 3n,
  makeSock: 1n << 9n,
  truncate: 1n << 14n,
} as const;
export const READ = RIGHTS.execute | RIGHTS.readFile | RIGHTS.readDir;
/** Everything that can be done in a folder, on every version. */
export const ALL = (1n << 16n) - 1n;

/** How many rights there are to give up, by version. */
const RIGHTS_SINCE = [0, 13, 14, 15, 15, 16];
const FILE_RIGHTS = RIGHTS.execute | RIGHTS.writeFile | RIGHTS.readFile | RIGHTS.truncate;
/** To open and to accept TCP connections. */
const ALL_NETWORK = 3n;
const NETWORK_SINCE = 4;
/** Abstract sockets and signals of processes outside. */
const ALL_SCOPES = 3n;
const SCOPES_SINCE = 6;

export type Allowance = readonly [path: string, rights: bigint];

const libc = koffi.load('libc.so.6');
const createRuleset = libc.func('syscall', 'long', ['long', 'void *', 'size_t', 'uint32_t']);
const addRule = libc.func('syscall', 'long', ['long', 'int', 'int', 'void *', 'uint32_t']);
const restrictSelf = libc.func('syscall', 'long', ['long', 'int', 'uint32_t']);

/** 0 where the kernel has none. */
export const landlockVersion = (): number =>
  Math.max(0, Number(createRuleset(SYSCALL.createRuleset, null, 0, ASK_VERSION)));

/** From now on this thread can use nothing but what is allowed here; it must have renounced new privileges. */
export function restrictFiles(allowances: readonly Allowance[]): void {
  const version = landlockVersion();
  const rights = (1n << BigInt(RIGHTS_SINCE[Math.min(version, RIGHTS_SINCE.length - 1)] ?? 0)) - 1n;
  const attributes = Buffer.alloc(version >= SCOPES_SINCE ? 24 : version >= NETWORK_SINCE ? 16 : 8);
  attributes.writeBigUInt64LE(rights, 0);
  if (version >= NETWORK_SINCE) attributes.writeBigUInt64LE(ALL_NETWORK, 8);
  if (version >= SCOPES_SINCE) attributes.writeBigUInt64LE(ALL_SCOPES, 16);
  const ruleset = Number(createRuleset(SYSCALL.createRuleset, attributes, attributes.length, 0));
  if (ruleset < 0) throw new Error('no ruleset');
  for (const [path, allowed] of allowances) {
    if (!existsSync(path)) continue;
    const descriptor = openSync(path, O_PATH | constants.O_RDONLY);
    const rule = Buffer.alloc(12);
    rule.writeBigUInt64LE(allowed & rights & (statSync(path).isDirectory() ? rights : FILE_RIGHTS), 0);
    rule.writeInt32LE(descriptor, 8);
    if (Number(addRule(SYSCALL.addRule, ruleset, PATH_BENEATH, rule, 0)) !== 0)
      throw new Error(`no rule for ${path}`);
    closeSync(descriptor);
  }
  if (Number(restrictSelf(SYSCALL.restrictSelf, ruleset, 0)) !== 0) throw new Error('not restricted');
}
