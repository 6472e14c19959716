// What a call costs, as measured by `npm run bench scale -- --measure` and kept in bench/scale-costs.json.

export interface CallCost {
  operation: string;
  document: string;
  /** Processor time in milliseconds. */
  apiMs: number;
  /** Of the worker node: its worker processes and the process that feeds them. */
  workerMs: number;
  redisMs: number;
  /** Commands that Redis ran, within scripts too. */
  redisCommands: number;
  /** Questions that nodes asked it. */
  redisRoundTrips: number;
  bytesIn: number;
  bytesOut: number;
  /** Bytes through the bucket, both ways. */
  bucketBytes: number;
}

export interface Costs {
  measured: string;
  machine: string;
  /** Where work is done: by the queue on nodes of their own, or on the node that was asked. */
  path: 'queue' | 'same node';
  calls: readonly CallCost[];
}

/** Shares of calls, by operation; they add up to 1. */
export type Mix = Readonly<Record<string, number>>;

export const MIXES: Readonly<Record<string, Mix>> = {
  'PDF work': {
    'analysis/page-count': 0.2,
    'general/rotate-pdf': 0.2,
    'general/merge-pdfs': 0.1,
    'convert/pdf/text': 0.2,
    'convert/pdf/img': 0.1,
    'misc/compress-pdf': 0.1,
    'security/add-watermark': 0.1,
  },
  'with conversions': {
    'analysis/page-count': 0.15,
    'general/rotate-pdf': 0.15,
    'general/merge-pdfs': 0.1,
    'convert/pdf/text': 0.15,
    'convert/pdf/img': 0.1,
    'misc/compress-pdf': 0.1,
    'security/add-watermark': 0.05,
    'convert/file/pdf': 0.1,
    'convert/html/pdf': 0.07,
    'misc/ocr-pdf': 0.03,
  },
};

export type CostKey = Exclude<keyof CallCost, 'operation' | 'document'>;

/** Of a call of this mix, on average. */
export function averageCost(costs: Costs, mix: Mix): Record<CostKey, number> {
  const sum = {
    apiMs: 0,
    workerMs: 0,
    redisMs: 0,
    redisCommands: 0,
    redisRoundTrips: 0,
    bytesIn: 0,
    bytesOut: 0,
    bucketBytes: 0,
  };
  for (const [operation, share] of Object.entries(mix)) {
    const cost = costs.calls.find((each) => each.operation === operation);
    if (!cost) throw new Error(`${operation} has not been measured`);
    for (const key of Object.keys(sum) as CostKey[]) sum[key] += share * cost[key];
  }
  return sum;
}
