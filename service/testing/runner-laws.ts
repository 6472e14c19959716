// What holds of whoever runs jobs, on this machine or on others.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { until, workersOf } from '../../test/processes.ts';
import { Problem } from '../src/contract/problems.ts';
import type { Job, JobOutcome } from '../src/jobs/job.ts';
import type { Caller, Runner } from '../src/jobs/runner.ts';
import type { Workspace, Workspaces } from '../src/jobs/workspace.ts';
import { planPipeline } from '../src/operations/pipeline.ts';
import { type Part, type Plan, planCall } from '../src/operations/plan.ts';
import { fixture } from './documents/collection.ts';
import { onePage } from './documents/written-pdf.ts';
import { pdfinfo } from './oracles/programs.ts';

export const SMALL = readFileSync(fixture('text-two-pages.pdf'));
/** Too large for a message. */
export const LARGE = onePage({ content: `% ${randomBytes(1_600_000).toString('base64')}\n` });

export interface RunnerWorld {
  runner: Runner;
  workspaces: Workspaces;
  /** One worker, `queue` places, and these times. */
  settings: { waitMs: number; deadlineMs: number; queue: number };
  close(): Promise<void>;
}

const part = (bytes: Buffer): Part => ({
  field: 'fileInput',
  file: { name: 'a.pdf', size: bytes.length, content: { chunks: [bytes] } },
});

export const rotation = (bytes: Buffer = SMALL): Plan => planCall('general/rotate-pdf', [part(bytes)]);

export function jobOf(id: string, { pipeline, files, steps }: Plan): Job {
  const atHand = files.flatMap((planned) => ('file' in planned ? [planned.file] : []));
  return { id, pipeline, files: atHand, steps: steps.map((step) => ({ ...step, extraFiles: {} })) };
}

export interface Begun {
  outcome: Promise<JobOutcome>;
  workspace: Workspace;
  steps: number[];
  /** How often a worker began with it. */
  begins(): number;
  abort(): void;
}

export function begin(
  { runner, workspaces }: Pick<RunnerWorld, 'runner' | 'workspaces'>,
  plan = rotation(),
  owner = 'test',
  asked: Partial<Pick<Caller, 'onProgress' | 'deadlineMs'>> = {},
): Begun {
  const workspace = workspaces.create();
  const gone = new AbortController();
  const steps: number[] = [];
  let begins = 0;
  const onBegin = (): void => {
    begins += 1;
  };
  const caller = {
    owner,
    signal: gone.signal,
    onBegin,
    onStep: (step: number) => steps.push(step),
    ...asked,
  };
  const outcome = runner.run(jobOf(workspace.id, plan), workspace, caller);
  outcome.catch(() => {});
  return { outcome, workspace, steps, begins: () => begins, abort: () => gone.abort() };
}

export async function problemOf(outcome: Promise<JobOutcome>): Promise<Problem> {
  const thrown = await outcome.then(
    (value) => assert.fail(`a ${value.state} outcome`),
    (error: unknown) => error,
  );
  assert.ok(thrown instanceof Problem, String(thrown));
  return thrown;
}

export const isReady = ({ runner }: Pick<RunnerWorld, 'runner'>): Promise<unknown> =>
  until('a worker is up', () => runner.engines() !== undefined);

/** The pages of a result, by another program than ours. */
export async function pagesOf({ outcome, workspace }: Begun): Promise<number> {
  const made = await outcome;
  assert.ok(made.state === 'made', JSON.stringify(made));
  const { content } = made.result;
  const bytes = 'file' in content ? readFileSync(workspace.path(content.file)) : content.bytes;
  assert.equal(bytes.length, made.result.size);
  const pages = Number(pdfinfo(bytes).Pages);
  await workspace.remove();
  return pages;
}

