// OpenTelemetry's protocol as JSON over HTTP (OTLP/HTTP), which every collector takes at its usual port. Written here
// because the official packages bring 56 MB to disk, 24 MB of memory and half a second to a start, for two kinds of
// messages.
import type { Log } from '../../contract/log.ts';
import type { Figure } from '../rest/metrics.ts';

export interface ExportSettings {
  headers: Readonly<Record<string, string>>;
  timeoutMs: number;
  /** What every message says of its sender. */
  resource: Readonly<Record<string, string>>;
  version: string;
  log: Log;
}

export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

export interface Span {
  traceId: string;
  spanId: string;
  parentSpanId: string | undefined;
  traceState: string | undefined;
  name: string;
  kind: 'internal' | 'server';
  /** In nanoseconds since 1970. */
  startedAt: bigint;
  endedAt: bigint;
  attributes: Attributes;
  isError: boolean;
}

const KINDS = { internal: 1, server: 2 } as const;
const ERROR = 2;
/** Counted since the start of the process, not since the last message. */
const CUMULATIVE = 2;

const attributesOf = (attributes: Attributes) =>
  Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: anyValue(value) }],
  );

function anyValue(value: string | number | boolean) {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  // 64 bits do not fit into the numbers of JSON.
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}

export const spansMessage = (spans: readonly Span[], { resource, version }: ExportSettings) => ({
  resourceSpans: [
    {
      resource: { attributes: attributesOf(resource) },
      scopeSpans: [
        {
          scope: { name: 'bindery', version },
          spans: spans.map((span) => ({
            traceId: span.traceId,
            spanId: span.spanId,
            ...(span.parentSpanId !== undefined && { parentSpanId: span.parentSpanId }),
            ...(span.traceState !== undefined && { traceState: span.traceState }),
            name: span.name,
            kind: KINDS[span.kind],
            startTimeUnixNano: String(span.startedAt),
            endTimeUnixNano: String(span.endedAt),
            attributes: attributesOf(span.attributes),
            status: span.isError ? { code: ERROR } : {},
          })),
        },
      ],
    },
  ],
});

export function figuresMessage(
  figures: readonly Figure[],
  since: bigint,
  now: bigint,
  { resource, version }: ExportSettings,
) {
  const times = { startTimeUnixNano: String(since), timeUnixNano: String(now) };
  const metricOf = (figure: Figure) => {
    const named = { name: figure.name, description: figure.help, unit: unitOf(figure.name) };
    if (figure.type === 'histogram')
      return {
        ...named,
        histogram: {
          aggregationTemporality: CUMULATIVE,
          dataPoints: figure.points.map(({ labels, value }) => ({
            attributes: attributesOf(labels),
            ...times,
            count: String(value.counts.reduce((sum, count) => sum + count, 0)),
            sum: value.sum,
            bucketCounts: value.counts.map(String),
            explicitBounds: value.bounds,
          })),
        },
      };
    const dataPoints = figure.points.map(({ labels, value }) => ({
      attributes: attributesOf(labels),
      ...times,
      asDouble: value,
    }));
    return figure.type === 'counter'
      ? { ...named, sum: { aggregationTemporality: CUMULATIVE, isMonotonic: true, dataPoints } }
      : { ...named, gauge: { dataPoints } };
  };
  return {
    resourceMetrics: [
      {
        resource: { attributes: attributesOf(resource) },
        scopeMetrics: [{ scope: { name: 'bindery', version }, metrics: figures.map(metricOf) }],
      },
    ],
  };
}

const unitOf = (name: string): string =>
  /_seconds(?:_total)?$/.test(name) ? 's' : /_bytes(?:_total)?$/.test(name) ? 'By' : '1';

const COMPLAIN_EVERY_MS = 60_000;

/** One message to a collector. What it does not take is lost: nothing of the service waits for it. */
export class Exporter {
  readonly #url: string;
  readonly #settings: ExportSettings;
  #complainedAt = Number.NEGATIVE_INFINITY;

  constructor(url: string, settings: ExportSettings) {
    this.#url = url;
    this.#settings = settings;
  }

  async send(message: object): Promise<void> {
    const { headers, timeoutMs } = this.#settings;
    try {
      const answer = await fetch(this.#url, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(message),
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      });
      await answer.body?.cancel();
      if (!answer.ok) this.#complain({ status: answer.status });
    } catch (error) {
      this.#complain({ error: (error as Error).cause ?? error });
    }
  }

  /** Not for each message: a collector that is away stays so for a while. */
  #complain(facts: Record<string, unknown>): void {
    const now = performance.now();
    if (now - this.#complainedAt < COMPLAIN_EVERY_MS) return;
    this.#complainedAt = now;
    this.#settings.log.warn('the collector of telemetry did not take a message', {
      url: this.#url,
      ...facts,
    });
  }
}
