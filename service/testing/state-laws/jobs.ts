import assert from 'node:assert/strict';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import {
  type ClaimedJob,
  JOB_PATIENCE_MS,
  type JobCaps,
  MOST_WORDS,
  type NewJob,
  reservedBytes,
  type StoredJob,
} from '../../src/state/jobs.ts';
import type { NewStoredResponse } from '../../src/state/state.ts';
import { allOf } from './sending.ts';
import type { World } from './world.ts';

const LEASE = 30_000;
const DAY = 24 * 3600 * 1000;
const CAPS: JobCaps = { jobs: 1000, storageBytes: 2 ** 40 };
const ANSWER: NewStoredResponse = {
  status: 200,
  headers: { 'content-type': 'application/pdf' },
  body: { bytes: Buffer.from('%PDF-1.7 made') },
};
const SUCCESS = { status: 'succeeded' as const, outcome: { result: { size: 13 } }, response: ANSWER };

export function jobLaws(world: World): void {
  let names = 0;
  const newJob = (owner: string, texts: readonly string[] = ['request', 'file']): NewJob => {
    names += 1;
    const parts = texts.map((text) => ({
      chunks: [Buffer.from(text.slice(0, 2)), Buffer.from(text.slice(2))],
    }));
    return { id: `job_${names}`, owner, about: { operation: 'general/rotate-pdf' }, parts };
  };
  async function accepted(owner = 'key_a', texts?: readonly string[]): Promise<StoredJob> {
    const job = await world.state.jobs.accept(newJob(owner, texts), CAPS);
    assert.ok(typeof job === 'object', String(job));
    return job;
  }
  async function claimed(): Promise<ClaimedJob> {
    const job = await world.state.jobs.claim(LEASE);
    assert.ok(job, 'nothing to claim');
    return job;
  }
  const tomorrow = () => new Date(world.now().getTime() + DAY);
  const finish = (lease: string, end = SUCCESS) => world.state.jobs.finish(lease, end, tomorrow());
  const get = ({ id, owner }: StoredJob) => world.state.jobs.get(id, owner);
  async function answerOf(job: StoredJob) {
    const response = await world.state.jobs.responseOf(job);
    assert.ok(response);
    const { body, ...head } = response;
    const bytes = body && ('bytes' in body ? Buffer.from(body.bytes) : await allOf(body.stored));
    return { ...head, text: bytes?.toString('latin1') ?? null };
  }

  it('is claimed once, with all of its parts, and answers what was kept until that expires', async () => {
    const job = await accepted();
    assert.deepEqual(
      [job.status, job.about, job.progress, job.createdAt, job.startedAt, job.expiresAt],
      ['queued', { operation: 'general/rotate-pdf' }, null, world.now(), null, null],
    );
    const claims = await Promise.all(Array.from({ length: 10 }, () => world.state.jobs.claim(LEASE)));
    const [only, ...others] = claims.filter((claim) => claim !== undefined);
    assert.ok(only && others.length === 0);
    assert.equal(only.attempt, 1);
    const texts = await Promise.all(only.parts.map(async (part) => (await allOf(part)).toString()));
    assert.deepEqual(texts, ['request', 'file']);
    world.pass(1000);
    assert.equal(await finish(only.lease), true);
    const ended = await get(job);
    assert.ok(ended);
    assert.deepEqual(
      [ended.status, ended.outcome, ended.finishedAt, ended.expiresAt],
      ['succeeded', SUCCESS.outcome, world.now(), tomorrow()],
    );
    const expected = { status: 200, headers: ANSWER.headers, text: '%PDF-1.7 made' };
    assert.deepEqual(await answerOf(ended), expected);
    await world.restart();
    world.pass(DAY - 1);
    await world.state.sweep(world.now());
    assert.deepEqual(await answerOf(ended), expected);
    world.pass(1);
    assert.equal(await get(job), undefined);
    assert.deepEqual(await world.state.jobs.list('key_a', 10), []);
  });

  it('takes parts and answers given as files, also when those are removed, and no links', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'bindery-law-'));
    try {
      const path = join(folder, 'file');
      await writeFile(path, 'from a file');
      const { id, owner, about } = newJob('key_a');
      const job = await world.state.jobs.accept({ id, owner, about, parts: [{ path, size: 11 }] }, CAPS);
      assert.ok(typeof job === 'object');
      await rm(path);
      const { lease, parts } = await claimed();
      assert.equal((await allOf(parts[0])).toString(), 'from a file');
      await symlink('/etc/hostname', path);
      const linked = { ...SUCCESS, response: { ...ANSWER, body: { path } } };
      await assert.rejects(world.state.jobs.finish(lease, linked, tomorrow()));
      await rm(path);
      await writeFile(path, 'made as a file');
      assert.equal(await world.state.jobs.finish(lease, linked, tomorrow()), true);
      await rm(path);
      assert.equal((await answerOf(job)).text, 'made as a file');
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('keeps a problem as the answer of a job that failed, and nothing as that of a 204', async () => {
    const failed = await accepted();
    const response = { status: 400, headers: {}, body: { bytes: Buffer.from('{}') } };
    const end = { status: 'failed' as const, outcome: { problem: { status: 400 } }, response };
    assert.equal(await world.state.jobs.finish((await claimed()).lease, end, tomorrow()), true);
    assert.deepEqual([(await get(failed))?.status, (await answerOf(failed)).text], ['failed', '{}']);
    const empty = await accepted();
    const nothing = { ...SUCCESS, response: { status: 204, headers: {}, body: null } };
    assert.equal(await world.state.jobs.finish((await claimed()).lease, nothing, tomorrow()), true);
    assert.deepEqual(await answerOf(empty), { status: 204, headers: {}, text: null });
  });

  it('is the job it was where the same id comes again', async () => {
    const asked = newJob('key_a');
    const answers = await Promise.all([1, 2, 3].map(() => world.state.jobs.accept(asked, CAPS)));
    const sequences = answers.map((job) => (typeof job === 'object' ? job.sequence : job));
    assert.deepEqual(sequences, Array(3).fill(sequences[0]));
    assert.ok(await world.state.jobs.claim(LEASE));
    assert.equal(await world.state.jobs.claim(LEASE), undefined);
  });

  it('exists for its owner alone', async () => {
    const job = await accepted();
    assert.equal(await world.state.jobs.get(job.id, 'key_b'), undefined);
    assert.deepEqual(await world.state.jobs.list('key_b', 10), []);
    assert.equal(await world.state.jobs.end(job.id, 'key_b', tomorrow()), 'gone');
    assert.equal((await get(job))?.status, 'queued');
  });

  it('lists newest first, from a place on', async () => {
    const jobs: StoredJob[] = [];
    for (let n = 0; n < 5; n += 1) jobs.push(await accepted());
    const ids = jobs.map(({ id }) => id).reverse();
    const first = await world.state.jobs.list('key_a', 2);
    assert.deepEqual(
      first.map(({ id }) => id),
      ids.slice(0, 2),
    );
    const rest = await world.state.jobs.list('key_a', 10, first[1]?.sequence);
    assert.deepEqual(
      rest.map(({ id }) => id),
      ids.slice(2),
    );
  });

  it('runs again after a death, at the latest when its lease ends, and counts how often it was begun', async () => {
    const job = await accepted();
    const first = await claimed();
    await world.restart();
    world.pass(LEASE);
    const second = await claimed();
    assert.deepEqual([second.job.id, second.attempt, second.parts.length], [job.id, 2, 2]);
    // What the dead one says is no longer heard.
    assert.equal(await world.state.jobs.renew(first.lease, LEASE), false);
    assert.equal(await finish(first.lease), false);
    world.pass(LEASE - 1);
    assert.equal(await world.state.jobs.renew(second.lease, LEASE), true);
    world.pass(LEASE - 1);
    assert.equal(await world.state.jobs.claim(LEASE), undefined);
    world.pass(1);
    assert.equal((await claimed()).attempt, 3);
    assert.equal(await finish(second.lease), false);
  });

  it('tells progress, and a version that rises with all that changes', async () => {
    const job = await accepted();
    const { lease } = await claimed();
    const running = await get(job);
    assert.ok(running && running.status === 'running' && running.version > job.version);
    const progress = { step: 1, of: 2, done: 0.25, message: 'Page 5 of 10' };
    assert.equal(await world.state.jobs.note(lease, [progress]), true);
    const noted = await get(job);
    assert.deepEqual(noted?.progress, progress);
    assert.ok(noted && noted.version > running.version);
    await finish(lease);
    assert.ok(((await get(job))?.version ?? 0) > noted.version);
    assert.equal(await world.state.jobs.note(lease, [progress]), false);
  });

  it('knows the last words of progress after its end, too, and none of a run before', async () => {
    const job = await accepted();
    const word = (n: number) => ({ step: 1, of: 1, done: n / 2000, message: `${n} of 2000 done` });
    const words = (from: number, to: number) =>
      Array.from({ length: to - from + 1 }, (_, index) => word(from + index));
    const told = async (after: number) =>
      (await world.state.jobs.wordsAfter(job, after)).map(({ progress }) => progress);
    const { lease } = await claimed();
    const { version = 0 } = (await get(job)) ?? {};
    await world.state.jobs.note(lease, [word(1), word(2)]);
    await world.state.jobs.note(lease, [word(2)]);
    assert.deepEqual(await told(0), [word(1), word(2), word(2)]);
    assert.deepEqual(await told(version + 1), [word(2), word(2)]);
    assert.deepEqual(await told(version + 3), []);
    assert.equal((await get(job))?.version, version + 3);
    assert.deepEqual((await get(job))?.progress, word(2));
    await world.state.jobs.giveBack(lease, world.now());
    assert.deepEqual(await told(0), []);
    const again = await claimed();
    await world.state.jobs.note(again.lease, words(1, MOST_WORDS + 5));
    assert.deepEqual(await told(0), words(6, MOST_WORDS + 5));
    await finish(again.lease);
    assert.equal((await told(0)).length, MOST_WORDS);
    assert.deepEqual(await world.state.jobs.wordsAfter(await accepted('key_b'), 0), []);
    await world.state.jobs.end(job.id, 'key_a', tomorrow());
    assert.deepEqual(await told(0), []);
  });

  it('waits after it was given back, and the attempt does not count', async () => {
    await accepted();
    const { lease } = await claimed();
    await world.state.jobs.giveBack(lease, new Date(world.now().getTime() + 5000));
    assert.equal(await finish(lease), false);
    assert.equal(await world.state.jobs.claim(LEASE), undefined);
    world.pass(5000);
    assert.equal((await claimed()).attempt, 1);
  });

  it('lets owners take turns, whoever has fewest running first, each in their order', async () => {
    const a = [await accepted('key_a'), await accepted('key_a'), await accepted('key_a')];
    const b = [await accepted('key_b'), await accepted('key_b')];
    const order = [await claimed(), await claimed(), await claimed()];
    assert.deepEqual(
      order.map(({ job }) => job.id),
      [a[0]?.id, b[0]?.id, a[1]?.id],
    );
    // One of each is running now, but it was key_a's turn last.
    await finish(order[0]?.lease ?? '');
    assert.equal((await claimed()).job.id, b[1]?.id);
  });

  it('is cancelled while it waits or runs, and removed when it is finished', async () => {
    const waiting = await accepted();
    assert.equal(await world.state.jobs.end(waiting.id, 'key_a', tomorrow()), 'cancelled');
    assert.equal(await world.state.jobs.claim(LEASE), undefined);
    assert.deepEqual((await get(waiting))?.status, 'cancelled');
    assert.equal(await world.state.jobs.responseOf(waiting), undefined);
    const running = await accepted();
    const { lease } = await claimed();
    assert.equal(await world.state.jobs.end(running.id, 'key_a', tomorrow()), 'cancelled');
    assert.equal(await world.state.jobs.renew(lease, LEASE), false);
    assert.equal(await finish(lease), false);
    await world.state.jobs.giveBack(lease, world.now());
    assert.equal(await world.state.jobs.claim(LEASE), undefined);
    assert.equal((await get(running))?.status, 'cancelled');
    assert.equal(await world.state.jobs.end(running.id, 'key_a', tomorrow()), 'removed');
    assert.equal(await world.state.jobs.end(running.id, 'key_a', tomorrow()), 'gone');
    assert.equal(await get(running), undefined);
  });

  it('refuses new jobs beyond the room or the number, and never an answer', async () => {
    const room = { jobs: 3, storageBytes: 2 * reservedBytes(10) };
    const add = async (owner = 'key_a') => {
      const job = await world.state.jobs.accept(newJob(owner, ['0123456789']), room);
      return typeof job === 'object' ? 'accepted' : job;
    };
    assert.deepEqual((await Promise.all([add(), add(), add()])).sort(), [
      'accepted',
      'accepted',
      'insufficient_storage',
    ]);
    const large = { ...ANSWER, body: { bytes: Buffer.alloc(50_000) } };
    const { job, lease } = await claimed();
    assert.equal(await world.state.jobs.finish(lease, { ...SUCCESS, response: large }, tomorrow()), true);
    assert.equal((await answerOf(job)).text?.length, 50_000);
    assert.equal(await add('key_b'), 'insufficient_storage');
    assert.equal(await world.state.jobs.end(job.id, 'key_a', tomorrow()), 'removed');
    assert.equal(await add('key_b'), 'accepted');
    const few = { ...CAPS, jobs: 1 };
    assert.equal(await world.state.jobs.accept(newJob('key_a'), few), 'insufficient_storage');
    assert.equal(typeof (await world.state.jobs.accept(newJob('key_c'), few)), 'object');
  });

  it('counts jobs by status and sweeps what is expired or was never run', async () => {
    await accepted();
    const { job, lease } = await claimed();
    const large = { ...ANSWER, body: { bytes: Buffer.alloc(20_000) } };
    await finish(lease, { ...SUCCESS, response: large });
    const left = await accepted();
    const { queued, running, succeeded } = await world.state.jobs.counts();
    assert.deepEqual({ queued, running, succeeded }, { queued: 1, running: 0, succeeded: 1 });
    const response = await world.state.jobs.responseOf(job);
    assert.ok(response?.body && 'stored' in response.body);
    world.pass(DAY);
    await world.state.sweep(world.now());
    await assert.rejects(allOf(response.body.stored));
    world.pass(JOB_PATIENCE_MS);
    await world.state.sweep(world.now());
    assert.equal(await get(left), undefined);
    assert.equal(await world.state.jobs.claim(LEASE), undefined);
    assert.deepEqual(Object.values(await world.state.jobs.counts()), [0, 0, 0, 0, 0]);
  });
}
