// Connections of a node to the queue in Redis, and names in it.
import { createIORedisClient, type IRedisClient, Job, Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import type { Log } from '../../contract/log.ts';
import { REDIS_CONNECTION } from '../../contract/redis-connection.ts';
import type { SharedServers } from '../../contract/shared-servers.ts';
import type { Lane } from './lanes.ts';
import { LANE_MS, MOST_TURNS, PLACE } from './scripts.ts';

/** How long a question that waits for something waits at most; then it is asked again. */
export const BLOCK_SECONDS = 1;
/** A waiting question that is not answered by then has lost its connection. */
const BLOCKED_ANSWER_MS = 4000;
/** A job whose node has not said for so long that it is at it is taken from it. */
export const LOCK_MS = 8000;
const STALLED_LOOK_MS = 2000;
/** Events of BullMQ, which nobody here reads. */
const EVENTS = { events: { maxLen: 100 } };
const GOES_WHEN_OVER = { removeOnComplete: true, removeOnFail: true };

/** What stands in a lane: which node holds the caller's connection, and the job itself as base64 in BullMQ's JSON. */
export interface QueuedData {
  caller: string;
  frame: string;
}

export interface Place {
  id: string;
  lane: Lane;
  owner: string;
}

export class QueueRedis {
  readonly commands: Redis;
  readonly #namespace: string;
  readonly #servers: SharedServers;
  readonly #all: Redis[] = [];
  readonly #log: Log;

  private constructor(servers: SharedServers, log: Log) {
    this.#servers = servers;
    this.#namespace = servers.namespace;
    this.#log = log;
    this.commands = this.#client({});
    this.commands.defineCommand('placeJob', { numberOfKeys: 0, lua: PLACE });
  }

  static async open(servers: SharedServers, log: Log): Promise<QueueRedis> {
    const opened = new QueueRedis(servers, log);
    await opened.commands.connect();
    return opened;
  }

  /** For questions that wait, and for listening. */
  async another(): Promise<Redis> {
    const redis = this.#client({ commandTimeout: BLOCKED_ANSWER_MS });
    await redis.connect();
    return redis;
  }

  queue(lane: Lane): Queue {
    const queue = new Queue(lane, { connection: this.commands, prefix: this.#prefix, streams: EVENTS });
    queue.on('error', (error) => this.#note(error));
    return queue;
  }

  /**
   * Adds a job and gives it its place, in one round trip. `most`: how many may wait; `full` where it found no place.
   */
  async add(
    queue: Queue,
    { id, lane, owner }: Place,
    data: QueuedData,
    most: number,
    livesMs: number,
  ): Promise<'placed' | 'full'> {
    const job = new Job(queue, 'job', data, { ...GOES_WHEN_OVER, priority: MOST_TURNS }, id);
    const client: IRedisClient = createIORedisClient(this.commands);
    const both = client.pipeline();
    void queue.backend.addJobToTransaction(both, job.asJSON(), id);
    both.runCommand('placeJob', [this.#namespace, lane, id, owner, most, livesMs]);
    const replies = (await both.exec()) ?? [];
    const failed = replies.find(([error]) => error)?.[0];
    if (failed) throw failed;
    return replies[1]?.[1];
  }

  /** One more node is to look into a lane. */
  async ring(lane: Lane): Promise<void> {
    await this.commands.rpush(this.bellKey(lane), '');
    await this.commands.pexpire(this.bellKey(lane), LANE_MS);
  }

  /** After a job was taken. BullMQ makes the list of what is at work anew with each first job, and without an end. */
  async noteTaken(lane: Lane, caller: string): Promise<{ callerLives: boolean }> {
    const active = `${this.#prefix}:${lane}:active`;
    const asked = this.commands.pipeline().pexpire(active, LANE_MS).exists(this.#nodeKey(caller)).exec();
    const replies = await asked.catch(() => null);
    return { callerLives: replies?.[1]?.[1] !== 0 };
  }

  worker(lane: Lane): Worker {
    const worker = new Worker(lane, null, {
      connection: this.commands,
      prefix: this.#prefix,
      autorun: false,
      lockDuration: LOCK_MS,
      stalledInterval: STALLED_LOOK_MS,
      // How often is enough, we say ourselves: the caller is to be told.
      maxStalledCount: Number.MAX_SAFE_INTEGER,
    });
    worker.on('error', (error) => this.#note(error));
    return worker;
  }

  mailboxKey = (node: string): string => `${this.#namespace}job-mailbox:${node}`;
  /** A list with an entry for each job that waits: whoever takes one looks into the lane. */
  bellKey = (lane: Lane): string => `${this.#namespace}job-bell:${lane}`;
  laneOfBell = (key: string): Lane => key.slice(this.bellKey('').length);
  #nodeKey = (node: string): string => `${this.#namespace}node:${node}`;
  get cancelChannel(): string {
    return `${this.#namespace}job-cancel`;
  }

  close(): void {
    for (const redis of this.#all) redis.disconnect();
  }

  get #prefix(): string {
    return `${this.#namespace}jobs`;
  }

  #client(options: { commandTimeout?: number }): Redis {
    const redis = new Redis(this.#servers.redisUrl, { ...REDIS_CONNECTION, ...options });
    redis.on('error', (error: Error) => this.#note(error));
    const send = redis.sendCommand.bind(redis);
    redis.sendCommand = (...command) => {
      this.#servers.traffic.redisCommands += 1;
      return send(...command);
    };
    this.#all.push(redis);
    return redis;
  }

  /** The state's own connection tells the operator of outages. */
  #note(error: Error): void {
    this.#log.debug('queue', { error: error.message });
  }
}
