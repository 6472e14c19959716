// Becomes another program after giving up the machine, where bubblewrap cannot keep it away: run as
//   node landlock-launch.ts <rights as JSON> <descriptor of the channel, or nothing> <program> <argument>...
// Neither rights nor programs are needed for it. What cannot be given up ends it: nothing runs with more.
import { become, bindToParent, dropCapabilities, filterCalls } from '../engines/landlock/become.ts';
import { ALL, landlockVersion, READ, RIGHTS, restrictFiles } from '../engines/landlock/landlock.ts';
import { EXCHANGE_FD } from './exchange.ts';
import { isFiltered, seccompFilter } from './seccomp.ts';
import { MARK_FD } from './work-mark.ts';

export interface LaunchRights {
  readable: readonly string[];
  /** The one folder that can be written. */
  ownDir: string;
  filtersCalls: boolean;
  /** Whether /tmp and /dev/shm are its own. */
  ownScratch: boolean;
}

const DEVICES = ['/dev/null', '/dev/zero', '/dev/full', '/dev/random', '/dev/urandom'];
/** The standard streams, the channel of messages, the exchange, the mark of what it is at. */
const DESCRIPTORS = [0, 1, 2, 3, EXCHANGE_FD, MARK_FD];
/** Node and LibreOffice do without these, but end where they see them and may not read them. */
const NOT_HIDDEN = ['/etc/ssl/openssl.cnf', '/var/spool/libreoffice'];
/** LibreOffice makes a socket there, whatever it is told. */
const SOCKET_FOLDERS = ['/tmp', '/var/tmp'];

const [json = '{}', channel = '', program = '', ...args] = process.argv.slice(2);
const { readable, ownDir, filtersCalls, ownScratch }: LaunchRights = JSON.parse(json);

bindToParent();
if (landlockVersion() === 0) throw new Error('This kernel has no Landlock, or it may not be used here.');
restrictFiles([
  ...[...readable, ...NOT_HIDDEN].map((path) => [path, READ] as const),
  // Of processes outside nothing but their names is shown: Landlock keeps their files, memory and environment.
  ['/proc', READ],
  ...DEVICES.map((path) => [path, RIGHTS.readFile | RIGHTS.writeFile] as const),
  ...SOCKET_FOLDERS.map((path) => [path, RIGHTS.makeSock] as const),
  ...(ownScratch ? ['/tmp', '/dev/shm'] : []).map((path) => [path, ALL] as const),
  [ownDir, ALL],
]);
dropCapabilities();
if (filtersCalls) {
  if (!isFiltered(process.arch)) throw new Error(`There is no filter of system calls for ${process.arch}.`);
  // Landlock does not watch sockets that have a path: whatever this machine offers there stays out of reach.
  filterCalls(seccompFilter(process.arch, { namespaces: false, connect: false }));
}
become(program, args, DESCRIPTORS, channel === '' ? {} : { NODE_CHANNEL_FD: channel });
