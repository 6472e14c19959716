// What calls cost on real servers: a Redis, an S3 server, an API node and a worker node, each its processes' own time.
import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { basename } from 'node:path';
import { corpusFiles, fixture } from '../../service/testing/documents/collection.ts';
import { startRedis } from '../../service/testing/servers/redis.ts';
import { startSwift } from '../../service/testing/servers/swift.ts';
import { API_KEY, filePart, form, startService } from '../../test/service.ts';
import { cpuOfTree } from '../processes.ts';
import type { CallCost, Costs } from './costs.ts';

interface Measured {
  operation: string;
  files: readonly string[];
  params?: Record<string, string>;
  calls: number;
}

const WARM_UP = 6;
const AT_ONCE = 2;

const document = (folder: string, name: string, own: string): string =>
  corpusFiles(folder).find((file) => file.name === name)?.path ?? fixture(own);

const TEXT = fixture('text-two-pages.pdf');
const TYPESET = fixture('type1-fonts.pdf');
const MEASURED: readonly Measured[] = [
  { operation: 'analysis/page-count', files: [TEXT], calls: 200 },
  { operation: 'general/rotate-pdf', files: [TEXT], params: { angle: '90' }, calls: 200 },
  { operation: 'general/merge-pdfs', files: [TEXT, TYPESET], calls: 150 },
  { operation: 'convert/pdf/text', files: [TYPESET], calls: 150 },
  { operation: 'convert/pdf/img', files: [TEXT], params: { dpi: '150' }, calls: 60 },
  { operation: 'misc/compress-pdf', files: [TYPESET], calls: 60 },
  { operation: 'security/add-watermark', files: [TEXT], calls: 100 },
  {
    operation: 'convert/file/pdf',
    files: [document('office/docx', 'poi__stress005.docx', 'letter.docx')],
    calls: 12,
  },
  {
    operation: 'convert/html/pdf',
    files: [document('html', 'html5-test-page__index.html', 'invoice.html')],
    calls: 20,
  },
  {
    operation: 'misc/ocr-pdf',
    files: [document('ocr', 'test__8071_093.3B.pdf', 'scan.pdf')],
    params: { languages: 'eng' },
    calls: 6,
  },
];

export async function measureCosts(): Promise<Costs> {
  const redis = await startRedis();
  const swift = await startSwift();
  const { bucket, region, credentials } = await swift.newBucket();
  const env = {
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE || 'node_modules/.bindery/code',
    BINDERY_REDIS_URL: redis.url,
    BINDERY_S3_ENDPOINT: swift.endpoint,
    BINDERY_S3_BUCKET: bucket,
    BINDERY_S3_REGION: region,
    BINDERY_S3_ACCESS_KEY_ID: credentials?.accessKeyId ?? '',
    BINDERY_S3_SECRET_ACCESS_KEY: credentials?.secretAccessKey ?? '',
    BINDERY_LOG_LEVEL: 'error',
  };
  const worker = await startService({ env: { ...env, BINDERY_ROLE: 'worker', BINDERY_WORKERS: '2' } });
  const api = await startService({ env: { ...env, BINDERY_ROLE: 'api' } });
  const sources: Sources = {
    api: api.url,
    apiPid: api.apiPid(),
    workerUrl: worker.url,
    workerPid: worker.apiPid(),
    redisUrl: redis.url,
  };
  try {
    const quiet = await quietCosts(sources);
    const calls: CallCost[] = [];
    for (const each of MEASURED) {
      const cost = await costOf(each, sources, quiet);
      calls.push(cost);
      console.log(
        `${cost.operation}: API ${cost.apiMs} ms, worker ${cost.workerMs} ms, Redis ${cost.redisMs} ms`,
      );
    }
    const measured = new Date().toISOString().slice(0, 10);
    return { measured, machine: machineName(), path: 'queue', calls };
  } finally {
    await Promise.all([api.remove(), worker.remove()]);
    await Promise.all([redis.close(), swift.close()]);
  }
}

const machineName = (): string => `${cpus().length} x ${cpus()[0]?.model ?? process.arch}`;

