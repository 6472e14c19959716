// Counts for GET /metrics, in the Prometheus text format, and for whoever else exports them. Labels are words of ours,
// so their number is bounded.
import { computeOnce } from '../../contract/maps.ts';

const BUCKETS_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300] as const;

interface Series {
  operation: string;
  byStatus: Map<number, number>;
  /** One more than there are buckets: the last is +Inf. */
  buckets: Uint32Array;
  seconds: number;
  bytesIn: number;
  bytesOut: number;
}

export interface Finished {
  operation: string;
  status: number;
  seconds: number;
  bytesIn: number;
  bytesOut: number;
}

/** A call of an agent's tool; `reason` is empty where it worked. */
export interface FinishedTool {
  tool: string;
  operation: string;
  reason: string;
  bytesIn: number;
  bytesOut: number;
}

interface ToolSeries extends FinishedTool {
  calls: number;
}

interface Described {
  name: string;
  help: string;
}
export interface Histogram {
  bounds: readonly number[];
  /** One more than there are bounds. */
  counts: readonly number[];
  sum: number;
}
/** A value read when it is asked for. */
export type Gauge =
  | (Described & {
      type: 'gauge' | 'counter';
      /** Where `read` gives a number for each of several words: what the words are. */
      label?: string;
      /** The same always; no word of a caller. */
      labels?: Readonly<Record<string, string>>;
      read(): number | Readonly<Record<string, number>>;
    })
  | (Described & { type: 'histogram'; read(): Histogram });

type Labels = Readonly<Record<string, string>>;
/** What is known of one name at one moment. */
export type Figure =
  | (Described & { type: 'gauge' | 'counter'; points: readonly { labels: Labels; value: number }[] })
  | (Described & { type: 'histogram'; points: readonly { labels: Labels; value: Histogram }[] });

export class Metrics {
  readonly #series = new Map<string, Series>();
  readonly #tools = new Map<string, ToolSeries>();
  readonly #gauges: readonly Gauge[];

  constructor(gauges: readonly Gauge[]) {
    this.#gauges = gauges;
  }

  record({ operation, status, seconds, bytesIn, bytesOut }: Finished): void {
    const series = this.#seriesOf(operation);
    series.byStatus.set(status, (series.byStatus.get(status) ?? 0) + 1);
    const bucket = BUCKETS_SECONDS.findIndex((bound) => seconds <= bound);
    const index = bucket === -1 ? BUCKETS_SECONDS.length : bucket;
    series.buckets[index] = (series.buckets[index] ?? 0) + 1;
    series.seconds += seconds;
    series.bytesIn += bytesIn;
    series.bytesOut += bytesOut;
  }

  recordTool(call: FinishedTool): void {
    const key = `${call.tool} ${call.operation} ${call.reason}`;
    const series = computeOnce(this.#tools, key, () => ({ ...call, calls: 0, bytesIn: 0, bytesOut: 0 }));
    series.calls += 1;
    series.bytesIn += call.bytesIn;
    series.bytesOut += call.bytesOut;
  }

  #seriesOf(operation: string): Series {
    return computeOnce(this.#series, operation, () => {
      const buckets = new Uint32Array(BUCKETS_SECONDS.length + 1);
      return { operation, byStatus: new Map(), buckets, seconds: 0, bytesIn: 0, bytesOut: 0 };
    });
  }

  figures(): Figure[] {
    const all = [...this.#series.values()].sort((a, b) => (a.operation < b.operation ? -1 : 1));
    const counted = (read: (series: Series) => number) =>
      all.map((series) => ({ labels: { operation: series.operation }, value: read(series) }));
    return [
      {
        ...{ name: 'bindery_requests_total', type: 'counter' },
        help: 'Requests answered, by operation and status.',
        points: all.flatMap(({ operation, byStatus }) =>
          [...byStatus].map(([status, value]) => ({ labels: { operation, status: String(status) }, value })),
        ),
      },
      {
        ...{ name: 'bindery_request_duration_seconds', type: 'histogram' },
        help: 'Time from request to end of response.',
        points: all.map(({ operation, buckets, seconds }) => ({
          labels: { operation },
          value: { bounds: BUCKETS_SECONDS, counts: [...buckets], sum: seconds },
        })),
      },
      {
        ...{ name: 'bindery_request_bytes_total', type: 'counter' },
        help: 'Bytes of request bodies received.',
        points: counted(({ bytesIn }) => bytesIn),
      },
      {
        ...{ name: 'bindery_response_bytes_total', type: 'counter' },
        help: 'Bytes of response bodies sent.',
        points: counted(({ bytesOut }) => bytesOut),
      },
      ...this.#toolFigures(),
      ...this.#gauges.map(figureOf),
    ];
  }

  #toolFigures(): Figure[] {
    const tools = [...this.#tools.values()];
    if (tools.length === 0) return [];
    const family = (name: string, help: string, read: (series: ToolSeries) => number): Figure => ({
      ...{ name, help, type: 'counter' },
      points: tools.map((each) => ({
        labels: { tool: each.tool, operation: each.operation, reason: each.reason },
        value: read(each),
      })),
    });
    return [
      family(
        'bindery_tool_calls_total',
        "Calls of agents' tools; reason is empty where they worked.",
        ({ calls }) => calls,
      ),
      family(
        'bindery_tool_call_bytes_in_total',
        "Bytes of the files of agents' calls.",
        ({ bytesIn }) => bytesIn,
      ),
      family(
        'bindery_tool_call_bytes_out_total',
        "Bytes of the results of agents' calls.",
        ({ bytesOut }) => bytesOut,
      ),
    ];
  }

  render(): string {
    const lines = this.figures().flatMap((figure) => [
      `# HELP ${figure.name} ${figure.help}`,
      `# TYPE ${figure.name} ${figure.type}`,
      ...(figure.type === 'histogram'
        ? figure.points.flatMap(({ labels, value }) => histogramLines(figure.name, labels, value))
        : figure.points.map(({ labels, value }) => `${figure.name}${braces(labels)} ${value}`)),
    ]);
    return `${lines.join('\n')}\n`;
  }
}

function figureOf(gauge: Gauge): Figure {
  const { name, help } = gauge;
  if (gauge.type === 'histogram')
    return { name, help, type: 'histogram', points: [{ labels: {}, value: gauge.read() }] };
  const { type, label = 'of', labels = {}, read } = gauge;
  const value = read();
  const points =
    typeof value === 'number'
      ? [{ labels, value }]
      : Object.entries(value).map(([word, number]) => ({
          labels: { ...labels, [label]: word },
          value: number,
        }));
  return { name, help, type, points };
}

function braces(labels: Labels): string {
  const named = Object.entries(labels).map(([name, word]) => `${name}="${word}"`);
  return named.length === 0 ? '' : `{${named.join(',')}}`;
}

function histogramLines(name: string, labels: Labels, { bounds, counts, sum }: Histogram): string[] {
  let count = 0;
  const lines = counts.map((each, i) => {
    count += each;
    return `${name}_bucket${braces({ ...labels, le: String(bounds[i] ?? '+Inf') })} ${count}`;
  });
  return [...lines, `${name}_sum${braces(labels)} ${sum}`, `${name}_count${braces(labels)} ${count}`];
}
