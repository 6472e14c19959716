// Runs jobs on whichever node takes them: the caller's connection stays here, the job stands in a lane of BullMQ, and
// what comes of it arrives in this node's mailbox.
import type { Queue } from 'bullmq';
import type { Log } from '../../contract/log.ts';
import { computeOnce } from '../../contract/maps.ts';
import { Problem } from '../../contract/problems.ts';
import { redisProblem } from '../../contract/redis-connection.ts';
import type { SharedServers } from '../../contract/shared-servers.ts';
import type { EngineStates } from '../../engines/engines.ts';
import { ISOLATION_LEVELS, type IsolationLevel } from '../isolation.ts';
import type { Job, JobOutcome } from '../job.ts';
import { deadlinePassed, noWorker, queueFull, stopping, waitedTooLong } from '../refusals.ts';
import type { Caller, PoolLoad, Runner } from '../runner.ts';
import { WaitTimes } from '../wait-times.ts';
import type { Workspace } from '../workspace.ts';
import { Board } from './board.ts';
import { enginesOfAll, type Lane, laneFor } from './lanes.ts';
import { type LastLetter, type Letter, Mailbox } from './mailbox.ts';
import { LOCK_MS, type Place, QueueRedis } from './queue-redis.ts';
import { type QueueScripts, queueScripts } from './scripts.ts';
import { forget, packed, type TravellingOutcome, unpackedOutcome } from './travelling-job.ts';

/** A document that has ended so many nodes is not given to another. */
export const MOST_TRIES = 3;
/** What a job leaves behind goes by itself so long after it must be over. */
const AFTER_MS = 60_000;
/** A job that is nowhere to be found at so many looks is lost. */
const LOOKS = 4;
/** More go with their time. */
const MOST_ABANDONED = 10_000;

export interface QueueSettings {
  /** Jobs that may wait in a lane for each node that works on documents. */
  queue: number;
  waitMs: number;
  deadlineMs: number;
}

const NO_WORKERS = { workers: 0, busy: 0, restarts: 0, workerRssBytes: 0, outcomes: {}, kills: {} };

interface Waiting {
  place: Place;
  missed: number;
  caller: Caller;
  resolve(outcome: TravellingOutcome): void;
  reject(reason: unknown): void;
}

export class QueueRunner implements Runner {
  readonly #settings: QueueSettings;
  readonly #servers: SharedServers;
  readonly #redis: QueueRedis;
  readonly #scripts: QueueScripts;
  readonly #board: Board;
  readonly #own: Runner | undefined;
  readonly #queues = new Map<Lane, Promise<Queue>>();
  /** Of jobs of workers that this node may not have. */
  readonly #waits = new WaitTimes();
  readonly #waiting = new Map<string, Waiting>();
  /** Given up while Redis was away. */
  readonly #abandoned = new Set<Place>();
  #mailbox: Mailbox | undefined;
  #closing = false;

  private constructor(
    settings: QueueSettings,
    servers: SharedServers,
    redis: QueueRedis,
    own: Runner | undefined,
  ) {
    this.#settings = settings;
    this.#servers = servers;
    this.#redis = redis;
    this.#own = own;
    this.#scripts = queueScripts(servers);
    this.#board = new Board(this.#scripts);
  }

  /** `own`: the workers of this node, which take from the queue like others. */
  static async open(
    settings: QueueSettings,
    servers: SharedServers,
    log: Log,
    own?: Runner,
  ): Promise<QueueRunner> {
    const redis = await QueueRedis.open(servers, log);
    const runner = new QueueRunner(settings, servers, redis, own);
    await runner.#board.begin();
    runner.#board.watch(() => runner.#look());
    const key = redis.mailboxKey(servers.node);
    runner.#mailbox = new Mailbox(await redis.another(), key, (letter) => runner.#read(letter), log);
    return runner;
  }