interface Sources {
  api: string;
  apiPid: number;
  workerUrl: string;
  workerPid: number;
  redisUrl: string;
}

interface Reading {
  api: number;
  worker: number;
  redis: number;
  commands: number;
  roundTrips: number;
  bucket: number;
}

async function read(from: Sources): Promise<Reading> {
  const [ofApi, ofWorker, ofRedis] = await Promise.all([
    figuresOf(from.api),
    figuresOf(from.workerUrl),
    redisInfo(from.redisUrl),
  ]);
  const bucket = [ofApi, ofWorker].map((figures) => figures('bindery_s3_bytes_total') ?? 0);
  return {
    api: cpuOfTree(from.apiPid),
    worker: cpuOfTree(from.workerPid),
    redis: ofRedis.cpu,
    commands: ofRedis.commands,
    roundTrips: ofApi('bindery_redis_commands_total') + ofWorker('bindery_redis_commands_total'),
    bucket: bucket.reduce((sum, each) => sum + each, 0),
  };
}

/** Of one name, all labels together. */
async function figuresOf(url: string): Promise<(name: string) => number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return (name) =>
    [...text.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'gm'))].reduce(
      (sum, [, value]) => sum + Number(value),
      0,
    );
}

async function redisInfo(url: string): Promise<{ cpu: number; commands: number }> {
  const { Redis } = await import('ioredis');
  const client = new Redis(url);
  try {
    const text = `${await client.info('cpu')}${await client.info('stats')}`;
    const figure = (name: string): number => Number(new RegExp(`^${name}:(\\S+)`, 'm').exec(text)?.[1]);
    return {
      cpu: figure('used_cpu_sys') + figure('used_cpu_user'),
      commands: figure('total_commands_processed'),
    };
  } finally {
    client.disconnect();
  }
}

async function costOf(
  { operation, files, params = {}, calls }: Measured,
  from: Sources,
  quiet: Reading,
): Promise<CallCost> {
  let bytesOut = 0;
  const once = async (): Promise<void> => {
    const response = await fetch(`${from.api}/api/v1/${operation}`, {
      method: 'POST',
      headers: { 'x-api-key': API_KEY },
      body: form({ ...params, fileInput: files.map((path) => filePart(path)) }),
    });
    const bytes = await response.bytes();
    if (response.status !== 200)
      throw new Error(`${operation}: ${response.status} ${Buffer.from(bytes).toString('utf8', 0, 300)}`);
    bytesOut = bytes.length;
  };
  for (let call = 0; call < WARM_UP; call += 1) await once();
  const before = await read(from);
  const begun = performance.now();
  let left = calls;
  const lane = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await once();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  const seconds = (performance.now() - begun) / 1000;
  const after = await read(from);
  // What nodes ask Redis without any call (signs of life) is no cost of one.
  const each = (key: keyof Reading, factor = 1): number =>
    Math.max(0, rounded((factor * (after[key] - before[key] - seconds * quiet[key])) / calls));
  return {
    operation,
    document: files.map((path) => basename(path)).join(', '),
    apiMs: each('api', 1000),
    workerMs: each('worker', 1000),
    redisMs: each('redis', 1000),
    redisCommands: each('commands'),
    redisRoundTrips: each('roundTrips'),
    bytesIn: files.reduce((sum, path) => sum + readFileSync(path).length, 0),
    bytesOut,
    bucketBytes: Math.round(each('bucket')),
  };
}

const QUIET_MS = 5000;

/** In each second. */
async function quietCosts(from: Sources): Promise<Reading> {
  const before = await read(from);
  await new Promise((next) => setTimeout(next, QUIET_MS));
  const after = await read(from);
  const each = (key: keyof Reading): number => (after[key] - before[key]) / (QUIET_MS / 1000);
  return {
    // Starting workers and collecting garbage come and go; both belong to calls.
    api: 0,
    worker: 0,
    redis: each('redis'),
    commands: each('commands'),
    roundTrips: each('roundTrips'),
    bucket: each('bucket'),
  };
}

const rounded = (value: number): number => Math.round(value * 1000) / 1000;
