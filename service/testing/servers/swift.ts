// A real S3 server from Debian's packages: OpenStack Swift with its s3api, on one disk and without replicas.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { CreateBucketCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import type { BucketOptions } from '../../src/contract/bucket.ts';
import { missing } from '../oracles/programs.ts';
import { eventually, freePort, type Started, start } from './started.ts';

export interface S3Server {
  endpoint: string;
  /** An empty bucket, under a name of its own. */
  newBucket(): Promise<BucketOptions>;
  /** Stops and continues the door to it. */
  pause(): void;
  resume(): void;
  close(): Promise<void>;
}

/** Another python3 that stands before it in the path knows nothing of Debian's packages. */
const DEBIAN_PYTHON = '/usr/bin/python3';

/** Reason to skip, or false. */
export const withoutSwift: string | false =
  (!existsSync('/usr/lib/python3/dist-packages/swift/__init__.py') && 'not installed: python3-swift') ||
  missing('memcached');

const CREDENTIALS = { accessKeyId: 'test:tester', secretAccessKey: 'testing' };
const REGION = 'us-east-1';

/** The configuration is read from a folder of ours, not from /etc/swift. */
const SERVE = `
import sys
from swift.common import utils
utils.set_swift_dir(sys.argv[1])
from swift.common.wsgi import run_wsgi
sys.exit(run_wsgi(sys.argv[2], sys.argv[3]))
`;

/** Which of the servers keeps what: all of it the one there is of each kind. */
const BUILD_RINGS = `
import sys
from swift.common.ring import RingBuilder
for word in sys.argv[1:]:
    kind, port = word.split(':')
    builder = RingBuilder(4, 1, 0)
    builder.add_dev({'id': 0, 'region': 1, 'zone': 1, 'ip': '127.0.0.1', 'port': int(port), 'device': 'd1', 'weight': 1,
                     'replication_ip': '127.0.0.1', 'replication_port': int(port), 'meta': ''})
    builder.rebalance()
    builder.get_ring().save(kind + '.ring.gz')
`;

const SWIFT_CONF = `[swift-hash]
swift_hash_path_prefix = tests
swift_hash_path_suffix = tests
[storage-policy:0]
name = Policy-0
default = yes
`;

const settings = (dir: string, port: number): string => `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${port}
workers = 0
user = ${userInfo().username}
swift_dir = ${dir}
devices = ${dir}/devices
mount_check = false
fallocate_reserve = 0
log_level = ERROR
`;

const proxySettings = (dir: string, port: number, memcached: number): string => `${settings(dir, port)}
[pipeline:main]
pipeline = catch_errors cache s3api tempauth copy slo proxy-server
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:${memcached}
[filter:s3api]
use = egg:swift#s3api
location = ${REGION}
min_segment_size = 1
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = testing .admin
[filter:copy]
use = egg:swift#copy
[filter:slo]
use = egg:swift#slo
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
# There is one server of each kind: on a crowded machine it is slow, and never to be left out for a minute.
conn_timeout = 10
node_timeout = 30
error_suppression_limit = 1000000
`;

const storageSettings = (dir: string, kind: string, port: number): string => `${settings(dir, port)}
[pipeline:main]
pipeline = ${kind}-server
[app:${kind}-server]
use = egg:swift#${kind}
`;

function buildRings(dir: string, ports: Readonly<Record<string, number>>): void {
  const words = Object.entries(ports).map(([kind, port]) => `${kind}:${port}`);
  const { status, stderr } = spawnSync(DEBIAN_PYTHON, ['-c', BUILD_RINGS, ...words], {
    cwd: dir,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`Swift's rings: ${stderr}`);
}

export async function startSwift(): Promise<S3Server> {
  const dir = await mkdtemp(join(tmpdir(), 'bindery-swift-'));
  await mkdir(join(dir, 'devices', 'd1'), { recursive: true });
  await writeFile(join(dir, 'swift.conf'), SWIFT_CONF);
  const running: Started[] = [];
  const serve = async (kind: string, app: string, config: string): Promise<Started> => {
    const path = join(dir, `${kind}-server.conf`);
    await writeFile(path, config);
    const started = start(DEBIAN_PYTHON, ['-c', SERVE, dir, path, app], dir);
    running.push(started);
    return started;
  };

  const memcachedPort = await freePort();
  const user = userInfo().username;
  running.push(
    start('memcached', ['-u', user, '-l', '127.0.0.1', '-p', String(memcachedPort), '-m', '16'], dir),
  );
  const ports = { account: await freePort(), container: await freePort(), object: await freePort() };
  buildRings(dir, ports);
  for (const [kind, port] of Object.entries(ports))
    await serve(kind, `${kind}-server`, storageSettings(dir, kind, port));
  const port = await freePort();
  const proxy = await serve('proxy', 'proxy-server', proxySettings(dir, port, memcachedPort));

  const endpoint = `http://127.0.0.1:${port}`;
  const client = new S3Client({
    endpoint,
    region: REGION,
    credentials: CREDENTIALS,
    forcePathStyle: true,
    maxAttempts: 1,
  });
  let buckets = 0;
  const newBucket = async (): Promise<BucketOptions> => {
    const bucket = `bindery-${process.pid}-${buckets++}`;
    await client.send(new CreateBucketCommand({ Bucket: bucket }));
    return { endpoint, bucket, region: REGION, credentials: CREDENTIALS, prefix: '' };
  };
  // Each of its servers is asked: buckets are there before objects are.
  await eventually('swift', running, async () => {
    const { bucket } = await newBucket();
    return Boolean(await client.send(new PutObjectCommand({ Bucket: bucket, Key: 'a', Body: 'a' })));
  });
  return {
    endpoint,
    newBucket,
    pause: () => void proxy.process.kill('SIGSTOP'),
    resume: () => void proxy.process.kill('SIGCONT'),
    async close() {
      client.destroy();
      await Promise.all(running.map((one) => one.kill()));
      await rm(dir, { recursive: true, force: true });
    },
  };
}