  engines(): EngineStates | undefined {
    return enginesOfAll(this.#board.nodes.map(({ engines }) => engines));
  }

  /** Nodes that work on documents. */
  get workerNodes(): number {
    return this.#board.nodes.length;
  }

  /** The weakest of those nodes; undefined while there is none. */
  get isolation(): IsolationLevel | undefined {
    const levels = this.#board.nodes.map(({ isolation }) => ISOLATION_LEVELS.indexOf(isolation));
    return ISOLATION_LEVELS[Math.max(...levels)];
  }

  /** Of the workers of this node, and of the queue that all share. */
  load(): PoolLoad {
    const own = this.#own?.load();
    return {
      ...(own ?? { ...NO_WORKERS, waits: this.#waits }),
      waiting: this.#board.waiting,
      oldestSeconds: this.#board.oldestSeconds,
    };
  }

  requireRoom(): void {
    if (this.#closing) throw stopping();
    if (this.#board.isBlind) throw redisProblem(new Error('Redis was not seen for a while'));
    if (this.#board.nodes.length === 0) throw noWorker();
    if (this.#board.lanes.some(({ waiting }) => waiting >= 2 * this.#places)) throw queueFull();
  }

  async run(job: Job, workspace: Workspace, caller: Caller): Promise<JobOutcome> {
    caller.signal.throwIfAborted();
    this.requireRoom();
    const lane = laneFor(
      job,
      this.#board.nodes.map(({ engines }) => engines),
    );
    const { passing } = this.#servers;
    const { owner, deadlineMs } = caller;
    const livesMs = this.#settings.waitMs + this.#workedMs(caller) + AFTER_MS;
    const tellsBegin = caller.onBegin !== undefined;
    const tellsProgress = caller.onProgress !== undefined;
    const { frame, objects } = await packed(
      job,
      { owner, deadlineMs, tellsBegin, tellsProgress },
      workspace,
      passing,
      livesMs,
    );
    try {
      const outcome = await this.#carriedOut({ id: job.id, lane, owner }, frame, livesMs, caller);
      return await unpackedOutcome(outcome, workspace, passing);
    } finally {
      await forget(objects, passing);
    }
  }

  /** From its place in the lane to the letter that tells what came of it. */
  async #carriedOut(
    place: Place,
    frame: Buffer,
    livesMs: number,
    caller: Caller,
  ): Promise<TravellingOutcome> {
    const { waitMs } = this.#settings;
    const arrived = this.#arrivalOf(place, caller);
    const ends = new Ends(caller.signal);
    try {
      // Whoever waits hears of an outage meanwhile, too.
      await Promise.race([this.#add(place, frame, livesMs), arrived, ends.reason]);
      ends.after(waitMs, async () => {
        // Removed: it still waited. Else a node is at it, and ends it when its time is over.
        if (await this.#remove(place)) return waitedTooLong(waitMs);
        ends.after(this.#workedMs(caller), async () => deadlinePassed(this.#deadlineOf(caller)));
        return undefined;
      });
      return await Promise.race([arrived, ends.reason]);
    } finally {
      ends.over();
      // No letter came: nobody is to work for nobody.
      if (this.#waiting.delete(place.id)) this.#drop(place);
    }
  }

  async close(): Promise<void> {
    this.#closing = true;
    for (const waiting of this.#waiting.values()) waiting.reject(stopping());
    this.#board.close();
    this.#mailbox?.close();
    const closed = async (opening: Promise<Queue>): Promise<void> => (await opening).close();
    await Promise.all([...this.#queues.values()].map((opening) => closed(opening).catch(() => {})));
    this.#redis.close();
  }

  get #places(): number {
    return this.#board.nodes.reduce((sum, { places }) => sum + places, 0) || this.#settings.queue;
  }

  #deadlineOf({ deadlineMs = this.#settings.deadlineMs }: Caller): number {
    return deadlineMs;
  }

  /** How long nodes may be at it, with all its tries. */
  #workedMs(caller: Caller): number {
    return MOST_TRIES * (this.#deadlineOf(caller) + 2 * LOCK_MS);
  }

  /** BullMQ's scripts are known to the connection once it is ready. */
  #queue(lane: Lane): Promise<Queue> {
    return computeOnce(this.#queues, lane, async () => {
      const queue = this.#redis.queue(lane);
      await queue.waitUntilReady();
      return queue;
    });
  }

  async #remove({ id, lane }: Place): Promise<boolean> {
    return (await (await this.#queue(lane)).remove(id)) === 1;
  }

  #arrivalOf(place: Place, caller: Caller): Promise<TravellingOutcome> {
    const { promise, resolve, reject } = Promise.withResolvers<TravellingOutcome>();
    promise.catch(() => {});
    this.#waiting.set(place.id, { place, missed: 0, caller, resolve, reject });
    return promise;
  }

  async #add(place: Place, frame: Buffer, livesMs: number): Promise<void> {
    const data = { caller: this.#servers.node, frame: frame.toString('base64') };
    try {
      const queue = await this.#queue(place.lane);
      if ((await this.#redis.add(queue, place, data, this.#places, livesMs)) === 'placed') return;
    } catch (error) {
      throw redisProblem(error);
    }
    this.#waiting.delete(place.id);
    throw queueFull();
  }

  /** Out of the lane; where a node is at it already, that node is told. While Redis is away: later. */
  #drop(place: Place): void {
    const { id, lane, owner } = place;
    const { commands, cancelChannel } = this.#redis;
    const dropped = async (): Promise<void> => {
      if (await this.#remove(place)) await this.#scripts.left({ lane, owner });
      else await commands.publish(cancelChannel, id);
    };
    this.#abandoned.delete(place);
    dropped().catch(() => this.#abandoned.size < MOST_ABANDONED && this.#abandoned.add(place));
  }

  #read(letter: Letter): void {
    const waiting = this.#waiting.get(letter.jobId);
    if ('begun' in letter) waiting?.caller.onBegin?.();
    else if ('step' in letter) waiting?.caller.onStep?.(letter.step);
    else if ('of' in letter) waiting?.caller.onProgress?.(letter.done, letter.of);
    else this.#end(letter, waiting);
  }

  #end(letter: LastLetter, waiting: Waiting | undefined): void {
    // A second letter on the same job finds nobody.
    this.#waiting.delete(letter.jobId);
    if ('problem' in letter) {
      const { reason, detail, ...options } = letter.problem;
      waiting?.reject(new Problem(reason, detail, { ...options, cause: letter.cause }));
    } else if (waiting) waiting.resolve(letter);
    else if (letter.object !== undefined) void forget([letter.object], this.#servers.passing);
  }

  /** Whoever waits hears of an outage, and of a job that Redis has lost. */
  #look(): void {
    if (this.#board.isBlind) {
      const reason = redisProblem(new Error('Redis was not seen for a while'));
      for (const waiting of this.#waiting.values()) waiting.reject(reason);
      return;
    }
    for (const place of [...this.#abandoned]) this.#drop(place);
    const all = [...this.#waiting.values()];
    if (all.length === 0) return;
    const jobs = all.map(({ place }) => `${place.lane}:${place.id}`);
    this.#scripts.missing({ jobs }).then(
      (missing) => {
        const gone = new Set(missing as number[]);
        for (const [index, waiting] of all.entries()) {
          waiting.missed = gone.has(index) ? waiting.missed + 1 : 0;
          if (waiting.missed >= LOOKS) waiting.reject(redisProblem(new Error('the job was lost')));
        }
      },
      () => {},
    );
  }
}

/** What ends the wait for a job before its outcome comes: its caller is gone, or its time is over. */
class Ends {
  readonly reason: Promise<never>;
  readonly #reject: (reason: unknown) => void;
  readonly #signal: AbortSignal;
  readonly #onAbort = (): void => this.#reject(this.#signal.reason);
  #timer: NodeJS.Timeout | undefined;

  constructor(signal: AbortSignal) {
    const { promise, reject } = Promise.withResolvers<never>();
    this.reason = promise;
    promise.catch(() => {});
    this.#reject = reject;
    this.#signal = signal;
    signal.addEventListener('abort', this.#onAbort, { once: true });
    if (signal.aborted) this.#onAbort();
  }

  /** Ends with what comes of it, if anything does. */
  after(ms: number, end: () => Promise<Problem | undefined>): void {
    this.#timer = setTimeout(() => {
      end().then(
        (problem) => problem && this.#reject(problem),
        (error) => this.#reject(redisProblem(error)),
      );
    }, ms);
  }

  over(): void {
    clearTimeout(this.#timer);
    this.#signal.removeEventListener('abort', this.#onAbort);
  }
}
