// The system calls that neither a worker nor any program it starts ever needs, as a filter for the kernel (seccomp(2), a
// program of classic BPF). A list of what is refused: engines are many and change, and what they all do without is
// where faults of the kernel were found.

type Numbers = readonly [x64: number | null, arm64: number | null];

/** Refused with "not permitted". Numbers of asm/unistd_64.h and asm-generic/unistd.h. */
const REFUSED: Record<string, Numbers> = {
  // Other processes: their memory, their files.
  ptrace: [101, 117],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  process_madvise: [440, 440],
  kcmp: [312, 272],
  pidfd_getfd: [438, 438],
  // What is mounted where.
  mount: [165, 40],
  umount2: [166, 39],
  pivot_root: [155, 41],
  open_tree: [428, 428],
  move_mount: [429, 429],
  fsopen: [430, 430],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fspick: [433, 433],
  mount_setattr: [442, 442],
  open_tree_attr: [467, 467],
  setns: [308, 268],
  // Files by a number instead of a path.
  open_by_handle_at: [304, 265],
  name_to_handle_at: [303, 264],
  fanotify_init: [300, 262],
  fanotify_mark: [301, 263],
  // Keys and programs of the kernel.
  add_key: [248, 217],
  request_key: [249, 218],
  keyctl: [250, 219],
  bpf: [321, 280],
  perf_event_open: [298, 241],
  userfaultfd: [323, 282],
  init_module: [175, 105],
  finit_module: [313, 273],
  delete_module: [176, 106],
  kexec_load: [246, 104],
  kexec_file_load: [320, 294],
  // The machine itself.
  reboot: [169, 142],
  swapon: [167, 224],
  swapoff: [168, 225],
  acct: [163, 89],
  quotactl: [179, 60],
  quotactl_fd: [443, 443],
  syslog: [103, 116],
  sethostname: [170, 161],
  setdomainname: [171, 162],
  settimeofday: [164, 170],
  clock_settime: [227, 112],
  adjtimex: [159, 171],
  clock_adjtime: [305, 266],
  vhangup: [153, 58],
  lookup_dcookie: [212, 18],
  iopl: [172, null],
  ioperm: [173, null],
  modify_ldt: [154, null],
  uselib: [134, null],
  // Memory that no limit of the process counts, or of other machines' shape.
  shmget: [29, 194],
  move_pages: [279, 239],
  migrate_pages: [256, 238],
};

/** Refused as if the kernel did not have them: whoever asks has another way. */
const UNKNOWN: Record<string, Numbers> = {
  // Their flags lie in memory, where a filter cannot look; libraries then use clone.
  clone3: [435, 435],
  io_uring_setup: [425, 425],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  memfd_create: [319, 279],
  memfd_secret: [447, 447],
};

/** Refused or not by what they are asked for. */
const LOOKED_INTO = {
  clone: [56, 220],
  unshare: [272, 97],
  socket: [41, 198],
  socketpair: [53, 199],
  connect: [42, 203],
  personality: [135, 92],
  ioctl: [16, 29],
} as const satisfies Record<string, Numbers>;

/** Of mounts, control groups, host names, IPC; a namespace of users, processes or network the browser's sandbox needs. */
const OTHER_NAMESPACES = 0x0002_0000 | 0x0200_0000 | 0x0400_0000 | 0x0800_0000;
const BROWSER_NAMESPACES = 0x1000_0000 | 0x2000_0000 | 0x4000_0000;
/** In clone these bits are the signal of its end. */
const TIME_NAMESPACE = 0x80;
const AF_UNIX = 1;
/** To type into a terminal for somebody else. */
const TERMINAL_INPUT = [0x5412, 0x541c];
const ASK_PERSONALITY = 0xffff_ffff;

const AUDIT_ARCH = { x64: 0xc000_003e, arm64: 0xc000_00b7 } as const;
export type FilteredArch = keyof typeof AUDIT_ARCH;

export const isFiltered = (arch: string): arch is FilteredArch => Object.hasOwn(AUDIT_ARCH, arch);

export interface FilterOptions {
  /** Whether a program may make itself namespaces of users, processes and network. */
  namespaces: boolean;
  /** Whether sockets of this machine may be connected to by their path. */
  connect: boolean;
}

