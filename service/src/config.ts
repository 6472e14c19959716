// The only reader of process.env. Every setting stands here with its default and meaning; the table in
// docs/reference/settings.md is generated from it.
import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { z } from 'zod';
import type { BucketOptions } from './contract/bucket.ts';
import { KIB, MIB } from './contract/limits.ts';
import { LOG_LEVELS } from './contract/log.ts';
import { isNetworkName } from './contract/networks.ts';
import { StartFailure } from './start-failure.ts';

interface Setting<T> {
  meaning: string;
  /** Shown in the table; the value used when the variable is absent or empty. */
  default: string;
  schema: z.ZodType<T, string>;
}
const setting = <T>(meaning: string, byDefault: string, schema: z.ZodType<T, string>): Setting<T> => ({
  meaning,
  default: byDefault,
  schema,
});

const whole = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,15}$/, `a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine((n) => n >= min && n <= max, `a whole number from ${min} to ${max}`);
const flag = z
  .string()
  .toLowerCase()
  .refine((word) => ['true', 'false', '1', '0', 'yes', 'no', 'on', 'off'].includes(word), 'true or false')
  .transform((word) => ['true', '1', 'yes', 'on'].includes(word));

const SECRET_TEXT = z
  .string()
  .refine((key) => key === '' || /^[\x21-\x7e]{16,256}$/.test(key), '16 to 256 visible ASCII characters');

/** What paths can be written after. */
function isBaseUrl(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '';
}

const ADDRESS = z
  .string()
  .refine((text) => text === '' || isBaseUrl(text), 'an http or https address, without ? and #');

/** `name=value,other=value%20two`, as OpenTelemetry has it; undefined where it is not. */
function namedValues(text: string): Record<string, string> | undefined {
  const pairs: [string, string][] = [];
  for (const pair of text.split(',').filter((each) => each.trim() !== '')) {
    const equals = pair.indexOf('=');
    const [name, value] = [pair.slice(0, equals).trim(), pair.slice(equals + 1).trim()];
    if (!/^[\w!#$&^.+~*'|-]{1,256}$/.test(name) || !/^[\x21-\x7e]{0,4096}$/.test(value)) return undefined;
    if (equals < 0 || /%(?![\da-fA-F]{2})/.test(value)) return undefined;
    try {
      pairs.push([name, decodeURIComponent(value)]);
    } catch {
      return undefined;
    }
  }
  return Object.fromEntries(pairs);
}

function failed(context: z.RefinementCtx, message: string): never {
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
}

/** Only a folder has a dot in it. */
const isFolder = (path: string): boolean => existsSync(`${path}/.`);

const GIB_MAX = 1024 ** 4;

export const SETTINGS = {
  BINDERY_HOST: setting('Address to listen on.', '127.0.0.1', z.string().min(1)),
  BINDERY_PORT: setting('Port to listen on; 0 takes a free one.', '8080', whole(0, 65535)),
  BINDERY_DATA_DIR: setting('Folder for keys, uploads and work in progress.', './data', z.string().min(1)),
  BINDERY_API_KEY: setting(
    'A key that always works, with the unlimited plan; for containers and tests. Absent: a first key is made and printed once.',
    '',
    SECRET_TEXT,
  ),
  BINDERY_ADMIN_KEY: setting(
    'A key for the administration of keys (/api/v1/admin/keys) and nothing else; keys with the scope admin may do the same.',
    '',
    SECRET_TEXT,
  ),
  BINDERY_BASE_URL: setting(
    'Public address of the service, as callers write it; absent: made from host and port.',
    '',
    z.string().refine((text) => text === '' || isBaseUrl(text), 'an http or https address, without ? and #'),
  ),
  BINDERY_MAX_REQUEST_BYTES: setting('Largest body of one request.', String(100 * MIB), whole(1024, GIB_MAX)),
  BINDERY_MAX_UPLOAD_BYTES: setting('Largest chunked upload.', String(500 * MIB), whole(1024, GIB_MAX)),
  BINDERY_UPLOAD_CHUNK_BYTES: setting('Size of an upload chunk.', String(8 * MIB), whole(1024, 1024 * MIB)),
  BINDERY_MAX_UPLOADS: setting('Uploads a key may have in progress or unused.', '20', whole(1, 100_000)),
  BINDERY_UPLOAD_STORAGE_BYTES: setting(
    'Room for all uploads together.',
    String(20 * 1024 * MIB),
    whole(1024, GIB_MAX),
  ),
  BINDERY_RATE_LIMIT: setting(
    'Requests a key of the standard plan may send per window.',
    '6000',
    whole(1, 1_000_000_000),
  ),
  BINDERY_RATE_WINDOW_MS: setting('Length of the rate-limit window.', '60000', whole(100, 86_400_000)),
  BINDERY_WORKERS: setting(
    'Worker processes; 0 means one per core. One more serves short calls while all of them are at long ones.',
    '0',
    whole(0, 256),
  ),
  BINDERY_QUEUE: setting(
    'Requests that may wait for a worker; more are answered 503.',
    '256',
    whole(0, 100_000),
  ),
  BINDERY_QUEUE_WAIT_MS: setting(
    'Longest time one request may wait for a worker; who would wait longer is answered 503 at once.',
    '240000',
    whole(100, 86_400_000),
  ),
  BINDERY_DEADLINE_MS: setting(
    'Longest time the work for one request may take, counted from its start.',
    '240000',
    whole(100, 86_400_000),
  ),
  BINDERY_JOB_DEADLINE_MS: setting(
    'Longest time the work for one asynchronous call may take, counted from its start.',
    '3600000',
    whole(100, 86_400_000),
  ),
  BINDERY_JOBS_AT_ONCE: setting(
    'Asynchronous calls that one process has in work; 0 means one fewer than workers, but at least one.',
    '0',
    whole(0, 1000),
  ),
  BINDERY_MCP_PATIENCE_MS: setting(
    'How long a call of an agent is waited for before it is answered with a job to go on with; five times as long where the client is told of progress.',
    '45000',
    whole(100, 3_600_000),
  ),
  BINDERY_JOB_TTL_HOURS: setting(
    'How long what came of an asynchronous call is kept after its end.',
    '24',
    whole(1, 720),
  ),
  BINDERY_JOB_STORAGE_BYTES: setting(
    'Room for all asynchronous calls together, their files and results; new ones beyond it are answered 507.',
    String(20 * 1024 * MIB),
    whole(1024, GIB_MAX),
  ),
  BINDERY_WORKER_MEMORY_MB: setting('Memory one worker may use for documents.', '1536', whole(64, 1_000_000)),
  BINDERY_WORKER_JOBS: setting('Jobs after which a worker is replaced.', '10000', whole(1, 1_000_000)),
  BINDERY_ISOLATION: setting(
    'How workers are isolated: auto takes the strongest that works here (bwrap, bwrap-landlock, landlock) and refuses to start where none does; none takes nothing, for documents that are all trusted.',
    'auto',
    z.enum(['auto', 'bwrap', 'bwrap-landlock', 'landlock', 'none']),
  ),
  BINDERY_WORKER_PER_KEY: setting(
    'Whether a worker that has opened a document of one key opens none of another: a fresh one is started for each.',
    'false',
    flag,
  ),
  BINDERY_SHUTDOWN_MS: setting(
    'How long work in flight may go on after a stop signal.',
    '30000',
    whole(0, 3_600_000),
  ),
  BINDERY_LINGER_MS: setting(
    'How long, after a stop signal, calls are taken as before while info/ready says stopping: for proxies to notice.',
    '0',
    whole(0, 600_000),
  ),
  BINDERY_BLOCKED_MS: setting(
    'How long the event loop may stand still before the supervisor ends the process and starts it anew; 0: for ever.',
    '10000',
    whole(0, 3_600_000).refine((ms) => ms === 0 || ms >= 2000, '0 or a whole number from 2000 to 3600000'),
  ),
  BINDERY_REDIS_URL: setting(
    'Redis or Valkey that many machines share, as redis:// or rediss://; with a bucket, for several machines. Absent: all is kept in the data folder.',
    '',
    z
      .string()
      .refine(
        (text) => text === '' || /^rediss?:$/.test(URL.parse(text)?.protocol ?? ''),
        'a redis:// or rediss:// address',
      ),
  ),
  BINDERY_S3_BUCKET: setting(
    'Bucket that many machines share, which must exist; with Redis, for several machines.',
    '',
    z.string().regex(/^([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])?$/, 'the name of a bucket'),
  ),
  BINDERY_S3_ENDPOINT: setting(
    "Address of the S3 server; absent: Amazon's.",
    '',
    z.string().refine((text) => text === '' || isBaseUrl(text), 'an http or https address, without ? and #'),
  ),
  BINDERY_S3_REGION: setting(
    'Region of the bucket.',
    'us-east-1',
    z.string().regex(/^[\w-]{1,64}$/, 'a region'),
  ),
  BINDERY_S3_ACCESS_KEY_ID: setting(
    'Who asks the S3 server; absent: what the environment, a profile or the role of the machine says.',
    '',
    z.string(),
  ),
  BINDERY_S3_SECRET_ACCESS_KEY: setting('The secret of BINDERY_S3_ACCESS_KEY_ID.', '', z.string()),
  BINDERY_S3_PREFIX: setting(
    'What names in the bucket, and in Redis, begin with: several services may share both.',
    '',
    z.string().regex(/^[\w./-]{0,200}$/, 'up to 200 letters, digits and . _ / -'),
  ),
  BINDERY_ROLE: setting(
    'What this node does, where several share Redis and a bucket: api answers callers and leaves documents to others, worker works on documents, all does both.',
    'all',
    z.enum(['all', 'api', 'worker']),
  ),
  BINDERY_FONT_DIR: setting(
    'Folder of fonts (TTF, OTF, TTC) for drawn text, preferred to those of the system.',
    '',
    z.string().refine((path) => path === '' || isFolder(path), 'a folder that exists'),
  ),
  BINDERY_URL_ALLOW_HOSTS: setting(
    'Hosts, as host or host:port with commas between, that addresses in requests may name though they are not public.',
    '',
    z
      .string()
      .transform((text) => text.split(',').flatMap((host) => host.trim().toLowerCase() || []))
      .refine(
        (hosts) => hosts.every((host) => /^[a-z0-9.:[\]_-]{1,255}$/.test(host)),
        'hosts with commas between',
      ),
  ),
  BINDERY_ALLOW_ORIGINS: setting(
    'Origins, such as https://app.example.org, with commas between, whose pages may call the service from a browser; * for all.',
    '',
    z
      .string()
      .transform((text) => text.split(',').flatMap((origin) => origin.trim().toLowerCase() || []))
      .refine(
        (origins) => origins.every((origin) => origin === '*' || URL.parse(origin)?.origin === origin),
        'origins with commas between',
      ),
  ),
  SOURCE_DATE_EPOCH: setting(
    'Seconds since 1970: every result tells this moment instead of the time, and the same request gives the same bytes (as the field reproducible asks of one call).',
    '',
    z.union([z.literal('').transform(() => undefined), whole(315_532_800, 4_102_444_799)]),
  ),
  BINDERY_SERVER_NAMES: setting(
    'Names, with commas between, by which a service that listens on loopback may be called beside localhost and BINDERY_BASE_URL, such as those a proxy passes on; * for any.',
    '',
    z
      .string()
      .transform((text) => text.split(',').flatMap((name) => name.trim().toLowerCase() || []))
      .refine(
        (names) => names.every((name) => name === '*' || /^[a-z0-9.[\]:_-]{1,255}$/.test(name)),
        'names with commas between',
      ),
  ),
  BINDERY_TRUSTED_PROXIES: setting(
    'Proxies whose X-Forwarded-For, -Host and -Proto (or Forwarded) are believed: addresses or networks such as 10.0.0.0/8, with commas between, or loopback and private for the usual ones.',
    '',
    z
      .string()
      .transform((text) => text.split(',').flatMap((name) => name.trim().toLowerCase() || []))
      .refine((names) => names.every(isNetworkName), 'addresses or networks with commas between'),
  ),
  BINDERY_FAILED_KEYS: setting(
    'Calls with unknown keys that one address may make in a minute before it is answered 429; 0: any number.',
    '100',
    whole(0, 1_000_000),
  ),
  BINDERY_METRICS: setting(
    'Serve GET /metrics: true to all, key to those who bring a valid key, false to nobody.',
    'true',
    z
      .string()
      .toLowerCase()
      .refine((word) => word === 'key' || flag.safeParse(word).success, 'true, key or false')
      .transform((word): boolean | 'key' => (word === 'key' ? word : flag.parse(word))),
  ),
  BINDERY_WORKBENCH: setting('Serve the page for people at / and the explorer at /docs.', 'on', flag),
  BINDERY_DISABLED_OPERATIONS: setting(
    'Operations or groups, such as convert/url/pdf or security, with commas between, that nobody may call: 403, and not in the description.',
    '',
    z.string().transform((text) => text.split(',').flatMap((name) => name.trim() || [])),
  ),
  BINDERY_AUDIT_LOG: setting(
    'File that gains a line of JSON for each call: who, what, when, sizes, outcome; no names or contents of documents. Absent: none.',
    '',
    z.string(),
  ),
  BINDERY_AUDIT_LOG_BYTES: setting(
    'Size at which that file gets a number behind its name and a new one begins.',
    String(100 * MIB),
    whole(4 * KIB, GIB_MAX),
  ),
  BINDERY_AUDIT_LOG_FILES: setting(
    'How many such files there are, the newest among them; older ones are removed.',
    '10',
    whole(2, 1000),
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: setting(
    'Collector of OpenTelemetry, such as http://127.0.0.1:4318: traces go to /v1/traces below it, figures to /v1/metrics, as JSON over HTTP. Absent, as the next two: nothing of OpenTelemetry is loaded.',
    '',
    ADDRESS,
  ),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: setting('Where traces go, in place of that.', '', ADDRESS),
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: setting('Where figures go, in place of that.', '', ADDRESS),
  OTEL_EXPORTER_OTLP_HEADERS: setting(
    'Headers for the collector, as name=value with commas between, values percent-encoded.',
    '',
    z
      .string()
      .transform((text, context) => namedValues(text) ?? failed(context, 'name=value with commas between'))
      .refine(
        (headers) => Object.values(headers).every((value) => /^[\t\x20-\x7e]*$/.test(value)),
        'values of printable ASCII',
      ),
  ),
  OTEL_EXPORTER_OTLP_TIMEOUT: setting(
    'How many milliseconds the collector may take for a message.',
    '10000',
    whole(1, 600_000),
  ),
  OTEL_EXPORTER_OTLP_PROTOCOL: setting(
    'How the collector is spoken to: http/json; http/protobuf, the default elsewhere, is taken for it, since collectors take both at the same address.',
    'http/json',
    z.enum(['http/json', 'http/protobuf']),
  ),
  OTEL_TRACES_EXPORTER: setting('otlp, or none for no traces.', 'otlp', z.enum(['otlp', 'none'])),
  OTEL_METRICS_EXPORTER: setting('otlp, or none for no figures.', 'otlp', z.enum(['otlp', 'none'])),
  OTEL_METRIC_EXPORT_INTERVAL: setting(
    'Milliseconds between two messages of figures.',
    '60000',
    whole(100, 86_400_000),
  ),
  OTEL_TRACES_SAMPLER: setting(
    'Which calls are traced.',
    'parentbased_always_on',
    z.enum([
      'always_on',
      'always_off',
      'traceidratio',
      'parentbased_always_on',
      'parentbased_always_off',
      'parentbased_traceidratio',
    ]),
  ),
  OTEL_TRACES_SAMPLER_ARG: setting(
    'Share of the calls that traceidratio traces, 0 to 1.',
    '1',
    z
      .string()
      .transform(Number)
      .refine((share) => share >= 0 && share <= 1, 'a number from 0 to 1'),
  ),
  OTEL_SERVICE_NAME: setting(
    'What the service is called there; absent: service.name of the next, or bindery.',
    '',
    z.string().max(256),
  ),
  OTEL_RESOURCE_ATTRIBUTES: setting(
    'What else is to be said of it, as name=value with commas between, values percent-encoded.',
    '',
    z
      .string()
      .transform((text, context) => namedValues(text) ?? failed(context, 'name=value with commas between')),
  ),
  OTEL_SDK_DISABLED: setting('true: none of all this.', 'false', flag),
  BINDERY_LOG_LEVEL: setting('Least level logged.', 'info', z.enum(LOG_LEVELS)),
} as const;

type SettingName = keyof typeof SETTINGS;
/** Never repeated in a message. Each may stand in a file instead, named by the setting with `_FILE` after it. */
export const SECRET_SETTINGS: readonly SettingName[] = [
  'BINDERY_API_KEY',
  'BINDERY_ADMIN_KEY',
  'BINDERY_REDIS_URL',
  'BINDERY_S3_ACCESS_KEY_ID',
  'BINDERY_S3_SECRET_ACCESS_KEY',
  'OTEL_EXPORTER_OTLP_HEADERS',
];
const SECRET_FILE_BYTES = 64 * KIB;
type Values = { [K in SettingName]: (typeof SETTINGS)[K] extends Setting<infer T> ? T : never };

export interface Config {
  host: string;
  port: number;
  dataDir: string;
  apiKey: string | null;
  adminKey: string | null;
  baseUrl: string | null;
  limits: {
    requestBytes: number;
    uploadBytes: number;
    chunkBytes: number;
    uploadsInProgress: number;
    uploadStorageBytes: number;
  };
  rate: { limit: number; windowMs: number };
  workers: {
    count: number;
    queue: number;
    waitMs: number;
    deadlineMs: number;
    memoryBytes: number;
    jobsEach: number;
    isolation: Values['BINDERY_ISOLATION'];
    workerPerKey: boolean;
  };
  /** Asynchronous calls. */
  jobs: { deadlineMs: number; atOnce: number; patienceMs: number; keptMs: number; storageBytes: number };
  /** Where state is kept that many machines share; null: in the data folder. */
  shared: { redisUrl: string; bucket: BucketOptions } | null;
  /** What this node does of the work that many share. */
  role: Values['BINDERY_ROLE'];
  /** The operator's fonts. */
  fontDir: string | null;
  /** May be reached though they are not public. */
  allowHosts: string[];
  /** Their pages may call from a browser. */
  allowOrigins: string[];
  shutdownMs: number;
  lingerMs: number;
  blockedMs: number;
  /** Seconds since 1970 that every result tells. */
  sourceDate: number | undefined;
  /** Names it is called by, beside those of loopback. */
  serverNames: string[];
  /** Networks of the proxies before us that are believed. */
  trustedProxies: string[];
  failedKeys: number;
  metrics: boolean | 'key';
  workbench: boolean;
  /** Operations and groups. */
  disabledOperations: string[];
  auditLog: { path: string; maxBytes: number; files: number } | null;
  /** OpenTelemetry; null: none of it. */
  telemetry: {
    tracesUrl: string | null;
    metricsUrl: string | null;
    headers: Record<string, string>;
    timeoutMs: number;
    resource: Record<string, string>;
    sampler: { ratio: number; parentBased: boolean };
    figuresEveryMs: number;
  } | null;
  logLevel: Values['BINDERY_LOG_LEVEL'];
}

/** A setting that cannot be used: one line for the operator. */
class BadSetting extends StartFailure {}

export function readConfig(env: Record<string, string | undefined> = process.env): Config {
  const values = {} as Record<SettingName, unknown>;
  for (const [name, declared] of Object.entries(SETTINGS) as [SettingName, Setting<unknown>][]) {
    const given = givenValue(name, env)?.trim();
    const parsed = declared.schema.safeParse(given ? given : declared.default);
    if (!parsed.success) {
      // A key is a secret even where it cannot be used, and an address may hold one.
      const said = SECRET_SETTINGS.includes(name) ? name : `${name} is "${given}" but`;
      throw new BadSetting(`${said} must be ${expectation(declared, parsed.error)}.`);
    }
    values[name] = parsed.data;
  }
  const v = values as Values;
  if (v.BINDERY_UPLOAD_CHUNK_BYTES > v.BINDERY_MAX_REQUEST_BYTES) {
    throw new BadSetting('BINDERY_UPLOAD_CHUNK_BYTES must not be above BINDERY_MAX_REQUEST_BYTES.');
  }
  if (v.BINDERY_ADMIN_KEY !== '' && v.BINDERY_ADMIN_KEY === v.BINDERY_API_KEY) {
    throw new BadSetting('BINDERY_ADMIN_KEY must not be the key that BINDERY_API_KEY gives to callers.');
  }
  const shared = sharedState(v);
  if (shared === null && v.BINDERY_ROLE !== 'all')
    throw new BadSetting(
      `BINDERY_ROLE is "${v.BINDERY_ROLE}" but must be all unless nodes share Redis and a bucket: set BINDERY_REDIS_URL and BINDERY_S3_BUCKET.`,
    );
  const workers = v.BINDERY_WORKERS || availableParallelism();
  return {
    host: v.BINDERY_HOST,
    port: v.BINDERY_PORT,
    dataDir: resolve(v.BINDERY_DATA_DIR),
    apiKey: v.BINDERY_API_KEY || null,
    adminKey: v.BINDERY_ADMIN_KEY || null,
    baseUrl: withoutSlash(v.BINDERY_BASE_URL) || null,
    limits: {
      requestBytes: v.BINDERY_MAX_REQUEST_BYTES,
      uploadBytes: v.BINDERY_MAX_UPLOAD_BYTES,
      chunkBytes: v.BINDERY_UPLOAD_CHUNK_BYTES,
      uploadsInProgress: v.BINDERY_MAX_UPLOADS,
      uploadStorageBytes: v.BINDERY_UPLOAD_STORAGE_BYTES,
    },
    rate: { limit: v.BINDERY_RATE_LIMIT, windowMs: v.BINDERY_RATE_WINDOW_MS },
    workers: {
      count: workers,
      queue: v.BINDERY_QUEUE,
      waitMs: v.BINDERY_QUEUE_WAIT_MS,
      deadlineMs: v.BINDERY_DEADLINE_MS,
      memoryBytes: v.BINDERY_WORKER_MEMORY_MB * MIB,
      jobsEach: v.BINDERY_WORKER_JOBS,
      isolation: v.BINDERY_ISOLATION,
      workerPerKey: v.BINDERY_WORKER_PER_KEY,
    },
    jobs: {
      deadlineMs: v.BINDERY_JOB_DEADLINE_MS,
      // The one that is left is for those who wait on a connection.
      atOnce: v.BINDERY_JOBS_AT_ONCE || Math.max(1, workers - 1),
      patienceMs: v.BINDERY_MCP_PATIENCE_MS,
      keptMs: v.BINDERY_JOB_TTL_HOURS * 3600 * 1000,
      storageBytes: v.BINDERY_JOB_STORAGE_BYTES,
    },
    shared,
    role: v.BINDERY_ROLE,
    fontDir: v.BINDERY_FONT_DIR === '' ? null : resolve(v.BINDERY_FONT_DIR),
    allowHosts: v.BINDERY_URL_ALLOW_HOSTS,
    allowOrigins: v.BINDERY_ALLOW_ORIGINS,
    shutdownMs: v.BINDERY_SHUTDOWN_MS,
    lingerMs: v.BINDERY_LINGER_MS,
    blockedMs: v.BINDERY_BLOCKED_MS,
    sourceDate: v.SOURCE_DATE_EPOCH,
    serverNames: v.BINDERY_SERVER_NAMES,
    trustedProxies: v.BINDERY_TRUSTED_PROXIES,
    failedKeys: v.BINDERY_FAILED_KEYS,
    metrics: v.BINDERY_METRICS,
    workbench: v.BINDERY_WORKBENCH,
    disabledOperations: v.BINDERY_DISABLED_OPERATIONS,
    telemetry: telemetryIn(v),
    auditLog:
      v.BINDERY_AUDIT_LOG === ''
        ? null
        : {
            path: resolve(v.BINDERY_AUDIT_LOG),
            maxBytes: v.BINDERY_AUDIT_LOG_BYTES,
            files: v.BINDERY_AUDIT_LOG_FILES,
          },
    logLevel: v.BINDERY_LOG_LEVEL,
  };
}

/** Secrets of containers come as files; what stands in the environment, child processes and dumps show. */
function givenValue(name: SettingName, env: Record<string, string | undefined>): string | undefined {
  const file = SECRET_SETTINGS.includes(name) ? env[`${name}_FILE`]?.trim() : undefined;
  if (!file) return env[name];
  if (env[name]?.trim()) throw new BadSetting(`${name} and ${name}_FILE are both set: set one of them.`);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    throw new BadSetting(`${name}_FILE is "${file}" but must be a file that can be read.`);
  }
  if (text.length > SECRET_FILE_BYTES || text.trim() === '')
    throw new BadSetting(`${name}_FILE is "${file}" but must be a file that holds the value alone.`);
  return text;
}

function telemetryIn(v: Values): Config['telemetry'] {
  const base = withoutSlash(v.OTEL_EXPORTER_OTLP_ENDPOINT);
  const place = (own: string, path: string, exporter: string): string | null =>
    exporter === 'none' ? null : own || (base && `${base}${path}`) || null;
  const tracesUrl = place(v.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT, '/v1/traces', v.OTEL_TRACES_EXPORTER);
  const metricsUrl = place(v.OTEL_EXPORTER_OTLP_METRICS_ENDPOINT, '/v1/metrics', v.OTEL_METRICS_EXPORTER);
  if (v.OTEL_SDK_DISABLED || (tracesUrl === null && metricsUrl === null)) return null;
  const sampler = v.OTEL_TRACES_SAMPLER;
  return {
    tracesUrl,
    metricsUrl,
    headers: v.OTEL_EXPORTER_OTLP_HEADERS,
    timeoutMs: v.OTEL_EXPORTER_OTLP_TIMEOUT,
    resource: {
      'service.name': 'bindery',
      ...v.OTEL_RESOURCE_ATTRIBUTES,
      ...(v.OTEL_SERVICE_NAME && { 'service.name': v.OTEL_SERVICE_NAME }),
    },
    sampler: {
      parentBased: sampler.startsWith('parentbased_'),
      ratio: sampler.endsWith('always_on')
        ? 1
        : sampler.endsWith('always_off')
          ? 0
          : v.OTEL_TRACES_SAMPLER_ARG,
    },
    figuresEveryMs: v.OTEL_METRIC_EXPORT_INTERVAL,
  };
}

/** Both Redis and a bucket, or neither. */
function sharedState(v: Values): Config['shared'] {
  const { BINDERY_REDIS_URL: redisUrl, BINDERY_S3_BUCKET: bucket } = v;
  const hasKeyId = v.BINDERY_S3_ACCESS_KEY_ID !== '';
  if (hasKeyId !== (v.BINDERY_S3_SECRET_ACCESS_KEY !== ''))
    throw new BadSetting(
      'BINDERY_S3_ACCESS_KEY_ID and BINDERY_S3_SECRET_ACCESS_KEY go together: set both or none.',
    );
  if (redisUrl === '' && bucket === '') return null;
  if (redisUrl === '' || bucket === '') {
    const missing = redisUrl === '' ? 'BINDERY_REDIS_URL' : 'BINDERY_S3_BUCKET';
    throw new BadSetting(`Shared state needs Redis and a bucket: set ${missing} too, or neither.`);
  }
  return {
    redisUrl,
    bucket: {
      bucket,
      endpoint: v.BINDERY_S3_ENDPOINT || undefined,
      region: v.BINDERY_S3_REGION,
      credentials: hasKeyId
        ? { accessKeyId: v.BINDERY_S3_ACCESS_KEY_ID, secretAccessKey: v.BINDERY_S3_SECRET_ACCESS_KEY }
        : undefined,
      prefix: v.BINDERY_S3_PREFIX,
    },
  };
}

/** For the command line and the local server of agents, which may be called from the same shell. */
const CLIENT_SETTINGS = ['BINDERY_URL', 'BINDERY_CONFIG', 'BINDERY_ALLOWED_DIRS', 'BINDERY_TIMEOUT_MS'];

/** Variables that look like settings but are none: a typing mistake worth a warning. */
export function unknownSettings(env: Record<string, string | undefined> = process.env): string[] {
  const known = new Set([
    ...Object.keys(SETTINGS),
    ...SECRET_SETTINGS.map((name) => `${name}_FILE`),
    ...CLIENT_SETTINGS,
  ]);
  return Object.keys(env).filter((name) => name.startsWith('BINDERY_') && !known.has(name));
}

function expectation(declared: Setting<unknown>, error: z.ZodError): string {
  const issue = error.issues[0];
  if (issue?.code === 'invalid_value') return `one of ${issue.values.join(', ')}`;
  return issue?.message ?? declared.meaning;
}

const withoutSlash = (address: string): string =>
  address.endsWith('/') ? withoutSlash(address.slice(0, -1)) : address;