export function runnerLaws(
  name: string,
  open: () => Promise<RunnerWorld>,
  options: { skip: string | false },
): void {
  describe(`jobs run by ${name}`, options, () => {
    let world: RunnerWorld;
    before(async () => {
      world = await open();
      await isReady(world);
    });
    after(() => world?.close());

    /** The one that has just done a job: one that ends or only starts would never take another. */
    const stopped = async (): Promise<number> => {
      assert.equal(await pagesOf(begin(world)), 2);
      const pid = await until('there is one worker', () => {
        const [first, ...others] = workersOf(process.pid);
        return others.length === 0 ? first : undefined;
      });
      process.kill(pid, 'SIGSTOP');
      return pid;
    };

    it('give results, small and large', async () => {
      assert.equal(await pagesOf(begin(world)), 2);
      assert.equal(await pagesOf(begin(world, rotation(LARGE))), 1);
    });

    it('tell of the steps of a pipeline', async () => {
      const steps = JSON.stringify(Array(3).fill({ op: 'general/rotate-pdf' }));
      const begun = begin(world, planPipeline([part(SMALL), { field: 'steps', text: steps }]));
      assert.equal(await pagesOf(begun), 2);
      assert.deepEqual(begun.steps, [0, 1, 2]);
    });

    it('tell how far they are where somebody asks: a merge, of the documents after the first', async () => {
      const told: [number, number][] = [];
      const merge = planCall('general/merge-pdfs', [part(SMALL), part(SMALL), part(SMALL)]);
      const onProgress = (done: number, of: number) => void told.push([done, of]);
      assert.equal(await pagesOf(begin(world, merge, 'test', { onProgress })), 6);
      assert.deepEqual(
        told,
        [1, 2].map((done) => [done, 2]),
      );
    });

    it('end at the deadline of their caller, where that is another', async () => {
      await stopped();
      const { outcome, workspace } = begin(world, rotation(), 'test', { deadlineMs: 200 });
      const problem = await problemOf(outcome);
      assert.equal(problem.reason, 'deadline_exceeded');
      assert.match(problem.detail, /0\.2|200/);
      await workspace.remove();
      await isReady(world);
    });

    it('tell when the wait for a worker is over, of single operations too', async () => {
      const worker = await stopped();
      const first = begin(world);
      await until('the first has begun', () => first.begins() === 1);
      const second = begin(world);
      // A node may have taken it already; no worker has.
      await pause(300);
      assert.equal(second.begins(), 0);
      process.kill(worker, 'SIGCONT');
      assert.deepEqual([await pagesOf(first), await pagesOf(second)], [2, 2]);
      assert.deepEqual([first.begins(), second.begins()], [1, 1]);
    });

    it('fail with the problem of the document', async () => {
      const { outcome, workspace } = begin(world, rotation(Buffer.from('no document')));
      const failed = await outcome;
      assert.ok(failed.state === 'failed');
      assert.equal(failed.problem.reason, 'invalid_pdf');
      await workspace.remove();
    });

    it('end with their callers, and the next is served', async () => {
      const worker = await stopped();
      const running = begin(world);
      await until('it is at work', () => world.runner.load().busy === 1);
      running.abort();
      await assert.rejects(running.outcome, { name: 'AbortError' });
      await until('the worker is gone', () => !workersOf(process.pid).includes(worker));
      assert.equal(await pagesOf(begin(world)), 2);
    });

    it('end at their deadline; whoever finds no place is refused', async () => {
      await stopped();
      const running = begin(world);
      await until('it is at work', () => world.runner.load().busy === 1);
      const rest = Array.from({ length: 2 * world.settings.queue + 4 }, () => begin(world));
      const refused = await Promise.race(rest.map(({ outcome }) => problemOf(outcome)));
      assert.equal(refused.reason, 'unavailable');
      assert.ok(Number(refused.options.retryAfterSeconds) > 0);
      assert.equal((await problemOf(running.outcome)).reason, 'deadline_exceeded');
      for (const { outcome } of rest)
        await outcome.catch((error) => assert.equal((error as Problem).reason, 'unavailable'));
      await isReady(world);
      await until('nobody waits', () => world.runner.load().waiting === 0);
      assert.equal(await pagesOf(begin(world)), 2);
    });
  });
}
