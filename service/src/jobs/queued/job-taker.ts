// Takes jobs out of the lanes that this node can serve, has its own workers do them, and tells the node that waits.
import { setTimeout as pause } from 'node:timers/promises';
import type { Job as QueuedJob, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import type { Log } from '../../contract/log.ts';
import { Problem } from '../../contract/problems.ts';
import type { SharedServers } from '../../contract/shared-servers.ts';
import type { IsolationLevel } from '../isolation.ts';
import type { Runner } from '../runner.ts';
import type { Workspace, Workspaces } from '../workspace.ts';
import { Board } from './board.ts';
import { type Lane, lanesOf, mayServe } from './lanes.ts';
import { type Letter, sendLetter } from './mailbox.ts';
import { BLOCK_SECONDS, LOCK_MS, type QueuedData, QueueRedis } from './queue-redis.ts';
import { MOST_TRIES } from './queue-runner.ts';
import { type QueueScripts, queueScripts } from './scripts.ts';
import { forget, packedOutcome, readFrame, type TravellingJob, unpacked } from './travelling-job.ts';

const RENEW_EVERY_MS = 2000;
const ANNOUNCE_EVERY_MS = 2000;
/** While every worker has its job, another is taken only where nobody else is free for it: looked for so often. */
const BEYOND_LOOK_MS = 100;
const AFTER_FAILURE_MS = 200;

export interface TakerSettings {
  /** Workers of this node. */
  count: number;
  /** Jobs that may wait on its behalf. */
  queue: number;
  waitMs: number;
  deadlineMs: number;
  isolation: IsolationLevel;
}

interface Running {
  lane: Lane;
  token: string;
  queued: QueuedJob;
  gone: AbortController;
}

export class JobTaker {
  /** Jobs that were taken since a node before had died over them. */
  retries = 0;
  readonly #settings: TakerSettings;
  readonly #servers: SharedServers;
  readonly #redis: QueueRedis;
  readonly #scripts: QueueScripts;
  readonly #board: Board;
  readonly #pool: Runner;
  readonly #workspaces: Workspaces;
  readonly #log: Log;
  readonly #lanes = new Map<Lane, Worker>();
  readonly #running = new Map<string, Running>();
  readonly #timers: NodeJS.Timeout[] = [];
  #order: Lane[] = [];
  #tokens = 0;
  #closing = false;
  #wake: () => void = () => {};
  #loop: Promise<void> = Promise.resolve();

  private constructor(
    settings: TakerSettings,
    servers: SharedServers,
    redis: QueueRedis,
    pool: Runner,
    workspaces: Workspaces,
    log: Log,
  ) {
    this.#settings = settings;
    this.#servers = servers;
    this.#redis = redis;
    this.#pool = pool;
    this.#workspaces = workspaces;
    this.#log = log;
    this.#scripts = queueScripts(servers);
    this.#board = new Board(this.#scripts);
  }

  static async open(
    settings: TakerSettings,
    servers: SharedServers,
    pool: Runner,
    workspaces: Workspaces,
    log: Log,
  ): Promise<JobTaker> {
    const redis = await QueueRedis.open(servers, log);
    const taker = new JobTaker(settings, servers, redis, pool, workspaces, log);
    await taker.#begin();
    return taker;
  }

  /** Takes no more; what is at work goes on for this time, and then back into its lane. */
  async close(graceMs: number): Promise<void> {
    this.#closing = true;
    this.#wake();
    await this.#scripts.leave({ node: this.#servers.node }).catch(() => {});
    const giveUpAt = performance.now() + graceMs;
    while (this.#running.size > 0 && performance.now() < giveUpAt) await pause(20);
    for (const { lane, queued, token, gone } of this.#running.values()) {
      await queued.moveToWait(token).catch(() => {});
      await this.#redis.ring(lane).catch(() => {});
      gone.abort(new Error('The node stops.'));
    }
    for (const timer of this.#timers) clearInterval(timer);
    this.#board.close();
    await this.#loop;
    await Promise.all([...this.#lanes.values()].map((worker) => worker.close(true).catch(() => {})));
    this.#redis.close();
  }

  async #begin(): Promise<void> {
    await this.#board.begin();
    this.#board.watch(() => this.#tend());
    const listener = await this.#redis.another();
    listener.on('message', (_channel, jobId) => this.#running.get(jobId)?.gone.abort());
    await listener.subscribe(this.#redis.cancelChannel);
    this.#every(RENEW_EVERY_MS, () => this.#renew());
    this.#every(ANNOUNCE_EVERY_MS, () => this.#announce());
    this.#loop = this.#take(await this.#redis.another());
  }

  #every(ms: number, act: () => Promise<unknown>): void {
    this.#timers.push(setInterval(() => void act().catch(() => {}), ms).unref());
  }

  /** What it can do is known once its workers are up; from then on it is asked for that. */
  async #announce(): Promise<void> {
    const engines = this.#pool.engines();
    if (engines === undefined || this.#closing) return;
    const { queue: places, isolation } = this.#settings;
    const { node } = this.#servers;
    await this.#scripts.announce({ node, facts: JSON.stringify({ node, engines, isolation, places }) });
  }

  /** Lanes that are in use are looked after, for jobs of nodes that died, too. */
  #tend(): void {
    const engines = this.#pool.engines();
    if (engines === undefined || this.#closing) return;
    const isFirst = this.#order.length === 0;
    const used = this.#board.lanes.map(({ lane }) => lane).filter((lane) => mayServe(engines, lane));
    for (const lane of used) this.#open(lane);
    this.#order = [...new Set([...this.#order, ...lanesOf(engines), ...used])];
    if (isFirst) void this.#announce().catch(() => {});
    this.#wake();
  }

  #open(lane: Lane): Worker {
    const known = this.#lanes.get(lane);
    if (known) return known;
    const worker = this.#redis.worker(lane);
    void worker.startStalledCheckTimer();
    this.#lanes.set(lane, worker);
    return worker;
  }

  async #take(redis: Redis): Promise<void> {
    while (!this.#closing) {
      const { count } = this.#settings;
      const isReady = this.#pool.engines() !== undefined && this.#order.length > 0;
      if (!isReady || this.#running.size > count) {
        await this.#changed(BEYOND_LOOK_MS);
        continue;
      }
      try {
        const isBeyond = this.#running.size === count;
        const lane = isBeyond ? await this.#rungNow() : await this.#rung(redis);
        if (lane === undefined && isBeyond) await this.#changed(BEYOND_LOOK_MS);
        // Bells are lost with nodes that die after they took one, and jobs of nodes that died come back without.
        for (const each of lane === undefined ? this.#laden() : [lane]) await this.#takeFrom(each);
      } catch (error) {
        if (error instanceof Error && /timed out/.test(error.message)) redis.disconnect(true);
        await pause(AFTER_FAILURE_MS);
      }
    }
  }

  /** A lane into which something came, once there is one. */
  async #rung(redis: Redis): Promise<Lane | undefined> {
    const found = await redis.blpop(...this.#order.map(this.#redis.bellKey), BLOCK_SECONDS);
    return found ? this.#redis.laneOfBell(found[0]) : undefined;
  }

  /** Where nobody waited at the last look, nobody is asked: most jobs find a node that is free. */
  async #rungNow(): Promise<Lane | undefined> {
    if (this.#board.waiting === 0) return undefined;
    const keys = this.#order.map(this.#redis.bellKey);
    const found = await this.#redis.commands.call('LMPOP', String(keys.length), ...keys, 'LEFT');
    return found ? this.#redis.laneOfBell((found as [string])[0]) : undefined;
  }

  #laden(): Lane[] {
    if (this.#running.size >= this.#settings.count) return [];
    const waiting = this.#board.lanes.filter(({ waiting }) => waiting > 0).map(({ lane }) => lane);
    return waiting.filter((lane) => this.#order.includes(lane)).slice(0, 1);
  }

  /** Lanes take turns. */
  async #takeFrom(lane: Lane): Promise<void> {
    this.#order = [...this.#order.filter((other) => other !== lane), lane];
    this.#tokens += 1;
    const token = `${this.#servers.node}-${this.#tokens}`;
    const queued = await this.#open(lane).getNextJob(token, { block: false });
    if (queued?.id === undefined) return;
    if (queued.stalledCounter > 0) this.retries += 1;
    const running = { lane, token, queued, gone: new AbortController() };
    this.#running.set(queued.id, running);
    void this.#serve(queued.id, running)
      .catch((error) => this.#log.error('a job of the queue failed', { error }))
      .finally(() => {
        if (this.#running.get(queued.id ?? '') === running) this.#running.delete(queued.id ?? '');
        this.#wake();
      });
  }

  async #serve(jobId: string, { lane, queued, token, gone }: Running): Promise<void> {
    const { caller, frame } = queued.data as QueuedData;
    let travelling: TravellingJob;
    try {
      travelling = readFrame(Buffer.from(frame, 'base64'));
    } catch (error) {
      // Of a node of another version: every other would fail over it, too.
      const problem = new Problem('internal', 'A machine of another version sent the job.').toData();
      await sendLetter(this.#redis, caller, { jobId, problem, cause: String(error) }, true);
      return this.#finish(queued, token, true);
    }
    // Nobody is to work for nobody.
    const orphaned = this.#redis.noteTaken(lane, caller).then(({ callerLives }) => {
      if (!callerLives) gone.abort();
      return !callerLives;
    });
    const workspace = this.#workspaces.create();
    try {
      const letter = await this.#letterOn(jobId, travelling, workspace, queued, gone.signal);
      const isSent = letter === undefined || (await sendLetter(this.#redis, caller, letter, true));
      if (!isSent && 'object' in letter) await forget([letter.object ?? ''], this.#servers.passing);
      await this.#finish(queued, token, letter !== undefined && isSent);
    } finally {
      await workspace.remove().catch((error) => this.#log.error('a workspace was not removed', { error }));
    }
    if (await orphaned)
      await forget(
        travelling.objects.filter((name) => name !== undefined),
        this.#servers.passing,
      );
  }

  /** Undefined where nobody waits any more. */
  async #letterOn(
    jobId: string,
    travelling: TravellingJob,
    workspace: Workspace,
    { data, stalledCounter: deaths }: QueuedJob,
    signal: AbortSignal,
  ): Promise<Letter | undefined> {
    const { passing } = this.#servers;
    const { caller } = data as QueuedData;
    const { owner, tellsBegin, tellsProgress, deadlineMs = this.#settings.deadlineMs } = travelling;
    try {
      if (deaths >= MOST_TRIES) throw endedTooMany();
      const job = await unpacked(travelling, workspace, passing);
      const outcome = await this.#pool.run(job, workspace, {
        ...{ owner, signal, deadlineMs },
        ...(tellsBegin && {
          onBegin: () => void sendLetter(this.#redis, caller, { jobId, begun: true }, false),
        }),
        onStep: (step) => void sendLetter(this.#redis, caller, { jobId, step }, false),
        ...(tellsProgress && {
          onProgress: (done, of) => void sendLetter(this.#redis, caller, { jobId, done, of }, false),
        }),
      });
      const livesMs = this.#settings.waitMs + deadlineMs;
      return { jobId, ...(await packedOutcome(outcome, workspace, passing, livesMs)) };
    } catch (error) {
      if (signal.aborted) return undefined;
      const problem = Problem.from(error);
      const cause = problem.options.cause;
      return { jobId, problem: problem.toData(), cause: cause === undefined ? undefined : String(cause) };
    }
  }

  /**
   * One that was taken from us, because we did not say for too long that we are at it, waits for another or is with one:
   * answered, it need not be done again, or is theirs to finish. One that we gave back stays in its lane.
   */
  async #finish(queued: QueuedJob, token: string, isAnswered: boolean): Promise<void> {
    await queued.moveToCompleted(null, token, false).catch(async () => {
      if (isAnswered) await queued.remove().catch(() => {});
    });
  }

  async #renew(): Promise<void> {
    for (const [lane, worker] of this.#lanes) {
      const ours = [...this.#running].filter(([, running]) => running.lane === lane);
      const tokens = ours.map(([, { token }]) => token);
      if (ours.length > 0)
        await worker.extendJobLocks(
          ours.map(([id]) => id),
          tokens,
          LOCK_MS,
        );
    }
  }

  /** Until a job is over, or something else may have changed. */
  #changed(mostMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, mostMs);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

const endedTooMany = (): Problem =>
  new Problem('internal', `${MOST_TRIES} machines ended while they processed the document.`);
