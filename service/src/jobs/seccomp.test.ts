import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { absent, inside } from '../../testing/isolation/inside.ts';
import { ISOLATION_LEVELS } from './isolation.ts';
import { callNumber, isFiltered, seccompFilter } from './seccomp.ts';

const EPERM = 1;
const ENOSYS = 38;
const EAFNOSUPPORT = 97;
const NEW_MOUNTS_AND_USERS = 0x1002_0000;
const NEW_USERS = 0x1000_0000;
const [AF_INET, AF_INET6, AF_NETLINK, AF_PACKET, AF_VSOCK] = [2, 10, 16, 17, 40];
const STREAM = 1;
const TIOCSTI = 0x5412;

/**
 * Calls that the kernel would let any process try: with these arguments each of them gives something else than the
 * refusal where there is no filter, so that the filter is what is seen.
 */
const CALLS: readonly [call: string, args: readonly number[], errno: number][] = [
  ['ptrace', [0], EPERM],
  ['process_vm_readv', [1, 0, 0, 0, 0, 0], EPERM],
  ['keyctl', [0, -3, 1], EPERM],
  ['add_key', [], EPERM],
  ['request_key', [], EPERM],
  ['name_to_handle_at', [], EPERM],
  ['perf_event_open', [], EPERM],
  ['shmget', [0, 4096, 0o1600], EPERM],
  ['personality', [0x0040_0000], EPERM],
  ['unshare', [NEW_MOUNTS_AND_USERS], EPERM],
  ['setns', [-1, 0], EPERM],
  ['ioctl', [-1, TIOCSTI], EPERM],
  ['memfd_create', [], ENOSYS],
  ['clone3', [], ENOSYS],
  ['io_uring_setup', [1, 0], ENOSYS],
  ...[AF_INET, AF_INET6, AF_NETLINK, AF_PACKET, AF_VSOCK].map(
    (family) => ['socket', [family, STREAM], EAFNOSUPPORT] as [string, number[], number],
  ),
];

const SCRIPT = `
  const koffi = require(given.koffi);
  const libc = koffi.load('libc.so.6');
  const call = libc.func('long syscall(long, long, long, long, long, long, long)');
  const errnos = given.calls.map(([number, args]) => {
    const padded = [...args, 0, 0, 0, 0, 0, 0].slice(0, 6);
    return Number(call(number, ...padded)) < 0 ? koffi.errno() : 0;
  });
  say(errnos);`;

const { arch } = process;
const koffi = createRequire(import.meta.url).resolve('koffi');

async function errnosIn(isolation: (typeof ISOLATION_LEVELS)[number], calls = CALLS): Promise<number[]> {
  if (!isFiltered(arch)) throw new Error(arch);
  const numbered = calls.map(([name, args]) => [callNumber(name, arch), args]);
  return (await inside(isolation, SCRIPT, { koffi, calls: numbered })) as number[];
}

for (const isolation of ISOLATION_LEVELS.filter((level) => level !== 'none')) {
  test(`${isolation}: system calls that no engine needs are refused`, async (t) => {
    const why = await absent(isolation);
    if (why) return t.skip(why);
    const [fenced, free] = [await errnosIn(isolation), await errnosIn('none')];
    for (const [index, [name, args, errno]] of CALLS.entries()) {
      assert.equal(fenced[index], errno, `${name}(${args}) inside`);
      // AF_VSOCK may be no part of this kernel.
      if (args[0] !== AF_VSOCK) assert.notEqual(free[index], errno, `${name}(${args}) outside shows nothing`);
    }
  });
}

test('only where a browser can have its own sandbox may a program make a user namespace', async (t) => {
  for (const isolation of ['bwrap', 'bwrap-landlock', 'landlock'] as const) {
    const why = await absent(isolation);
    if (why) return t.skip(why);
    const [errno] = await errnosIn(isolation, [['unshare', [NEW_USERS], EPERM]]);
    // EINVAL: Node has threads, which the kernel refuses after the filter let it pass.
    assert.equal(errno, isolation === 'bwrap' ? 22 : EPERM, isolation);
  }
});

test('the filter is one for each kind of processor, and ends with leave', () => {
  const filters = (['x64', 'arm64'] as const).map((kind) =>
    seccompFilter(kind, { namespaces: true, connect: true }),
  );
  assert.notDeepEqual(filters[0], filters[1]);
  for (const filter of filters) {
    assert.equal(filter.length % 8, 0);
    // BPF_MAXINSNS.
    assert.ok(filter.length / 8 < 4096);
    assert.equal(filter.readUInt16LE(filter.length - 8), 6);
    assert.equal(filter.readUInt32LE(filter.length - 4), 0x7fff_0000);
  }
  assert.equal(isFiltered('riscv64'), false);
});
