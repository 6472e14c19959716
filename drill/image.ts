// The images of deploy/Containerfile are built without an image registry and run as an operator would: read-only, as
// nobody's root, with and without user namespaces. Ten operations and more must give what another program finds right,
// and what the small image lacks must be told as such. `npm run drill image [folder]` keeps images in that folder.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { buildImages, SIZES, type Size, type Store, storeIn, whyNotHere } from './image/build.ts';
import { CORE_CALLS, call, FULL_CALLS, type ImageCall } from './image/calls.ts';
import { type Container, KEY, MANNERS, type Manner, startContainer } from './image/container.ts';

/** What a stop may take: nothing is under way then. */
const STOP_MS = 10_000;

export async function drill([kept]: readonly string[]): Promise<string[]> {
  const why = whyNotHere();
  if (why !== undefined) {
    console.log(`  skipped: ${why}`);
    return [];
  }
  const folder = kept === undefined ? mkdtempSync(join(tmpdir(), 'bindery-image-')) : resolve(kept);
  mkdirSync(folder, { recursive: true });
  const store = storeIn(folder);
  const failures: string[] = [];
  try {
    await buildImages(store);
    for (const size of SIZES)
      for (const manner of Object.keys(MANNERS) as Manner[])
        failures.push(...(await tryOut(store, size, manner)));
  } finally {
    if (kept === undefined) rmSync(folder, { recursive: true, force: true });
  }
  return failures;
}

async function tryOut(store: Store, size: Size, manner: Manner): Promise<string[]> {
  const container = await startContainer(store, size, manner);
  const failures = walls(container);
  const page = await fetch(container.url, { headers: { accept: 'text/html' } });
  if (!page.headers.get('content-type')?.startsWith('text/html')) failures.push('shows no page for people');
  const { isolation } = container.health;
  // Without user namespaces nothing but Landlock is left, and with all of them nothing weaker is taken.
  const expected = manner === 'unmasked' ? 'bwrap' : manner === 'plain' ? 'bwrap-landlock' : 'landlock';
  if (isolation !== expected) failures.push(`isolation is ${isolation}, not ${expected}`);
  const can = size === 'full' ? [...CORE_CALLS, ...FULL_CALLS] : CORE_CALLS;
  const cannot = size === 'full' ? [] : FULL_CALLS;
  for (const each of can) failures.push(...(await rightly(container, each)));
  for (const each of cannot) failures.push(...(await missingly(container, each)));
  if (container.inside('sh', '-c', 'grep -ls "^State:.Z" /proc/[0-9]*/status') !== undefined)
    failures.push('dead processes are not buried');
  const { ms, code } = container.stop();
  if (ms > STOP_MS || code !== 0) failures.push(`stopped after ${Math.round(ms)} ms with code ${code}`);
  console.log(
    `  ${size}, ${manner}: ready after ${(container.startMs / 1000).toFixed(1)} s, isolation ${isolation}, ` +
      `${can.length} operations tried, ${cannot.length} missing, stopped after ${(ms / 1000).toFixed(1)} s`,
  );
  return failures.map((failure) => `${size}, ${manner}: ${failure}`);
}

/** What must not be possible inside. */
function walls({ inside, healthCheck }: Container): string[] {
  const checks: [what: string, holds: boolean][] = [
    ['runs as root', inside('id', '-u') === '10001'],
    ['can write its own code', inside('touch', '/opt/bindery/service/src/main.ts') === undefined],
    ['can write its root', inside('touch', '/beside') === undefined],
    ['cannot write its data', inside('touch', '/var/lib/bindery/written') !== undefined],
    ['has capabilities', /^CapEff:\s+0+$/m.test(inside('cat', '/proc/self/status') ?? '')],
    ['has a compiler or npm', inside('sh', '-c', 'command -v cc gcc g++ make npm') === undefined],
    ['fails its health check', inside(...healthCheck) !== undefined],
    ['has no command of its own', (inside('bindery', 'keys', 'list') ?? '').includes('BINDERY_API_KEY')],
  ];
  return checks.filter(([, holds]) => !holds).map(([what]) => what);
}
async function rightly({ url }: Container, each: ImageCall): Promise<string[]> {
  try {
    const { status, bytes, reason } = await call(url, KEY, each);
    if (status !== 200) return [`${each.operation}: ${status} ${reason ?? ''}`];
    each.judge(bytes);
    return [];
  } catch (error) {
    return [`${each.operation}: ${error instanceof Error ? error.message : error}`];
  }
}

async function missingly({ url }: Container, each: ImageCall): Promise<string[]> {
  const { status, reason } = await call(url, KEY, each);
  if (status === 503 && reason === 'missing_dependency') return [];
  return [`${each.operation}: ${status} ${reason ?? ''} instead of missing_dependency`];
}
