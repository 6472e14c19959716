// Traces and figures for OpenTelemetry, where the operator has set OTEL_EXPORTER_OTLP_ENDPOINT or its like; loaded then
// alone. A span for each call, within it the time it waited for a worker and each step of its work.
import { setTimeout as pause } from 'node:timers/promises';
import type { Config } from '../../config.ts';
import type { Log } from '../../contract/log.ts';
import { newSpanId, type TraceContext, traceContext } from '../../contract/trace-context.ts';
import type { Job, JobOutcome } from '../../jobs/job.ts';
import type { Caller, Runner } from '../../jobs/runner.ts';
import type { Workspace } from '../../jobs/workspace.ts';
import type { Call } from '../rest/call.ts';
import type { Metrics } from '../rest/metrics.ts';
import type { Ended } from './audit-log.ts';
import { type Attributes, Exporter, figuresMessage, type Span, spansMessage } from './otlp.ts';

type Settings = NonNullable<Config['telemetry']>;

/** As the specification of its batches has it. */
const SEND_SPANS_MS = 5000;
const MOST_SPANS = 2048;
const SPANS_AT_ONCE = 512;
/** A collector that does not answer holds up no end of the process. */
const CLOSE_MS = 3000;

export class Telemetry {
  readonly #settings: Settings;
  readonly #exportSettings;
  readonly #traces: Exporter | undefined;
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #since = nanoseconds();
  readonly #spans: Span[] = [];
  #lost = 0;
  #sending: Promise<void> | undefined;
  #last: (() => Promise<void>) | undefined;

  constructor(settings: Settings, version: string, log: Log) {
    this.#settings = settings;
    this.#exportSettings = {
      ...settings,
      resource: { ...settings.resource, 'service.version': version },
      version,
      log,
    };
    if (settings.tracesUrl === null) return;
    this.#traces = new Exporter(settings.tracesUrl, this.#exportSettings);
    this.#every(SEND_SPANS_MS, () => this.#sendSpans());
  }

  /** The trace of a request, from its headers on. */
  begin(headers: Parameters<typeof traceContext>[0]): TraceContext {
    return traceContext(headers, this.#settings.sampler);
  }

  /** A request is over. */
  over(method: string, call: Call, { status, milliseconds }: Ended): void {
    const { trace } = call;
    if (trace === undefined) return;
    const endedAt = nanoseconds();
    this.#note(trace, {
      ...{
        spanId: trace.spanId,
        parentSpanId: trace.parentSpanId,
        kind: 'server',
        name: `${method} ${call.operation}`,
      },
      startedAt: endedAt - BigInt(Math.round(milliseconds * 1e6)),
      endedAt,
      isError: status >= 500,
      attributes: {
        'http.request.method': method,
        'http.response.status_code': status,
        'http.request.body.size': call.bytesIn,
        'http.response.body.size': call.bytesOut,
        'client.address': call.from.address,
        'bindery.operation': call.operation,
        'bindery.key.id': call.key?.id,
        'error.type': call.problem?.reason,
      },
    });
  }

  /** The same runner, with spans of what it does, within those of the requests its jobs came with. */
  traced(runner: Runner): Runner {
    return {
      run: ({ trace, ...job }, workspace, caller) =>
        trace?.sampled
          ? this.#tracedRun(runner, job, workspace, caller, trace)
          : runner.run(job, workspace, caller),
      requireRoom: (...call) => runner.requireRoom(...call),
      engines: () => runner.engines(),
      load: () => runner.load(),
      close: () => runner.close(),
    };
  }

  async #tracedRun(
    runner: Runner,
    job: Job,
    workspace: Workspace,
    caller: Caller,
    trace: TraceContext,
  ): Promise<JobOutcome> {
    let under = { name: 'wait for a worker', since: nanoseconds(), attributes: {} as Attributes };
    const end = (isError = false): void =>
      this.#note(trace, {
        ...{ spanId: newSpanId(), parentSpanId: trace.spanId, kind: 'internal', name: under.name },
        ...{ startedAt: under.since, endedAt: nanoseconds(), isError, attributes: under.attributes },
      });
    const begin = (step: number): void => {
      end();
      const name = job.steps[step]?.op ?? 'step';
      under = { name, since: nanoseconds(), attributes: job.pipeline ? { 'bindery.step': step } : {} };
    };
    // Workers tell steps of pipelines alone: a single operation begins when a worker gets it.
    const onBegin = (): void => {
      begin(0);
      caller.onBegin?.();
    };
    const onStep = (step: number): void => {
      begin(step);
      caller.onStep?.(step);
    };
    let isError = true;
    try {
      const outcome = await runner.run(job, workspace, {
        ...caller,
        ...(job.pipeline ? { onStep } : { onBegin }),
      });
      isError = outcome.state === 'failed';
      return outcome;
    } finally {
      end(isError);
    }
  }

  #note({ traceId, traceState, sampled }: TraceContext, span: Omit<Span, 'traceId' | 'traceState'>): void {
    if (!sampled || this.#traces === undefined) return;
    if (this.#spans.length >= MOST_SPANS) this.#lost += 1;
    else this.#spans.push({ traceId, traceState, ...span });
    if (this.#spans.length === SPANS_AT_ONCE) void this.#sendSpans();
  }

  /** One message at a time: what a slow collector leaves is bounded. */
  #sendSpans(): Promise<void> {
    this.#sending ??= this.#sendBatches().finally(() => {
      this.#sending = undefined;
    });
    return this.#sending;
  }

  async #sendBatches(): Promise<void> {
    do await this.#sendBatch();
    while (this.#spans.length >= SPANS_AT_ONCE);
  }

  async #sendBatch(): Promise<void> {
    const spans = this.#spans.splice(0, SPANS_AT_ONCE);
    if (spans.length === 0) return;
    if (this.#lost > 0) this.#exportSettings.log.warn('spans were lost', { spans: this.#lost });
    this.#lost = 0;
    await this.#traces?.send(spansMessage(spans, this.#exportSettings));
  }

  /** Sends the figures of /metrics from now on. */
  sendFigures(registry: Metrics): void {
    const { metricsUrl, figuresEveryMs } = this.#settings;
    if (metricsUrl === null) return;
    const exporter = new Exporter(metricsUrl, this.#exportSettings);
    this.#last = () =>
      exporter.send(figuresMessage(registry.figures(), this.#since, nanoseconds(), this.#exportSettings));
    this.#every(figuresEveryMs, this.#last);
  }

  #every(ms: number, work: () => Promise<void>): void {
    const timer = setInterval(() => void work(), ms);
    timer.unref();
    this.#timers.push(timer);
  }

  /** With what is not sent yet. */
  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    const spans = async (): Promise<void> => {
      await this.#sending;
      while (this.#spans.length > 0) await this.#sendSpans();
    };
    await Promise.race([Promise.all([spans(), this.#last?.()]), pause(CLOSE_MS, undefined, { ref: false })]);
  }
}

const STARTED_AT = BigInt(Date.now()) * 1_000_000n - process.hrtime.bigint();
/** Since 1970, never going back. */
const nanoseconds = (): bigint => STARTED_AT + process.hrtime.bigint();
