// Which job a free worker takes next, and who is refused because he would wait too long. Callers take turns; short
// work does not stand behind long work.
import type { Problem } from '../contract/problems.ts';
import { Costs } from './costs.ts';
import { Queue } from './queue.ts';
import { queueFull, queueTooSlow } from './refusals.ts';
import type { Task } from './task.ts';

/** Short work, by what it took so far. */
const LIGHT_MS = 250;
/** Short work that has waited so long, since all workers are at long work, gets a worker beyond their number. */
const LIGHT_WAIT_MS = 500;
/** So long, where its caller has nothing at work: all workers are at the documents of others. */
const STRANGER_WAIT_MS = 100;

export interface ScheduleSettings {
  /** Workers; one more serves short work while all of these are busy. */
  count: number;
  /** Jobs that may wait. */
  queue: number;
  /** How long a job may wait for a worker. */
  waitMs: number;
}

export class Schedule {
  readonly costs = new Costs();
  readonly #settings: ScheduleSettings;
  readonly #queue = new Queue<Task>();

  constructor(settings: ScheduleSettings) {
    this.#settings = settings;
  }

  get waiting(): number {
    return this.#queue.length;
  }

  get oldestSeconds(): number {
    const oldest = this.#queue
      .all()
      .reduce((least, { queuedAt }) => Math.min(least, queuedAt), performance.now());
    return (performance.now() - oldest) / 1000;
  }

  add(task: Task): void {
    this.#queue.add(task);
  }

  /** For one that was not begun at once: it may be its turn though no worker became free. */
  lookLater(task: Task, look: () => void): void {
    if (task.startedAt !== undefined || !mayBeLight(task)) return;
    for (const waitMs of [STRANGER_WAIT_MS, LIGHT_WAIT_MS]) setTimeout(look, waitMs).unref();
  }

  remove(task: Task): void {
    this.#queue.remove(task);
  }

  clear(): Task[] {
    return this.#queue.clear();
  }

  begun(task: Task): void {
    this.#queue.take(task);
    task.startedAt = performance.now();
  }

  noteCost({ job, startedAt }: Task): void {
    if (startedAt !== undefined) this.costs.note(job, performance.now() - startedAt);
  }

  /** By what is at work for callers now, and whether a worker beyond their number is there already. */
  next(owned: readonly Task[], isBeyondUp = false): Task | undefined {
    if (this.#queue.length === 0) return undefined;
    const running = new Map<string, number>();
    for (const { owner } of owned) running.set(owner, (running.get(owner) ?? 0) + 1);
    const beyond = owned.length - this.#settings.count;
    if (beyond < 0) return this.#queue.next(running);
    return beyond === 0 ? this.#nextShort(owned, running, isBeyondUp) : undefined;
  }

  mostWorkers(owned: readonly Task[]): number {
    const { count } = this.#settings;
    return owned.length >= count && this.next(owned) ? count + 1 : count;
  }

  refusalFor(owner: string, estimateMs: number | undefined, owned: readonly Task[]): Problem | undefined {
    if (this.#isFull(owned) && this.#queue.whoMakesWay(owner) === undefined) return queueFull();
    if (isShort(estimateMs)) return undefined;
    const { waitMs } = this.#settings;
    const aheadMs = this.#aheadMs(owner, owned);
    return aheadMs > waitMs ? queueTooSlow(aheadMs, waitMs) : undefined;
  }

  /** Who makes way for one more of this caller's, where there is no place left. */
  outdoneBy(owner: string, owned: readonly Task[]): Task | undefined {
    return this.#isFull(owned) ? this.#queue.whoMakesWay(owner) : undefined;
  }

  /**
   * Not for a caller whose work was thought to be short and is not: it might keep this worker, too. For one who has
   * nothing at work it is there sooner, and for work of which nothing is known.
   */
  #nextShort(
    owned: readonly Task[],
    running: ReadonlyMap<string, number>,
    isBeyondUp: boolean,
  ): Task | undefined {
    const now = performance.now();
    const isLong = ({ startedAt = now }: Task): boolean => now - startedAt > LIGHT_MS;
    // Where workers go from one short call to the next, one more would not make them faster.
    if (!owned.every(isLong)) return undefined;
    const surprising = new Set(owned.filter(isLight).map(({ owner }) => owner));
    return this.#queue.next(running, (task) => {
      const waitedMs = now - task.queuedAt;
      if (running.has(task.owner))
        return isLight(task) && waitedMs >= LIGHT_WAIT_MS && !surprising.has(task.owner);
      if (!isLight(task)) return mayBeLight(task) && waitedMs >= LIGHT_WAIT_MS;
      return isBeyondUp || waitedMs >= STRANGER_WAIT_MS;
    });
  }

  /** Those for whom a worker may still be started do not take a place in the queue. */
  #isFull(owned: readonly Task[]): boolean {
    const { count, queue } = this.#settings;
    return this.#queue.length >= queue + Math.max(0, count - owned.length);
  }

  /** How long one more of this caller's jobs would wait, by what others took so far. */
  #aheadMs(owner: string, owned: readonly Task[]): number {
    if (this.#queue.length === 0) return 0;
    const now = performance.now();
    const running = owned.reduce(
      (sum, { estimateMs = 0, startedAt = now }) => sum + Math.max(0, estimateMs - (now - startedAt)),
      0,
    );
    return (running + this.#queue.workBefore(owner)) / this.#settings.count;
  }
}

const isShort = (estimateMs: number | undefined): boolean =>
  estimateMs !== undefined && estimateMs < LIGHT_MS;

const isLight = ({ estimateMs }: Task): boolean => isShort(estimateMs);

const mayBeLight = ({ estimateMs }: Task): boolean => estimateMs === undefined || isShort(estimateMs);
