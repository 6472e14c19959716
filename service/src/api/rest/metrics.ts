// Counts for GET /metrics, in the Prometheus text format. Labels are words of ours, so their number is bounded.
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
  | (Described & {
      type: 'histogram';
      /** One count more than there are bounds. */
      read(): { bounds: readonly number[]; counts: readonly number[]; sum: number };
    });

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

  render(): string {
    const all = [...this.#series.values()].sort((a, b) => (a.operation < b.operation ? -1 : 1));
    const lines = [
      ...heading('bindery_requests_total', 'counter', 'Requests answered, by operation and status.'),
      ...all.flatMap(requestLines),
      ...heading('bindery_request_duration_seconds', 'histogram', 'Time from request to end of response.'),
      ...all.flatMap(durationLines),
      ...heading('bindery_request_bytes_total', 'counter', 'Bytes of request bodies received.'),
      ...all.map(
        ({ operation, bytesIn }) => `bindery_request_bytes_total{operation="${operation}"} ${bytesIn}`,
      ),
      ...heading('bindery_response_bytes_total', 'counter', 'Bytes of response bodies sent.'),
      ...all.map(
        ({ operation, bytesOut }) => `bindery_response_bytes_total{operation="${operation}"} ${bytesOut}`,
      ),
      ...toolLines([...this.#tools.values()]),
      ...this.#gauges.flatMap((gauge) => [
        ...heading(gauge.name, gauge.type, gauge.help),
        ...valuesOf(gauge),
      ]),
    ];
    return `${lines.join('\n')}\n`;
  }
}

function valuesOf(gauge: Gauge): string[] {
  if (gauge.type === 'histogram') return histogramLines(gauge.name, '', gauge.read());
  const { name, label = 'of', labels = {}, read } = gauge;
  const value = read();
  const fixed = Object.entries(labels).map(([word, text]) => `${word}="${text}"`);
  if (typeof value === 'number') return [`${name}${fixed.length > 0 ? `{${fixed.join(',')}}` : ''} ${value}`];
  return Object.entries(value).map(([word, number]) => `${name}{${label}="${word}"} ${number}`);
}

function toolLines(tools: readonly ToolSeries[]): string[] {
  const family = (name: string, help: string, read: (series: ToolSeries) => number): string[] => [
    ...heading(name, 'counter', help),
    ...tools.map(
      (each) =>
        `${name}{tool="${each.tool}",operation="${each.operation}",reason="${each.reason}"} ${read(each)}`,
    ),
  ];
  if (tools.length === 0) return [];
  return [
    ...family(
      'bindery_tool_calls_total',
      "Calls of agents' tools; reason is empty where they worked.",
      (each) => each.calls,
    ),
    ...family(
      'bindery_tool_call_bytes_in_total',
      "Bytes of the files of agents' calls.",
      (each) => each.bytesIn,
    ),
    ...family(
      'bindery_tool_call_bytes_out_total',
      "Bytes of the results of agents' calls.",
      (each) => each.bytesOut,
    ),
  ];
}

const heading = (name: string, type: string, help: string): string[] => [
  `# HELP ${name} ${help}`,
  `# TYPE ${name} ${type}`,
];

const requestLines = ({ operation, byStatus }: Series): string[] =>
  [...byStatus].map(
    ([status, count]) => `bindery_requests_total{operation="${operation}",status="${status}"} ${count}`,
  );

const durationLines = ({ operation, buckets, seconds }: Series): string[] =>
  histogramLines('bindery_request_duration_seconds', `operation="${operation}"`, {
    ...{ bounds: BUCKETS_SECONDS, counts: [...buckets], sum: seconds },
  });

/** `label` as it stands between the braces; empty: none. */
function histogramLines(
  name: string,
  label: string,
  { bounds, counts, sum }: { bounds: readonly number[]; counts: readonly number[]; sum: number },
): string[] {
  const before = label === '' ? '' : `${label},`;
  const labels = label === '' ? '' : `{${label}}`;
  let count = 0;
  const lines = counts.map((each, i) => {
    count += each;
    return `${name}_bucket{${before}le="${bounds[i] ?? '+Inf'}"} ${count}`;
  });
  return [...lines, `${name}_sum${labels} ${sum}`, `${name}_count${labels} ${count}`];
}
