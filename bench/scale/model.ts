// How many nodes a load needs, from what calls cost, and how long callers then wait, by simulation. The same numbers at
// every run: chance is drawn from a fixed seed.
import { averageCost, type Costs, MIXES, type Mix } from './costs.ts';

export const RATES = [1, 10, 100, 1000, 3000, 10_000] as const;

/** How busy each part may be: bursts must find room, and the API process answers everybody with one thread. */
const WORKERS_BUSY = 0.7;
const API_BUSY = 0.6;
const REDIS_BUSY = 0.6;
/** Processors, and worker processes, of a worker node. */
export const NODE_PROCESSORS = 8;
/** So many calls are simulated; the first tenth, while queues form, is not counted. */
const SIMULATED = 20_000;
const SEED = 20_261_116;

export interface Capacity {
  rate: number;
  workerProcesses: number;
  workerNodes: number;
  apiNodes: number;
  redisCommands: number;
  /** Of one processor, which is all that a Redis uses for commands. */
  redisBusy: number;
  redisServers: number;
  networkMbit: number;
  bucketMb: number;
  waitMs: { median: number; most: number };
}

export function capacityFor(costs: Costs, mix: Mix, rate: number): Capacity {
  const cost = averageCost(costs, mix);
  const workerProcesses = Math.max(2, Math.ceil((rate * cost.workerMs) / 1000 / WORKERS_BUSY));
  const workerNodes = Math.max(2, Math.ceil(workerProcesses / NODE_PROCESSORS));
  const redisBusy = (rate * cost.redisMs) / 1000;
  return {
    rate,
    workerProcesses,
    workerNodes,
    apiNodes: Math.max(2, Math.ceil((rate * cost.apiMs) / 1000 / API_BUSY)),
    redisCommands: rate * cost.redisCommands,
    redisBusy,
    redisServers: Math.max(1, Math.ceil(redisBusy / REDIS_BUSY)),
    networkMbit: (rate * (cost.bytesIn + cost.bytesOut) * 8) / 1e6,
    bucketMb: (rate * cost.bucketBytes) / 1e6,
    waitMs: simulateWaits(costs, mix, rate, workerProcesses),
  };
}

/** Calls per second at which one Redis, and one API process, have no room left. */
export function saturation(costs: Costs, mix: Mix): { redis: number; api: number; worker: number } {
  const { redisMs, apiMs, workerMs } = averageCost(costs, mix);
  return {
    redis: (1000 * REDIS_BUSY) / redisMs,
    api: (1000 * API_BUSY) / apiMs,
    worker: (1000 * WORKERS_BUSY * NODE_PROCESSORS) / workerMs,
  };
}

/**
 * Calls come by chance (a Poisson process), are drawn from the mix, and take what was measured, stretched by chance since
 * documents differ (exponentially: as many short ones, as few very long ones). Who comes first is served first.
 */
function simulateWaits(costs: Costs, mix: Mix, rate: number, processes: number): Capacity['waitMs'] {
  const chance = chanceFrom(SEED);
  const exponential = (mean: number): number => -mean * Math.log(1 - chance());
  const operations = Object.entries(mix).map(([operation, share]) => ({
    share,
    ms: costs.calls.find((each) => each.operation === operation)?.workerMs ?? 0,
  }));
  const draw = (): number => {
    let left = chance();
    for (const { share, ms } of operations) {
      left -= share;
      if (left <= 0) return ms;
    }
    return operations.at(-1)?.ms ?? 0;
  };
  const free = new FreeAt(processes);
  const waits: number[] = [];
  let now = 0;
  for (let call = 0; call < SIMULATED; call += 1) {
    now += exponential(1000 / rate);
    const begin = Math.max(now, free.soonest);
    free.occupy(begin + exponential(draw()));
    if (call >= SIMULATED / 10) waits.push(begin - now);
  }
  waits.sort((a, b) => a - b);
  return { median: at(waits, 0.5), most: at(waits, 0.99) };
}

const at = (sorted: readonly number[], part: number): number => sorted[Math.floor(sorted.length * part)] ?? 0;

/** When each process is free again: a heap, the soonest at its top. */
class FreeAt {
  readonly #times: number[];

  constructor(processes: number) {
    this.#times = new Array<number>(processes).fill(0);
  }

  get soonest(): number {
    return this.#times[0] ?? 0;
  }

  /** Takes the one that is free first. */
  occupy(until: number): void {
    const times = this.#times;
    let place = 0;
    for (;;) {
      const left = 2 * place + 1;
      const right = left + 1;
      const child = (times[right] ?? Infinity) < (times[left] ?? Infinity) ? right : left;
      const below = times[child];
      if (below === undefined || below >= until) break;
      times[place] = below;
      place = child;
    }
    times[place] = until;
  }
}

/** Numbers from 0 to 1, the same from the same seed (mulberry32). */
function chanceFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export { MIXES };
