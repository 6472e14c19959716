// The images of deploy/Containerfile, built without an image registry: what it calls debian:bookworm-slim is made here,
// from the packages of the Debian mirror this machine uses.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { missing } from '../../service/testing/oracles/programs.ts';

const ROOT = join(import.meta.dirname, '../..');
const RELEASE = 'bookworm';
const BASE = `docker.io/library/debian:${RELEASE}-slim`;
/** Where Debian keeps the mirrors; the first that is there. */
const SOURCES = ['/etc/apt/sources.list.d/debian.sources', '/etc/apt/sources.list'];
const LONGEST_STEP_MS = 30 * 60_000;
export const SIZES = ['core', 'full'] as const;
export type Size = (typeof SIZES)[number];

/** Where images and containers are kept: a folder of this drill, not the user's own. */
export interface Store {
  folder: string;
  /** The words before every command of podman and buildah. */
  options: readonly string[];
}

export const storeIn = (folder: string): Store => ({
  folder,
  options: ['--root', join(folder, 'images'), '--runroot', join(folder, 'run')],
});

/** Why no image can be built here, or undefined. */
export function whyNotHere(): string | undefined {
  if (process.platform !== 'linux') return 'not Linux';
  const absent = missing('mmdebstrap', 'buildah', 'podman');
  if (absent) return `${absent} (apt-get install mmdebstrap buildah podman runc)`;
  if (!SOURCES.some((path) => existsSync(path))) return "no list of Debian's packages on this machine";
  if (process.getuid?.() === 0) return undefined;
  const user = process.env.USER ?? '';
  const hasRange = existsSync('/etc/subuid') && readFileSync('/etc/subuid', 'utf8').includes(`${user}:`);
  return hasRange
    ? undefined
    : `${user || 'this user'} has no range of user ids in /etc/subuid, and is not root`;
}

/** As the image of that name is: the smallest Debian, without manuals; here with the authorities this machine trusts. */
async function buildBase(store: Store): Promise<void> {
  const tarball = join(store.folder, 'debian.tar');
  const sources = SOURCES.find((path) => existsSync(path)) ?? '';
  const authorities = '/usr/local/share/ca-certificates';
  const trusted = existsSync(authorities)
    ? [
        `--customize-hook=copy-in ${authorities} /usr/local/share`,
        '--customize-hook=chroot "$1" update-ca-certificates',
      ]
    : [];
  await step('mmdebstrap', [
    '--variant=minbase',
    '--include=ca-certificates',
    ...['doc', 'man', 'locale', 'info'].map((folder) => `--dpkgopt=path-exclude=/usr/share/${folder}/*`),
    '--dpkgopt=path-include=/usr/share/doc/*/copyright',
    ...trusted,
    RELEASE,
    tarball,
    sources,
  ]);
  await step('podman', [...store.options, 'import', tarball, BASE]);
}

export async function buildImages(store: Store): Promise<void> {
  const begun = performance.now();
  if (!exists(store, BASE)) await buildBase(store);
  console.log(`  ${BASE} made of packages: ${seconds(begun)}, ${sizeOf(store, BASE)} MB`);
  for (const size of SIZES) {
    const at = performance.now();
    await step('buildah', [
      ...[...store.options, 'bud', '--isolation', 'chroot', '--network', 'host', '--pull-never', '--layers'],
      // The format of Docker has health checks, that of OCI none.
      ...['--format', 'docker', '--ignorefile', join(ROOT, '.dockerignore')],
      ...['--file', join(ROOT, 'deploy/Containerfile'), '--target', size, '--tag', imageOf(size), ROOT],
    ]);
    console.log(`  image ${size}: built in ${seconds(at)}, ${sizeOf(store, imageOf(size))} MB`);
  }
}

export const imageOf = (size: Size): string => `localhost/bindery:${size}`;

const exists = (store: Store, image: string): boolean =>
  spawnSync('podman', [...store.options, 'image', 'exists', image]).status === 0;

function sizeOf(store: Store, image: string): number {
  const asked = ['image', 'inspect', '--format', '{{.Size}}', image];
  const { stdout } = spawnSync('podman', [...store.options, ...asked], { encoding: 'utf8' });
  return Math.round(Number(stdout) / 1e6);
}

/** A command that must succeed; its last words where it does not. */
function step(program: string, args: readonly string[]): Promise<void> {
  const child = spawn(program, args, {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: LONGEST_STEP_MS,
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-3000);
    });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) =>
      code === 0 ? resolve() : reject(new Error(`${program} ended with ${code ?? signal}:\n${said}`)),
    );
  });
}

const seconds = (since: number): string => `${Math.round((performance.now() - since) / 1000)} s`;
