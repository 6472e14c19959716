import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { until, workersOf } from '../../../../test/processes.ts';
import {
  begin,
  isReady,
  jobOf,
  LARGE,
  pagesOf,
  problemOf,
  type RunnerWorld,
  rotation,
  runnerLaws,
} from '../../../testing/runner-laws.ts';
import { type RedisServer, startRedis, withoutRedis } from '../../../testing/servers/redis.ts';
import { type S3Server, startSwift, withoutSwift } from '../../../testing/servers/swift.ts';
import type { BucketOptions } from '../../contract/bucket.ts';
import { createLog } from '../../contract/log.ts';
import type { EngineStates } from '../../engines/engines.ts';
import { openBucket } from '../../state/shared/objects.ts';
import { openSharedState, type SharedState } from '../../state/shared/shared-state.ts';
import { Pool } from '../pool.ts';
import type { Runner } from '../runner.ts';
import { Workspaces } from '../workspace.ts';
import { JobTaker } from './job-taker.ts';
import { enginesOfAll, laneFor, lanesOf, mayServe } from './lanes.ts';
import { QueueRunner } from './queue-runner.ts';

const log = createLog('silent');
const skip = withoutRedis || withoutSwift;
const SETTINGS = { count: 1, queue: 2, waitMs: 20_000, deadlineMs: 4000, isolation: 'none' } as const;

const newFolder = (): string => mkdtempSync(join(tmpdir(), 'bindery-queued-'));

function poolIn(dir: string): { pool: Pool; workspaces: Workspaces } {
  const workspaces = new Workspaces(join(dir, 'work'));
  const memoryBytes = 512 * 1024 * 1024;
  const more = { memoryBytes, jobsEach: 1000, logLevel: 'silent', dataDir: dir, times: { sampleMs: 50 } };
  return { pool: new Pool({ ...SETTINGS, ...more }, workspaces, log), workspaces };
}

runnerLaws(
  'the workers of this machine',
  async () => {
    const dir = newFolder();
    const { pool, workspaces } = poolIn(dir);
    const close = async (): Promise<void> => {
      await pool.close();
      rmSync(dir, { recursive: true, force: true });
    };
    return { runner: pool, workspaces, settings: SETTINGS, close };
  },
  { skip: false },
);

