// Becomes another program after giving up the right to see the machine: run as
//   node confined-launch.ts <folder that is its own> <program> <argument>...
// What stays readable is what programs are made of. Whatever a document talks LibreOffice into, there is nothing else
// to be read. Where the kernel has no Landlock the program runs as it is, within the isolation of the worker alone.
import { become, bindToParent } from '../landlock/become.ts';
import { ALL, landlockVersion, READ, RIGHTS, restrictFiles } from '../landlock/landlock.ts';

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

const [ownDir = '', program = '', ...args] = process.argv.slice(2);
bindToParent();
if (landlockVersion() > 0)
  restrictFiles([
    ...[...SYSTEM, ...SETTINGS].map((path) => [path, READ] as const),
    ['/dev/null', RIGHTS.readFile | RIGHTS.writeFile],
    ...PIPE_FOLDERS.map((path) => [path, RIGHTS.makeSock] as const),
    [ownDir, ALL],
  ]);
become(program, args, [0, 1, 2]);
