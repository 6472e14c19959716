// `npm run bench many`: what the way through the queue costs. One service by itself against an API node with two worker
// nodes on a real Redis and a real S3 server, in turns on this machine; and how long one key waits behind another.
import { setTimeout as sleep } from 'node:timers/promises';
import { startRedis } from '../service/testing/servers/redis.ts';
import { startSwift } from '../service/testing/servers/swift.ts';
import { fixture, type RunningService, startService } from '../test/service.ts';
import { Client, formBody, type Measured, measure, perSecond, quantile, together } from './load.ts';
import { measureBytes } from './way-of-bytes.ts';

/** Above the service by itself, at the median of a small call. */
const MOST_ABOVE_MS = 8;
const ROUNDS = 4;
const CONNECTIONS = 8;
const CALLS_ALONE = 60;
const CALLS_AT_ONCE = 60;
/** What one key sends, so many at once, while another sends single calls. */
const FLOOD = 10_000;
const FLOOD_AT_ONCE = 128;
const CALLS_BESIDE = 200;
/** What the flood may add to the other's median: the jobs that are at work, not those that wait. */
const MOST_BEHIND_MS = 100;
const ADMIN_KEY = 'bench-admin-key-of-many-nodes';

interface Work {
  op: string;
  body: Buffer;
}

const SMALL: Work = {
  op: 'general/rotate-pdf',
  body: formBody({ fileInput: [fixture('text-two-pages.pdf')] }, { angle: '90' }),
};
/** Where the work is what takes the time. */
const LONG: Work = {
  op: 'convert/pdf/img',
  body: formBody({ fileInput: [fixture('everything.pdf')] }, { imageFormat: 'png', dpi: '150' }),
};

export async function measureMany(): Promise<number> {
  const [redis, s3] = await Promise.all([startRedis(), startSwift()]);
  const services: RunningService[] = [];
  try {
    const bucket = await s3.newBucket();
    const common = {
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE || 'node_modules/.bindery/code',
      BINDERY_LOG_LEVEL: 'error',
    };
    const shared = {
      ...common,
      BINDERY_REDIS_URL: redis.url,
      BINDERY_S3_BUCKET: bucket.bucket,
      BINDERY_S3_ENDPOINT: s3.endpoint,
      BINDERY_S3_ACCESS_KEY_ID: bucket.credentials?.accessKeyId ?? '',
      BINDERY_S3_SECRET_ACCESS_KEY: bucket.credentials?.secretAccessKey ?? '',
    };
    const start = async (env: Record<string, string>): Promise<RunningService> => {
      const service = await startService({ env, startMs: 180_000 });
      services.push(service);
      return service;
    };
    const alone = await start({ ...common, BINDERY_WORKERS: '2' });
    for (let node = 0; node < 2; node += 1)
      await start({ ...shared, BINDERY_ROLE: 'worker', BINDERY_WORKERS: '1' });
    const many = await start({ ...shared, BINDERY_ROLE: 'api', BINDERY_ADMIN_KEY: ADMIN_KEY });
    const missed = await compared(alone, many);
    const missedBeside = await beside(many);
    await measureBytes(redis.url, bucket);
    return missed + missedBeside;
  } finally {
    for (const service of services) await service.remove();
    await Promise.all([redis.close(), s3.close()]);
  }
}