describe('a queue that nodes share', { skip }, () => {
  let redis: RedisServer;
  let s3: S3Server;
  let bucket: BucketOptions;
  before(async () => {
    [redis, s3] = await Promise.all([startRedis(), startSwift()]);
    bucket = await s3.newBucket();
  });
  after(async () => {
    await Promise.all([redis?.close(), s3?.close()]);
  });

  /** A node that holds callers' connections, and one that works, as another machine would: by the servers alone. */
  async function openNodes(prefix: string, engines?: (found: EngineStates) => EngineStates) {
    const dirs = [newFolder(), newFolder()] as const;
    const open = (dataDir: string): Promise<SharedState> =>
      openSharedState({ redisUrl: redis.url, bucket: { ...bucket, prefix }, dataDir, log });
    const [api, worker] = await Promise.all(dirs.map(open) as [Promise<SharedState>, Promise<SharedState>]);
    const { pool, workspaces } = poolIn(dirs[1]);
    const shown: Runner = {
      engines: () => {
        const found = pool.engines();
        return found && engines ? engines(found) : found;
      },
      requireRoom: (...call) => pool.requireRoom(...call),
      run: (...call) => pool.run(...call),
      load: () => pool.load(),
      close: () => pool.close(),
    };
    const take = (): Promise<JobTaker> => JobTaker.open(SETTINGS, worker.servers, shown, workspaces, log);
    const runner = await QueueRunner.open(SETTINGS, api.servers, log, pool);
    const takers: JobTaker[] = [];
    const world: RunnerWorld = {
      ...{ runner, workspaces: new Workspaces(join(dirs[0], 'work')), settings: SETTINGS },
      async close() {
        for (const taker of takers) await taker.close(0);
        await runner.close();
        await pool.close();
        await Promise.all([api.close(), worker.close()]);
        for (const dir of dirs) rmSync(dir, { recursive: true, force: true });
      },
    };
    return { world, prefix, take: async () => void takers.push(await take()), takers };
  }

  /** What is left of jobs when they are over: nothing. */
  async function assertNothingLeft(prefix: string): Promise<void> {
    const client = new Redis(redis.url);
    const objects = await openBucket({ ...bucket, prefix });
    try {
      const left = () => client.keys(`bindery:${prefix}job*`);
      const lasting =
        /[:/](job-(lanes|nodes?|turns|bell)\b.*|jobs:[\w+]+:(events|id|meta|stalled-check|marker|pc))$/;
      await until('nothing is left in Redis', async () =>
        (await left()).every((name) => lasting.test(name)),
      ).catch(async () => assert.fail(`left: ${await left()}`));
      for (const name of await left()) assert.ok((await client.pttl(name)) > 0, `${name} stays for ever`);
      await until(
        'nothing is left in the bucket',
        async () => (await objects.list('transient/')).length === 0,
      );
    } finally {
      client.disconnect();
      objects.close();
    }
  }

  runnerLaws(
    'other machines',
    async () => {
      const nodes = await openNodes('laws/');
      await nodes.take();
      const close = async (): Promise<void> => {
        try {
          await assertNothingLeft(nodes.prefix);
        } finally {
          await nodes.world.close();
        }
      };
      return { ...nodes.world, close };
    },
    { skip },
  );

  /** Takes the job as a node does that dies over it: never heard of again. */
  async function dieOverIt(prefix: string, times: number): Promise<void> {
    const connection = new Redis(redis.url, { maxRetriesPerRequest: null });
    const options = { connection, prefix: `bindery:${prefix}jobs`, autorun: false, maxStalledCount: 99 };
    const worker = new Worker('plain', null, { ...options, lockDuration: 50, stalledInterval: 100 });
    worker.on('error', () => {});
    for (let deaths = 0; deaths < times; deaths += 1) {
      await until('the job is there', () => worker.getNextJob('dying', { block: false }));
      await new Promise((next) => setTimeout(next, 60));
      await worker.startStalledCheckTimer();
      const wait = `bindery:${prefix}jobs:plain:wait`;
      await until('it is taken from the dead', async () => (await connection.llen(wait)) === 1);
    }
    await worker.close(true);
    connection.disconnect();
  }

  for (const [deaths, what] of [
    [1, 'a job whose node dies is done by another'],
    [3, 'a document over which three nodes died is answered, and given to no other'],
  ] as const)
    it(what, async () => {
      const { world, prefix, take, takers } = await openNodes(`deaths-${deaths}/`);
      try {
        await take();
        await isReady(world);
        const engines = world.runner.engines();
        await takers.pop()?.close(0);
        const client = new Redis(redis.url);
        // It is believed to live yet: there is a node to send jobs for.
        const node = `bindery:${prefix}job-node`;
        const facts = { node: 'x', engines, isolation: 'none', places: 5 };
        await client.set(`${node}:x`, JSON.stringify(facts), 'PX', 30_000);
        await client.zadd(`${node}s`, 1, 'x');
        client.disconnect();
        await until('it is seen', () => world.runner.engines() !== undefined);
        const begun = begin(world, rotation(deaths === 1 ? LARGE : undefined));
        await dieOverIt(prefix, deaths);
        await take();
        if (deaths === 1) assert.equal(await pagesOf(begun), 1);
        else {
          const problem = await problemOf(begun.outcome);
          assert.equal(problem.reason, 'internal');
          assert.match(problem.detail, /3 machines ended/);
        }
        assert.equal(takers[0]?.retries, 1);
        await assertNothingLeft(prefix);
      } finally {
        await world.close();
      }
    });

  it('a node answers what it does not understand; stopped, it gives back what it is at', async () => {
    const { world, prefix, take, takers } = await openNodes('stops/');
    try {
      await take();
      await isReady(world);
      // What it does not understand it answers, and does not leave to others.
      const connection = new Redis(redis.url);
      const queue = new Queue('plain', { connection, prefix: `bindery:${prefix}jobs` });
      await queue.add('job', { caller: 'x' }, { jobId: 'strange', priority: 1, removeOnComplete: true });
      await connection.rpush(`bindery:${prefix}job-bell:plain`, '');
      await until('it is gone', async () => (await queue.getJob('strange')) === undefined);
      await connection.del(`bindery:${prefix}job-mailbox:x`);
      await queue.close();
      connection.disconnect();
      process.kill(await until('there is a worker', () => workersOf(process.pid)[0]), 'SIGSTOP');
      const begun = begin(world);
      await until('it is at work', () => world.runner.load().busy === 1);
      await takers.pop()?.close(0);
      await take();
      assert.equal(await pagesOf(begun), 2);
      await assertNothingLeft(prefix);
    } finally {
      await world.close();
    }
  });

  it('a node is asked for what it has the programs for, and what no node has is said to be missing', async () => {
    const withoutTesseract = (found: EngineStates): EngineStates => ({
      ...found,
      tesseract: { available: false, missing: 'Tesseract is not here.' },
    });
    const { world, take } = await openNodes('programs/', withoutTesseract);
    try {
      await take();
      await isReady(world);
      const workspace = world.workspaces.create();
      const job = {
        ...jobOf(workspace.id, rotation()),
        steps: [step('general/rotate-pdf'), step('misc/ocr-pdf')],
      };
      const { signal } = new AbortController();
      const problem = await problemOf(world.runner.run(job, workspace, { owner: 'me', signal }));
      assert.equal(problem.reason, 'missing_dependency');
      assert.equal(problem.detail, 'Tesseract is not here.');
      assert.equal(world.runner.engines()?.tesseract.available, false);
      assert.equal(await pagesOf(begin(world)), 2);
    } finally {
      await world.close();
    }
  });
});

