// Connections of a node to the queue in Redis, and names in it.
import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import type { Log } from '../../contract/log.ts';
import { REDIS_CONNECTION } from '../../contract/redis-connection.ts';
import type { SharedServers } from '../../contract/shared-servers.ts';
import type { Lane } from './lanes.ts';

/** How long a question that waits for something waits at most; then it is asked again. */
export const BLOCK_SECONDS = 1;
/** A waiting question that is not answered by then has lost its connection. */
const BLOCKED_ANSWER_MS = 4000;
/** A job whose node has not said for so long that it is at it is taken from it. */
export const LOCK_MS = 8000;
const STALLED_LOOK_MS = 2000;
/** Events of BullMQ, which nobody here reads. */
const EVENTS = { events: { maxLen: 100 } };

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

  sentKey = (jobId: string): string => `${this.#namespace}job-sent:${jobId}`;
  mailboxKey = (node: string): string => `${this.#namespace}job-mailbox:${node}`;
  markerKey = (lane: Lane): string => `${this.#prefix}:${lane}:marker`;
  laneOfMarker = (key: string): Lane => key.slice(this.#prefix.length + 1, -':marker'.length);
  nodeKey = (node: string): string => `${this.#namespace}node:${node}`;
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
