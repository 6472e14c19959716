// Those who wait for a worker: callers take turns, whoever has fewest at work goes first, and each caller's own jobs
// keep their order. Where there is no place left, the newest job of whoever holds most places makes way.

export interface Queued {
  /** The caller's key. */
  owner: string;
  /** What it will take, as far as is known. */
  estimateMs: number | undefined;
}

/** For jobs of which nothing is known. */
const UNKNOWN_MS = 1000;

const costOf = ({ estimateMs }: Queued): number => estimateMs ?? UNKNOWN_MS;

interface Line<T> {
  jobs: T[];
  /** What all of them will take. */
  costMs: number;
  /** When one of them was last taken, in turns. */
  servedAt: number;
}

export class Queue<T extends Queued> {
  readonly #lines = new Map<string, Line<T>>();
  #length = 0;
  #turn = 0;

  get length(): number {
    return this.#length;
  }

  add(job: T): void {
    // Whoever comes anew stands behind those who were here: coming and going gains nothing.
    const line = this.#lines.get(job.owner) ?? { jobs: [], costMs: 0, servedAt: this.#turn };
    line.jobs.push(job);
    line.costMs += costOf(job);
    this.#lines.set(job.owner, line);
    this.#length += 1;
  }

  /** The next whose turn it is, of those that may be taken; it stays until it is removed. */
  next(running: ReadonlyMap<string, number>, mayTake: (job: T) => boolean = () => true): T | undefined {
    let best: { job: T; busy: number; servedAt: number } | undefined;
    for (const [owner, { jobs, servedAt }] of this.#lines) {
      const busy = running.get(owner) ?? 0;
      if (best && (busy > best.busy || (busy === best.busy && servedAt >= best.servedAt))) continue;
      const job = jobs.find(mayTake);
      if (job !== undefined) best = { job, busy, servedAt };
    }
    return best?.job;
  }

  /** Taken to be run: its caller's next one waits for the turns of the others. */
  take(job: T): void {
    const line = this.#lines.get(job.owner);
    this.#turn += 1;
    if (line) line.servedAt = this.#turn;
    this.remove(job);
  }

  /** False where it does not wait. */
  remove(job: T): boolean {
    const line = this.#lines.get(job.owner);
    const at = line?.jobs.indexOf(job) ?? -1;
    if (!line || at < 0) return false;
    line.jobs.splice(at, 1);
    line.costMs -= costOf(job);
    this.#length -= 1;
    if (line.jobs.length === 0) this.#lines.delete(job.owner);
    return true;
  }

  /** Who makes way for one more of this caller, where the queue is full: nobody, if no other has more places. */
  whoMakesWay(owner: string): T | undefined {
    const own = this.#lines.get(owner)?.jobs.length ?? 0;
    let longest: Line<T> | undefined;
    for (const line of this.#lines.values())
      if (line.jobs.length > (longest?.jobs.length ?? own + 1)) longest = line;
    return longest?.jobs.at(-1);
  }

  /** The work that comes before one more of this caller's: his own, and as many turns of each other. */
  workBefore(owner: string): number {
    const turns = (this.#lines.get(owner)?.jobs.length ?? 0) + 1;
    let sum = 0;
    for (const [other, { jobs, costMs }] of this.#lines)
      sum += other === owner ? costMs : costMs * Math.min(1, turns / jobs.length);
    return sum;
  }

  all(): T[] {
    return [...this.#lines.values()].flatMap(({ jobs }) => jobs);
  }

  /** All of them, out of the queue. */
  clear(): T[] {
    const all = this.all();
    this.#lines.clear();
    this.#length = 0;
    return all;
  }
}