// Places in struct seccomp_data, and instructions of linux/bpf_common.h.
const AT_NUMBER = 0;
const AT_ARCH = 4;
const AT_FIRST_ARGUMENT = 16;
const AT_SECOND_ARGUMENT = 24;
const LOAD = 0x20;
const JUMP_EQUAL = 0x15;
const JUMP_GREATER_EQUAL = 0x35;
const JUMP_ANY_BIT = 0x45;
const RETURN = 0x06;
const ALLOW = 0x7fff_0000;
const ERRNO = 0x0005_0000;
const EPERM = ERRNO | 1;
const EAFNOSUPPORT = ERRNO | 97;
const ENOSYS = ERRNO | 38;
/** Calls of the x32 kind carry this bit, and would be other numbers. */
const X32_BIT = 0x4000_0000;

/** How the kernel numbers a call that the filter knows. */
export function callNumber(name: string, arch: FilteredArch): number | null {
  const [x64, arm64] = Object.entries({ ...REFUSED, ...UNKNOWN, ...LOOKED_INTO }).find(
    ([known]) => known === name,
  )?.[1] ?? [null, null];
  return arch === 'x64' ? x64 : arm64;
}

type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, value: number];

/** The filter for programs of this kind of processor, as the kernel and bubblewrap take it. */
export function seccompFilter(arch: FilteredArch, { namespaces, connect }: FilterOptions): Buffer {
  const numbersIn = (table: Record<string, Numbers>): number[] =>
    Object.keys(table).flatMap((name) => callNumber(name, arch) ?? []);
  const looked = (name: keyof typeof LOOKED_INTO, argument: number, body: readonly Instruction[]) =>
    where(callNumber(name, arch), argument, body);
  const refused = [...numbersIn(REFUSED), ...(connect ? [] : numbersIn({ connect: LOOKED_INTO.connect }))];
  const flags = OTHER_NAMESPACES | (namespaces ? 0 : BROWSER_NAMESPACES);
  const program: Instruction[] = [
    [LOAD, 0, 0, AT_ARCH],
    [JUMP_EQUAL, 1, 0, AUDIT_ARCH[arch]],
    [RETURN, 0, 0, ENOSYS],
    [LOAD, 0, 0, AT_NUMBER],
    ...(arch === 'x64' ? answered(JUMP_GREATER_EQUAL, X32_BIT, ENOSYS) : []),
    ...refused.flatMap((number) => answered(JUMP_EQUAL, number, EPERM)),
    ...numbersIn(UNKNOWN).flatMap((number) => answered(JUMP_EQUAL, number, ENOSYS)),
    ...looked('clone', AT_FIRST_ARGUMENT, answered(JUMP_ANY_BIT, flags, EPERM)),
    ...looked('unshare', AT_FIRST_ARGUMENT, answered(JUMP_ANY_BIT, flags | TIME_NAMESPACE, EPERM)),
    ...looked('socket', AT_FIRST_ARGUMENT, unlessEqual([AF_UNIX], EAFNOSUPPORT)),
    ...looked('socketpair', AT_FIRST_ARGUMENT, unlessEqual([AF_UNIX], EAFNOSUPPORT)),
    ...looked('personality', AT_FIRST_ARGUMENT, unlessEqual([0, ASK_PERSONALITY], EPERM)),
    ...looked(
      'ioctl',
      AT_SECOND_ARGUMENT,
      TERMINAL_INPUT.flatMap((request) => answered(JUMP_EQUAL, request, EPERM)),
    ),
    [RETURN, 0, 0, ALLOW],
  ];
  const bytes = Buffer.alloc(program.length * 8);
  for (const [at, [code, ifTrue, ifFalse, value]] of program.entries()) {
    bytes.writeUInt16LE(code, at * 8);
    bytes.writeUInt8(ifTrue, at * 8 + 2);
    bytes.writeUInt8(ifFalse, at * 8 + 3);
    bytes.writeUInt32LE(value >>> 0, at * 8 + 4);
  }
  return bytes;
}

const answered = (jump: number, value: number, answer: number): Instruction[] => [
  [jump, 0, 1, value],
  [RETURN, 0, 0, answer],
];

const unlessEqual = (values: readonly number[], answer: number): Instruction[] => [
  ...values.map((value, at): Instruction => [JUMP_EQUAL, values.length - at, 0, value]),
  [RETURN, 0, 0, answer],
];

/** Looks at an argument of one call; whatever is not answered there is allowed. */
const where = (call: number | null, argument: number, body: readonly Instruction[]): Instruction[] =>
  call === null
    ? []
    : [[JUMP_EQUAL, 0, body.length + 2, call], [LOAD, 0, 0, argument], ...body, [RETURN, 0, 0, ALLOW]];
