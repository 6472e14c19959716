// Becomes another program, which keeps what this process has renounced.
import koffi from 'koffi';

const PR_SET_PDEATHSIG = 1;
const PR_SET_SECCOMP = 22;
const PR_SET_NO_NEW_PRIVS = 38;
const SECCOMP_MODE_FILTER = 2;
const CAPABILITY_VERSION_3 = 0x20080522;
const SIGKILL = 9;
const F_SETFD = 2;
const INSTRUCTION_BYTES = 8;

const libc = koffi.load('libc.so.6');
const prctl = libc.func('prctl', 'int', [
  'int',
  'unsigned long',
  'unsigned long',
  'unsigned long',
  'unsigned long',
]);
const fcntl = libc.func('fcntl', 'int', ['int', 'int', 'int']);
const execv = libc.func('int execv(const char *path, const char **args)');
const setenv = libc.func('int setenv(const char *name, const char *value, int overwrite)');
const capset = libc.func('int capset(void *header, void *data)');

/** It would not notice that whoever started it is gone; the kernel does. And no program may give it more rights. */
export function bindToParent(): void {
  prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

/** Root without them is a user like others. */
export function dropCapabilities(): void {
  const header = Buffer.alloc(8);
  header.writeUInt32LE(CAPABILITY_VERSION_3, 0);
  if (Number(capset(header, Buffer.alloc(24))) !== 0) throw new Error('capabilities were not dropped');
}

const FILTER = koffi.struct('sock_fprog', { len: 'uint16_t', filter: 'void *' });
const setFilter = libc.func('prctl', 'int', [
  'int',
  'unsigned long',
  koffi.pointer(FILTER),
  'unsigned long',
  'unsigned long',
]);

/** System calls from now on pass this filter (seccomp(2)). */
export function filterCalls(filter: Buffer): void {
  const program = { len: filter.length / INSTRUCTION_BYTES, filter };
  if (Number(setFilter(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, program, 0, 0)) !== 0)
    throw new Error('system calls are not filtered');
}

/** Node keeps its descriptors to itself; the program wants these. */
export function become(
  program: string,
  args: readonly string[],
  descriptors: readonly number[],
  env: Readonly<Record<string, string>> = {},
): never {
  for (const [name, value] of Object.entries(env)) setenv(name, value, 1);
  for (const descriptor of descriptors) fcntl(descriptor, F_SETFD, 0);
  execv(program, [program, ...args, null]);
  throw new Error(`${program} cannot be started`);
}