const step = (op: string) => ({ op, params: {}, passwords: [], extraFiles: {} });

describe('lanes', () => {
  const PLAIN = ['archive', 'markdown', 'qpdf', 'pdfium', 'sharp', 'text', 'codes', 'signatures'];
  const PROGRAMS = ['browser', 'office', 'tesseract'];
  const engines = (...programs: string[]): EngineStates =>
    Object.fromEntries(
      [...PLAIN, ...PROGRAMS].map((name) => [
        name,
        { available: PLAIN.includes(name) || programs.includes(name) },
      ]),
    ) as EngineStates;
  const jobWith = (...ops: string[]) => ({ ...jobOf('j', rotation()), steps: ops.map(step) });

  it('lead to a node that has the programs of every step', () => {
    const reader = engines('tesseract');
    const lane = laneFor(jobWith('misc/ocr-pdf', 'general/rotate-pdf'), [engines(), reader]);
    assert.ok(mayServe(reader, lane) && mayServe(engines('tesseract', 'browser'), lane));
    assert.ok(!mayServe(engines('browser'), lane));
    assert.ok(lanesOf(reader).includes(lane));
    assert.ok(mayServe(engines(), laneFor(jobWith('general/rotate-pdf'), [engines()])));
    const apart = [reader, engines('browser')];
    assert.throws(() => laneFor(jobWith('convert/html/pdf', 'misc/ocr-pdf'), apart), /missing_dependency/);
    assert.ok(enginesOfAll(apart)?.browser.available && enginesOfAll(apart)?.tesseract.available);
  });

  it('lead to one that has what a step may use, where there is one', () => {
    const office = engines('office');
    const lane = laneFor(jobWith('convert/file/pdf'), [engines(), office]);
    assert.ok(mayServe(office, lane) && !mayServe(engines(), lane));
    assert.ok(mayServe(engines(), laneFor(jobWith('convert/file/pdf'), [engines()])));
  });
});
