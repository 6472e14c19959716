// Two nodes that answer callers and two that work on documents, on a real Redis and a real S3 server of this machine.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BucketOptions } from '../../service/src/contract/bucket.ts';
import { type RedisServer, startRedis } from '../../service/testing/servers/redis.ts';
import { freePort } from '../../service/testing/servers/started.ts';
import { type S3Server, startSwift } from '../../service/testing/servers/swift.ts';
import { type RunningService, startService } from '../../test/service.ts';
import { DelayingProxy } from './delaying-proxy.ts';

export type Role = 'api' | 'worker';

export const RATE_LIMIT = 40;

/** Short, so that nothing has to be waited for long. */
const TIMES = { BINDERY_QUEUE_WAIT_MS: '60000', BINDERY_DEADLINE_MS: '20000' };

export class Node {
  readonly role: Role;
  readonly name: string;
  readonly #port: number;
  readonly #dataDir = mkdtempSync(join(tmpdir(), 'bindery-node-'));
  readonly #env: Record<string, string>;
  #running: RunningService | undefined;

  constructor(role: Role, name: string, port: number, env: Record<string, string>) {
    this.role = role;
    this.name = name;
    this.#port = port;
    this.#env = env;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  get pid(): number {
    return this.#running?.process.pid ?? 0;
  }

  get isUp(): boolean {
    return this.#running !== undefined;
  }

  async start(): Promise<void> {
    const env = { ...this.#env, BINDERY_ROLE: this.role, BINDERY_PORT: String(this.#port) };
    this.#running = await startService({ env, dataDir: this.#dataDir, startMs: 180_000 });
  }

  /** By force, and anew. */
  async harm(): Promise<void> {
    const victim = this.#running;
    this.#running = undefined;
    await victim?.stop('SIGKILL');
    await this.start();
  }

  /** What it wrote, for whoever looks for a fault. */
  output(): string {
    return this.#running?.output() ?? '';
  }

  async remove(): Promise<void> {
    await this.#running?.stop('SIGKILL');
    rmSync(this.#dataDir, { recursive: true, force: true });
  }
}

export class Cluster {
  readonly redis: RedisServer;
  readonly s3: S3Server;
  /** Between the nodes and the S3 server. */
  readonly proxy: DelayingProxy;
  readonly bucket: BucketOptions;
  readonly nodes: readonly Node[];
  #turn = 0;

  private constructor(
    redis: RedisServer,
    s3: S3Server,
    proxy: DelayingProxy,
    bucket: BucketOptions,
    nodes: readonly Node[],
  ) {
    this.redis = redis;
    this.s3 = s3;
    this.proxy = proxy;
    this.bucket = bucket;
    this.nodes = nodes;
  }

  static async start(): Promise<Cluster> {
    const [redis, s3] = await Promise.all([startRedis(), startSwift()]);
    const proxy = await DelayingProxy.before(s3.endpoint);
    const bucket = await s3.newBucket();
    const env = {
      BINDERY_REDIS_URL: redis.url,
      BINDERY_S3_ENDPOINT: proxy.url,
      BINDERY_S3_BUCKET: bucket.bucket,
      BINDERY_S3_ACCESS_KEY_ID: bucket.credentials?.accessKeyId ?? '',
      BINDERY_S3_SECRET_ACCESS_KEY: bucket.credentials?.secretAccessKey ?? '',
      BINDERY_UPLOAD_CHUNK_BYTES: String(256 * 1024),
      BINDERY_RATE_LIMIT: String(RATE_LIMIT),
      BINDERY_LOG_LEVEL: 'error',
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE || 'node_modules/.bindery/code',
      ...TIMES,
    };
    const roles: readonly [Role, string][] = [
      ['worker', 'worker A'],
      ['worker', 'worker B'],
      ['api', 'API A'],
      ['api', 'API B'],
    ];
    const nodes: Node[] = [];
    for (const [role, name] of roles) nodes.push(new Node(role, name, await freePort(), env));
    const cluster = new Cluster(redis, s3, proxy, bucket, nodes);
    try {
      await Promise.all(nodes.map((node) => node.start()));
    } catch (error) {
      await cluster.remove();
      throw error;
    }
    return cluster;
  }

  apis(): Node[] {
    return this.nodes.filter(({ role }) => role === 'api');
  }

  workers(): Node[] {
    return this.nodes.filter(({ role }) => role === 'worker');
  }

  /** As a balancer does that knows nothing: one after the other. */
  nextApi(): Node {
    this.#turn += 1;
    return this.apis()[this.#turn % 2] as Node;
  }

  async remove(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.remove()));
    this.proxy.close();
    await Promise.all([this.redis.close(), this.s3.close()]);
  }
}
