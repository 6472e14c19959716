// One container of an image, run as docs/deploy.md says: nothing of it can be written but the data and /tmp, nobody in
// it is root, no capability is left.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { freePort } from '../../service/testing/servers/started.ts';
import { until } from '../../test/processes.ts';
import { imageOf, type Size, type Store } from './build.ts';

const START_MS = 120_000;
export const KEY = 'key-of-the-image-drill';

export interface Container {
  url: string;
  startMs: number;
  health: { isolation: string; engines: Record<string, { available: boolean }> };
  /** What the image says is to be run inside. */
  healthCheck: string[];
  /** What a command inside says; undefined where it fails. */
  inside(...command: string[]): string | undefined;
  /** Ends it by the signal of the image and tells how long it took, and its exit code. */
  stop(): { ms: number; code: number };
}

/** How a container may be run; each is a set of words for `podman run`. */
export const MANNERS = {
  /** User namespaces inside, a /proc that may be mounted anew. */
  unmasked: ['--security-opt', 'unmask=ALL'],
  plain: [],
  /** As Docker and Kubernetes run it: their filter forbids making namespaces and mounting. */
  'without user namespaces': ['--security-opt', `seccomp=${join(import.meta.dirname, 'no-namespaces.json')}`],
} as const;
export type Manner = keyof typeof MANNERS;

export async function startContainer(store: Store, size: Size, manner: Manner): Promise<Container> {
  const port = await freePort();
  const name = `bindery-drill-${process.pid}-${port}`;
  const begun = performance.now();
  const { id } = run(store, [
    ...[
      'run',
      '--detach',
      '--no-healthcheck',
      '--name',
      name,
      '--read-only',
      '--tmpfs',
      '/tmp:rw,nosuid,nodev,size=256m',
    ],
    ...['--cap-drop', 'ALL', '--security-opt', 'no-new-privileges', ...MANNERS[manner]],
    // Bounds that no machine forbids to ask for; a container engine may have others by default.
    ...['--ulimit', 'nofile=1024:1024', '--ulimit', 'nproc=4096:4096'],
    ...['--network', 'host', '--volume', `${name}:/var/lib/bindery`],
    ...[
      '--env',
      'BINDERY_HOST=127.0.0.1',
      '--env',
      `BINDERY_PORT=${port}`,
      '--env',
      `BINDERY_API_KEY=${KEY}`,
    ],
    imageOf(size),
  ]);
  const url = `http://127.0.0.1:${port}`;
  const inside = (...command: string[]): string | undefined => {
    const { status, stdout } = podman(store, ['exec', name, ...command]);
    return status === 0 ? stdout.trim() : undefined;
  };
  const stop = (): { ms: number; code: number } => {
    const at = performance.now();
    podman(store, ['stop', '--time', '40', name]);
    const ms = performance.now() - at;
    const code = Number(podman(store, ['inspect', '--format', '{{.State.ExitCode}}', name]).stdout);
    podman(store, ['rm', '--force', '--volumes', name]);
    podman(store, ['volume', 'rm', '--force', name]);
    return { ms, code };
  };
  const isUp = async (): Promise<Container['health'] | undefined> => {
    const response = await fetch(`${url}/api/v1/info/health`).catch(() => undefined);
    if (response?.ok) return (await response.json()) as Container['health'];
    const isRunning = podman(store, ['inspect', '--format', '{{.State.Running}}', id]).stdout.trim();
    if (isRunning === 'true') return undefined;
    throw new Error(`the container has ended: ${logsOf(store, id)}`);
  };
  try {
    const health = await until(`a container of ${size} is ready`, isUp, START_MS);
    const startMs = performance.now() - begun;
    return { url, startMs, health, healthCheck: healthCheckOf(store, size), inside, stop };
  } catch (error) {
    const said = logsOf(store, id);
    stop();
    throw new Error(`${error instanceof Error ? error.message : error}\n${said}`);
  }
}

function run(store: Store, args: readonly string[]): { id: string } {
  const { status, stdout, stderr } = podman(store, args);
  if (status !== 0) throw new Error(`podman could not start a container: ${stderr.slice(-2000)}`);
  return { id: stdout.trim() };
}

function healthCheckOf(store: Store, size: Size): string[] {
  const asked = podman(store, ['image', 'inspect', '--format', '{{json .HealthCheck.Test}}', imageOf(size)]);
  const [kind, ...command] = JSON.parse(asked.stdout) as string[];
  return kind === 'CMD' ? command : ['false'];
}

function logsOf(store: Store, id: string): string {
  const { stdout, stderr } = podman(store, ['logs', id]);
  return `${stdout}${stderr}`.slice(-2000);
}

const podman = (store: Store, args: readonly string[]) =>
  // runc and cgroupfs: what works where no systemd runs, too.
  spawnSync('podman', [...store.options, '--runtime', 'runc', '--cgroup-manager', 'cgroupfs', ...args], {
    encoding: 'utf8',
    timeout: START_MS,
  });