async function compared(alone: RunningService, many: RunningService): Promise<number> {
  const clients = [alone, many].map(({ url, key }) => new Client(url, key, CONNECTIONS)) as [Client, Client];
  const inTurns = async (work: Work, total: number, atOnce: number): Promise<[Measured, Measured]> => {
    const rounds: [Measured[], Measured[]] = [[], []];
    for (let round = 0; round <= ROUNDS; round += 1)
      for (const [which, client] of clients.entries()) {
        const measured = await measure(total, atOnce, () => client.post(work.op, work.body));
        // The first is for warming up.
        if (round > 0) rounds[which as 0 | 1].push(measured);
        await sleep(50);
      }
    return [together(rounds[0]), together(rounds[1])];
  };
  let missed = 0;
  const judge = (isMet: boolean): string => {
    if (!isMet) missed += 1;
    return isMet ? 'met' : 'MISSED';
  };
  const before = await commandsOf(many);
  const single = await inTurns(SMALL, CALLS_ALONE, 1);
  const commands = ((await commandsOf(many)) - before) / (CALLS_ALONE * (ROUNDS + 1));
  const [ours, theirs] = single.map((measured) => quantile(measured, 0.5)) as [number, number];
  console.log(
    `small rotation, one after the other: ${ours.toFixed(1)} ms by itself, ${theirs.toFixed(1)} ms through the queue; ${(theirs - ours).toFixed(1)} ms above (goal: at most ${MOST_ABOVE_MS}, ${judge(theirs - ours <= MOST_ABOVE_MS)}); best ${quantile(single[0], 0).toFixed(1)} and ${quantile(single[1], 0).toFixed(1)} ms; ${commands.toFixed(1)} commands to Redis of the API node for each call`,
  );
  const long = await inTurns(LONG, CALLS_AT_ONCE, CONNECTIONS);
  const ratio = perSecond(long[1]) / perSecond(long[0]);
  console.log(
    `pages drawn, ${CONNECTIONS} at once: ${perSecond(long[0]).toFixed(1)}/s by itself, ${perSecond(long[1]).toFixed(1)}/s with two worker nodes; ${ratio.toFixed(2)} times (goal: at least 1, ${judge(ratio >= 1)})`,
  );
  const small = await inTurns(SMALL, 5 * CALLS_AT_ONCE, CONNECTIONS);
  console.log(
    `small rotations, ${CONNECTIONS} at once: ${perSecond(small[0]).toFixed(1)}/s by itself, ${perSecond(small[1]).toFixed(1)}/s with two worker nodes`,
  );
  const failures = [...single, ...long, ...small].reduce((sum, each) => sum + each.failures, 0);
  if (failures > 0) console.log(`${failures} calls failed`);
  for (const client of clients) client.close();
  return missed === 0 && failures === 0 ? 0 : 1;
}

/** One key sends all it can; another sends one call after the other. */
async function beside(many: RunningService): Promise<number> {
  const created = await fetch(`${many.url}/api/v1/admin/keys`, {
    method: 'POST',
    headers: { 'x-api-key': ADMIN_KEY, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'another' }),
  });
  const { secret } = (await created.json()) as { secret: string };
  const flood = new Client(many.url, many.key, FLOOD_AT_ONCE);
  const other = new Client(many.url, secret, 1);
  const single = () => measure(CALLS_BESIDE, 1, () => other.post(SMALL.op, SMALL.body));
  const alone = await single();
  let isOver = false;
  // Those that find no place are refused, and count as sent.
  const flooding = measure(FLOOD, FLOOD_AT_ONCE, async () => {
    if (!isOver) await flood.post(SMALL.op, SMALL.body);
    return true;
  });
  await sleep(1000);
  const behind = await single();
  isOver = true;
  const flooded = await flooding;
  for (const client of [flood, other]) client.close();
  const [quiet, crowded] = [quantile(alone, 0.5), quantile(behind, 0.5)];
  const isMet = crowded - quiet <= MOST_BEHIND_MS && behind.failures === 0;
  console.log(
    `another key, one call after the other: ${quiet.toFixed(1)} ms alone, ${crowded.toFixed(1)} ms (nine in ten: ${quantile(behind, 0.9).toFixed(1)}) behind a key with ${FLOOD_AT_ONCE} calls at once (${flooded.calls} of ${FLOOD} sent, ${behind.failures} of the other failed); goal: at most ${MOST_BEHIND_MS} ms more, ${isMet ? 'met' : 'MISSED'}`,
  );
  return isMet ? 0 : 1;
}

async function commandsOf({ url }: RunningService): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^bindery_redis_commands_total (\d+)$/m.exec(text)?.[1]);
}
