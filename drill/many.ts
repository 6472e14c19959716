// Four nodes that share their work, under mixed calls of 16 clients: nodes killed and started anew, a worker stopped,
// Redis restarted and away, S3 away and slow. Nobody gets wrong bytes, keyed calls have one result, nothing is left.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { writeLargePdf } from '../test/hostile-documents.ts';
import { until } from '../test/processes.ts';
import { API_KEY, filePart, fixture } from '../test/service.ts';
import { Callers, keyedCall, pipeline, sameBytes, upload } from './callers.ts';
import { Cluster, type Node } from './many/cluster.ts';
import { crossNode } from './many/cross-node.ts';
import { deadlyDocument } from './many/deadly-document.ts';
import { leftovers } from './many/leftovers.ts';

const KILL_EVERY_MS = 5000;
const STOPPED_MS = 30_000;
const PATIENCE_MS = 240_000;
/** From an outage on, whoever asks is refused within this; longer on a machine that is shared with all the others. */
const REFUSED_WITHIN_MS = 2000;
const CROWDED_MS = 4000;
/** A MiB each: more than travels in Redis. */
const LARGE_PAGES = 2;

export async function drill(args: readonly string[]): Promise<string[]> {
  const killMs = 1000 * Number(args[0] ?? 60);
  const outageMs = 1000 * Number(args[1] ?? 20);
  const folder = mkdtempSync(join(tmpdir(), 'bindery-many-'));
  const begun = performance.now();
  const cluster = await Cluster.start();
  console.log(
    `  two API nodes, two worker nodes, Redis and S3 were up after ${seconds(performance.now() - begun)}`,
  );
  try {
    const failures = await crossNode(cluster);
    try {
      console.log(`  a document over which nodes die: ${await deadlyDocument(cluster)}`);
    } catch (error) {
      failures.push(`a document over which nodes die: ${error instanceof Error ? error.message : error}`);
    }
    const callers = await mixedCallers(cluster, folder);
    const rounds: [string, () => Promise<string>][] = [
      ['nodes killed', () => killNodes(cluster, killMs)],
      ['a worker node stopped', () => stopWorker(cluster, Math.min(STOPPED_MS, 1.5 * outageMs))],
      ['Redis restarted', () => restartRedis(cluster)],
      [
        'Redis away',
        () =>
          outage(
            cluster,
            outageMs,
            () => cluster.redis.kill(),
            () => cluster.redis.again(),
          ),
      ],
      [
        'S3 away',
        () =>
          outage(
            cluster,
            outageMs,
            async () => cluster.proxy.away(),
            async () => cluster.proxy.back(),
            isKept,
          ),
      ],
      ['S3 slow, 200 ms', () => slowS3(cluster, outageMs)],
    ];
    for (const [what, harm] of rounds) failures.push(...(await round(cluster, callers, what, harm)));
    await callers.end();
    const done = Object.entries(callers.done).map(([name, count]) => `${count} ${name}`);
    console.log(`  ${done.join(', ')} were answered rightly; ${callers.retried} tries were repeated`);
    failures.push(...callers.failures, ...(await told(cluster)));
    const left = await leftovers(cluster);
    console.log(`  left: ${left.figures}`);
    return [...failures, ...left.failures];
  } finally {
    await cluster.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** 16 clients; each sends its next call when the last is answered. */
async function mixedCallers(cluster: Cluster, folder: string): Promise<Callers> {
  const large = join(folder, 'large.pdf');
  writeLargePdf(large, LARGE_PAGES);
  const callers = new Callers(
    {
      fetch: (path, init = {}) =>
        fetch(`${cluster.nextApi().url}${path}`, {
          ...init,
          headers: { ...init.headers, 'x-api-key': API_KEY },
        }),
    },
    PATIENCE_MS,
  );
  const twoPages = () => ({ fileInput: filePart(fixture('text-two-pages.pdf')) });
  const rotated = sameBytes('rotated', 'general/rotate-pdf', () => ({ ...twoPages(), angle: '90' }));
  const drawn = sameBytes('drawn', 'convert/pdf/img', () => ({
    ...twoPages(),
    imageFormat: 'png',
    dpi: '72',
  }));
  const text = sameBytes('text', 'convert/pdf/text', () => ({ ...twoPages(), outputFormat: 'txt' }));
  // More than travels in Redis, there and back.
  const long = sameBytes('large', 'general/rotate-pdf', () => ({ fileInput: filePart(large), angle: '90' }));
  const lanes: [string, number, (callers: Callers) => Promise<void>][] = [
    ['keyed calls', 4, keyedCall],
    ['rotations', 4, rotated],
    ['large rotations', 2, long],
    ['texts', 2, text],
    ['images', 1, drawn],
    ['pipelines', 1, pipeline(folder)],
    ['uploads', 2, upload(new Uint8Array(readFileSync(large)), LARGE_PAGES)],
  ];
  // What is right is told by the first answer, before any harm.
  for (const call of [rotated, drawn, text, long]) await call(callers);
  for (const [name, count, call] of lanes)
    for (let client = 0; client < count; client += 1) callers.begin(name, call);
  return callers;
}

async function round(
  cluster: Cluster,
  callers: Callers,
  what: string,
  harm: () => Promise<string>,
): Promise<string[]> {
  const before = { failures: callers.failures.length, retried: callers.retried };
  const doneBefore = total(callers);
  try {
    const figures = await harm();
    await Promise.all(cluster.nodes.map(isReady));
    const overAt = performance.now();
    await until('a right answer', () => callers.answeredAt > overAt, PATIENCE_MS);
    const back = seconds(callers.answeredAt - overAt);
    console.log(
      `  ${what}: ${figures}; ${total(callers) - doneBefore} right answers, ${callers.retried - before.retried} tries repeated, ${callers.failures.length - before.failures} failures; right again ${back} after its end`,
    );
    return [];
  } catch (error) {
    return [`${what}: ${error instanceof Error ? error.message : error}`];
  }
}

const total = (callers: Callers): number =>
  Object.values(callers.done).reduce((sum, count) => sum + count, 0);

const isReady = (node: Node): Promise<unknown> =>
  until(
    `${node.name} is ready`,
    async () => (await fetch(`${node.url}/api/v1/info/health`).catch(() => undefined))?.ok,
    PATIENCE_MS,
  );

async function killNodes(cluster: Cluster, forMs: number): Promise<string> {
  const overAt = performance.now() + forMs;
  const starting: Promise<void>[] = [];
  const killed: Record<string, number> = { api: 0, worker: 0 };
  while (performance.now() < overAt) {
    await sleep(KILL_EVERY_MS);
    const up = cluster.nodes.filter((node) => node.isUp);
    const victim = up[Math.floor(Math.random() * up.length)];
    if (!victim) continue;
    killed[victim.role] = (killed[victim.role] ?? 0) + 1;
    starting.push(victim.harm());
  }
  await Promise.all(starting);
  return `${killed.api} API nodes and ${killed.worker} worker nodes in ${seconds(forMs)}`;
}

async function stopWorker(cluster: Cluster, forMs: number): Promise<string> {
  const [victim] = cluster.workers() as [Node];
  process.kill(victim.pid, 'SIGSTOP');
  await sleep(forMs);
  process.kill(victim.pid, 'SIGCONT');
  return `for ${seconds(forMs)}`;
}

async function restartRedis(cluster: Cluster): Promise<string> {
  const begun = performance.now();
  await cluster.redis.kill();
  await cluster.redis.again();
  return `it was back after ${seconds(performance.now() - begun)}`;
}

/** One that keeps its answer in the bucket. */
const isKept = { 'idempotency-key': 'asked-while-it-was-away' };

/** Whoever asks meanwhile is refused soon, with the time after which to try again. */
async function outage(
  cluster: Cluster,
  forMs: number,
  away: () => Promise<void>,
  back: () => Promise<void>,
  headers: Record<string, string> = {},
): Promise<string> {
  await away();
  const overAt = performance.now() + forMs;
  const times: number[] = [];
  const others: number[] = [];
  const body = new Uint8Array(300_000);
  while (performance.now() < overAt) {
    const begun = performance.now();
    const form = new FormData();
    form.append('fileInput', new File([readFileSync(fixture('text-two-pages.pdf')), body], 'a.pdf'));
    const node = cluster.nextApi();
    const answer = await fetch(`${node.url}/api/v1/general/rotate-pdf`, {
      method: 'POST',
      body: form,
      headers: { 'x-api-key': API_KEY, ...headers },
    });
    await answer.arrayBuffer();
    times.push(performance.now() - begun);
    if (answer.status !== 503 || answer.headers.get('retry-after') === null) others.push(answer.status);
    await sleep(300);
  }
  await back();
  times.sort((a, b) => a - b);
  const median = times[Math.floor(times.length / 2)] ?? 0;
  const most = times.at(-1) ?? 0;
  const figures = `for ${seconds(forMs)}, ${times.length} calls refused after ${Math.round(median)} ms at the median, ${Math.round(most)} ms at most`;
  if (others.length > 0)
    throw new Error(`${figures}; answered ${[...new Set(others)].join(', ')} instead of 503`);
  if (median > REFUSED_WITHIN_MS || most > REFUSED_WITHIN_MS + CROWDED_MS) throw new Error(figures);
  return figures;
}

async function slowS3(cluster: Cluster, forMs: number): Promise<string> {
  cluster.proxy.delayMs = 200;
  await sleep(forMs);
  cluster.proxy.delayMs = 0;
  return `for ${seconds(forMs)}`;
}

/** The metrics tell that jobs were taken over. */
async function told(cluster: Cluster): Promise<string[]> {
  const read = async (node: Node, name: string): Promise<number> => {
    const text = await (await fetch(`${node.url}/metrics`)).text();
    return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? Number.NaN);
  };
  const figures = await Promise.all(
    cluster.nodes.map(async (node) => {
      const [retries, depth] = [
        await read(node, 'bindery_job_retries_total'),
        await read(node, 'bindery_queue_depth'),
      ];
      return { node: node.name, retries, depth };
    }),
  );
  console.log(
    `  since they last started: ${figures.map(({ node, retries }) => `${node} took over ${retries} jobs`).join(', ')}`,
  );
  return figures.flatMap(({ node, depth }) =>
    depth === 0 ? [] : [`${node} tells of ${depth} jobs that wait`],
  );
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
