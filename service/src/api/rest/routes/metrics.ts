// GET /metrics, and one log line for every request.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { gate } from '../gate.ts';
import type { HeldBytes } from '../held-bytes.ts';
import { type Gauge, Metrics } from '../metrics.ts';
import type { NodeFigures, ServerParts } from '../parts.ts';
import { poolFigures, processFigures } from '../process-figures.ts';

/** As proxies note it: the caller left before the answer. */
const CLIENT_CLOSED = 499;

/** Asked every few seconds by machines: not worth a line each. */
const POLLED = new Set(['info/health', 'info/live', 'info/ready', 'metrics']);

interface Recording {
  registry: Metrics;
  over(request: FastifyRequest, reply: FastifyReply, answered: boolean): void;
}

export function recordCalls(
  { runner, background, log, supervision, isolation, auditLog, telemetry, version, nodes }: ServerParts,
  held: HeldBytes,
): Recording {
  const registry = new Metrics([
    { name: 'bindery_workers', help: 'Worker processes.', type: 'gauge', read: () => runner.load().workers },
    { name: 'bindery_workers_busy', help: 'Workers at work.', type: 'gauge', read: () => runner.load().busy },
    {
      name: 'bindery_queue_depth',
      help: 'Jobs waiting for a worker.',
      type: 'gauge',
      read: () => runner.load().waiting,
    },
    {
      name: 'bindery_jobs',
      help: 'Asynchronous calls that are known, by status.',
      type: 'gauge',
      label: 'status',
      read: () => background.counts,
    },
    {
      name: 'bindery_queue_age_seconds',
      help: 'How long the job that is next, or has waited longest, has waited.',
      type: 'gauge',
      read: () => runner.load().oldestSeconds,
    },
    {
      name: 'bindery_jobs_total',
      help: 'Jobs that the workers of this node have ended, by what came of them.',
      type: 'counter',
      label: 'outcome',
      read: () => runner.load().outcomes,
    },
    {
      name: 'bindery_worker_restarts_total',
      help: 'Workers replaced.',
      type: 'counter',
      read: () => runner.load().restarts,
    },
    {
      name: 'bindery_worker_rss_bytes',
      help: 'Memory of all workers.',
      type: 'gauge',
      read: () => runner.load().workerRssBytes,
    },
    {
      name: 'bindery_isolation_info',
      help: 'How workers are isolated.',
      type: 'gauge',
      label: 'level',
      read: () => ({ [isolation() ?? 'unknown']: 1 }),
    },
    {
      name: 'bindery_api_rss_bytes',
      help: 'Memory of the API process.',
      type: 'gauge',
      read: () => process.memoryUsage.rss(),
    },
    {
      name: 'bindery_spool_bytes',
      help: 'Bytes held in memory for callers: parts, messages, answers.',
      type: 'gauge',
      read: () => held.takenBytes,
    },
    {
      name: 'bindery_event_loop_delay_seconds',
      help: 'Longest delay of the event loop in the last minute.',
      type: 'gauge',
      read: () => supervision.loopDelaySeconds,
    },
    {
      name: 'bindery_api_restarts_total',
      help: 'Starts of the API process anew, by why the one before ended.',
      type: 'counter',
      label: 'reason',
      read: () => supervision.restarts,
    },
    {
      name: 'bindery_api_last_restart_timestamp_seconds',
      help: 'When the API process was last started anew, by reason; absent where it never was.',
      type: 'gauge',
      label: 'reason',
      read: () => supervision.lastRestart,
    },
    ...processFigures(version),
    ...poolFigures(runner),
    ...(nodes ? sharedWork(nodes) : []),
  ]);

  function over(request: FastifyRequest, reply: FastifyReply, answered: boolean): void {
    const { call } = request;
    const status = answered ? reply.raw.statusCode : CLIENT_CLOSED;
    const milliseconds = performance.now() - call.startedAt;
    registry.record({
      operation: call.operation,
      status,
      seconds: milliseconds / 1000,
      bytesIn: call.bytesIn,
      bytesOut: call.bytesOut,
    });
    const facts = {
      requestId: request.id,
      method: request.method,
      operation: call.operation,
      status,
      ms: Math.round(milliseconds * 10) / 10,
      bytesIn: call.bytesIn,
      bytesOut: call.bytesOut,
      key: call.key?.id,
      client: call.from.address,
      traceId: call.trace?.traceId,
      reason: call.problem?.reason,
    };
    const isPolled = POLLED.has(call.operation);
    const ended = { status, answered, milliseconds };
    if (!isPolled) {
      auditLog?.note(request, ended);
      telemetry?.over(request.method, call, ended);
    }
    if (call.problem && status >= 500) {
      log.error('request failed', {
        ...facts,
        detail: call.problem.detail,
        cause: call.problem.options.cause,
      });
    } else if (isPolled) log.debug('request', facts);
    else log.info('request', facts);
  }

  return { registry, over };
}

const sharedWork = ({ traffic, workerNodes, retries }: NodeFigures): Gauge[] => [
  {
    name: 'bindery_worker_nodes',
    help: 'Nodes that work on documents, as this one sees them.',
    type: 'gauge',
    read: workerNodes,
  },
  {
    name: 'bindery_job_retries_total',
    help: 'Jobs that this node took over from one that died.',
    type: 'counter',
    read: retries,
  },
  {
    name: 'bindery_redis_commands_total',
    help: 'Round trips to Redis; over requests: round trips for each call.',
    type: 'counter',
    read: () => traffic.redisCommands,
  },
  {
    name: 'bindery_s3_bytes_total',
    help: 'Bytes to and from the bucket.',
    type: 'counter',
    label: 'direction',
    read: () => ({ to: traffic.bytesToBucket, from: traffic.bytesFromBucket }),
  },
];

export function addMetrics(app: FastifyInstance, parts: ServerParts, registry: Metrics): void {
  const onRequest = parts.config.metrics === 'key' ? [gate(parts, { operation: 'metrics' })] : [];
  app.get('/metrics', { onRequest }, (request, reply) => {
    request.call.operation = 'metrics';
    const body = Buffer.from(registry.render());
    return reply.header('content-type', 'text/plain; version=0.0.4; charset=utf-8').send(body);
  });
}
