// A warm pool of worker processes, one job at a time each. Whatever a worker does (crash, hang, eat memory),
// its one caller gets a clean problem and the next job finds a fresh worker.
import type { Log } from '../contract/log.ts';
import { Problem } from '../contract/problems.ts';
import type { EngineStates } from '../engines/engines.ts';
import type { Fence } from './isolation.ts';
import type { Job, JobOutcome } from './job.ts';
import type { FromWorker } from './messages.ts';
import type { PoolLoad, Runner } from './runner.ts';
import { WorkerProcess } from './worker-process.ts';
import type { Workspace, Workspaces } from './workspace.ts';

export interface PoolSettings {
  count: number;
  queue: number;
  deadlineMs: number;
  memoryBytes: number;
  jobsEach: number;
  fence: Fence;
  logLevel: string;
  dataDir: string;
}

const SAMPLE_MS = 1000;
const RESTART_PAUSE_MS = 1000;
const REST_MS = 60_000;
/** A worker that has only worked on structure stays below this; one that rendered does not. */
const RESTED_BYTES = 130 * 1024 * 1024;
const OUT_OF_MEMORY = /heap out of memory|allocation failed|bad_alloc|out of memory|Zone/i;

type Done = Extract<FromWorker, { kind: 'done' }>;

interface Task {
  job: Job;
  workspace: Workspace;
  resolve(outcome: JobOutcome): void;
  reject(reason: unknown): void;
}

interface Slot {
  id: number;
  process: WorkerProcess;
  ready: boolean;
  /** Ended on purpose: whoever did that has seen to a successor. */
  retired: boolean;
  task: Task | undefined;
  jobsDone: number;
  startedAt: number;
  idleSince: number;
}

export class Pool implements Runner {
  private readonly settings: PoolSettings;
  private readonly workspaces: Workspaces;
  private readonly log: Log;
  private readonly slots = new Map<number, Slot>();
  private readonly waiting: Task[] = [];
  private readonly sampler: NodeJS.Timeout;
  private found: EngineStates | undefined;
  private nextId = 1;
  private starting = 0;
  private restarts = 0;
  private closing = false;

  constructor(settings: PoolSettings, workspaces: Workspaces, log: Log) {
    this.settings = settings;
    this.workspaces = workspaces;
    this.log = log;
    void this.startWorker();
    this.sampler = setInterval(() => this.sample(), SAMPLE_MS);
    this.sampler.unref();
  }

  engines(): EngineStates | undefined {
    return this.found;
  }

  load(): PoolLoad {
    const slots = [...this.slots.values()];
    return {
      workers: slots.filter((slot) => slot.ready).length,
      busy: slots.filter((slot) => slot.task).length,
      waiting: this.waiting.length,
      restarts: this.restarts,
      workerRssBytes: slots.reduce((sum, slot) => sum + slot.process.rssBytes(), 0),
    };
  }

  run(job: Job, workspace: Workspace, signal: AbortSignal): Promise<JobOutcome> {
    const { promise, resolve, reject } = Promise.withResolvers<JobOutcome>();
    const task: Task = { job, workspace, resolve, reject };
    if (signal.aborted) return Promise.reject(signal.reason);
    const free = this.freeSlot();
    if (free) this.dispatch(free, task);
    else if (this.waiting.length >= this.settings.queue) return Promise.reject(this.queueFull());
    else this.waiting.push(task);
    const deadline = setTimeout(() => this.stop(task, this.deadlinePassed()), this.settings.deadlineMs);
    const onAbort = () => this.stop(task, signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    return promise.finally(() => {
      clearTimeout(deadline);
      signal.removeEventListener('abort', onAbort);
    });
  }

  async close(): Promise<void> {
    this.closing = true;
    clearInterval(this.sampler);
    for (const task of this.waiting.splice(0))
      task.reject(new Problem('unavailable', 'The service is stopping.', { retryAfterSeconds: 5 }));
    for (const slot of this.slots.values()) {
      slot.task?.reject(new Problem('unavailable', 'The service is stopping.', { retryAfterSeconds: 5 }));
      slot.task = undefined;
      slot.process.kill();
    }
    await Promise.all([...this.slots.keys()].map((id) => this.workspaces.removeForWorker(id)));
    this.slots.clear();
  }

  private alive(): number {
    return [...this.slots.values()].filter((slot) => !slot.retired).length;
  }

  private freeSlot(): Slot | undefined {
    for (const slot of this.slots.values()) if (slot.ready && !slot.task) return slot;
    return undefined;
  }

  private dispatch(slot: Slot, task: Task): void {
    slot.task = task;
    try {
      task.workspace.moveInto(this.ownDir(slot.id));
    } catch (error) {
      slot.task = undefined;
      task.reject(Problem.from(error));
      return;
    }
    slot.process.run(task.job, task.workspace.dir);
    this.keepSpare();
  }

  /** One worker more than is busy stands ready, up to the number allowed: a quiet service stays small. */
  private keepSpare(): void {
    const spare = [...this.slots.values()].some((slot) => !slot.task && !slot.retired);
    if (!spare && this.alive() + this.starting < this.settings.count) void this.startWorker();
  }

  private ownDir(id: number): string {
    return `${this.workspaces.root}/worker-${id}`;
  }

  private async startWorker(): Promise<void> {
    const id = this.nextId;
    this.nextId += 1;
    this.starting += 1;
    const ownDir = await this.workspaces.openForWorker(id);
    this.starting -= 1;
    if (this.closing) return;
    const process = new WorkerProcess(
      {
        fence: this.settings.fence,
        memoryBytes: this.settings.memoryBytes,
        logLevel: this.settings.logLevel,
        dataDir: this.settings.dataDir,
        ownDir,
      },
      {
        ready: (engines) => this.onReady(slot, engines),
        done: (message) => this.onDone(slot, message),
        exit: (diagnosis) => this.onExit(slot, diagnosis),
      },
    );
    const slot: Slot = {
      id,
      process,
      ready: false,
      retired: false,
      task: undefined,
      jobsDone: 0,
      startedAt: Date.now(),
      idleSince: Date.now(),
    };
    this.slots.set(id, slot);
  }

  private onReady(slot: Slot, engines: EngineStates): void {
    this.found = engines;
    slot.ready = true;
    this.feed(slot);
  }

  private onDone(slot: Slot, { jobId, outcome, madeDirectory, retire }: Done): void {
    const { task } = slot;
    if (!task || task.job.id !== jobId) return;
    if (madeDirectory) task.workspace.noteMade();
    slot.task = undefined;
    slot.jobsDone += 1;
    slot.idleSince = Date.now();
    task.resolve(outcome);
    const outgrown = slot.jobsDone % 20 === 0 && slot.process.rssBytes() > this.settings.memoryBytes / 2;
    if (retire || outgrown || slot.jobsDone >= this.settings.jobsEach) this.replace(slot);
    else this.feed(slot);
  }

  private feed(slot: Slot): void {
    const next = this.waiting.shift();
    if (next) this.dispatch(slot, next);
  }

  /** A new worker first, then the old one goes: there is no gap in which none is warm. */
  private replace(slot: Slot): void {
    this.restarts += 1;
    void this.startWorker();
    this.retire(slot);
  }

  private retire(slot: Slot): void {
    slot.retired = true;
    slot.ready = false;
    slot.process.kill();
  }

  private onExit(
    slot: Slot,
    { code, signal, stderr }: { code: number | null; signal: string | null; stderr: string },
  ): void {
    const known = this.slots.delete(slot.id);
    const { task } = slot;
    slot.task = undefined;
    if (task) {
      task.workspace.noteMade();
      this.log.error('worker ended during a job', { code, signal, stderr, jobId: task.job.id });
      task.reject(OUT_OF_MEMORY.test(stderr) ? this.memoryExceeded() : this.crashed());
    }
    void this.workspaces.removeForWorker(slot.id);
    if (this.closing || !known || slot.retired) return;
    this.restarts += 1;
    const young = Date.now() - slot.startedAt < RESTART_PAUSE_MS && !slot.ready;
    if (young) this.log.error('worker could not start', { code, signal, stderr });
    setTimeout(() => void this.startWorker(), young ? RESTART_PAUSE_MS : 0);
  }

  /** Ends a task before its time: out of the queue, or with the worker that holds it. */
  private stop(task: Task, reason: unknown): void {
    const place = this.waiting.indexOf(task);
    if (place >= 0) this.waiting.splice(place, 1);
    for (const slot of this.slots.values()) {
      if (slot.task !== task) continue;
      slot.task = undefined;
      task.workspace.noteMade();
      this.replace(slot);
    }
    task.reject(reason);
  }

  private sample(): void {
    for (const slot of this.slots.values()) {
      if (slot.task && slot.process.rssBytes() > this.settings.memoryBytes + 300 * 1024 * 1024) {
        this.stop(slot.task, this.memoryExceeded());
      }
    }
    this.rest();
  }

  /** After a quiet minute one small worker is left: spare ones go, and one that has grown makes way for a fresh one. */
  private rest(): void {
    const idle = [...this.slots.values()].filter((slot) => slot.ready && !slot.task);
    const rested = idle.filter((slot) => Date.now() - slot.idleSince > REST_MS);
    if (idle.length > 1 && rested[0]) this.retire(rested[0]);
    else if (
      idle.length === 1 &&
      rested[0] &&
      rested[0].jobsDone > 0 &&
      rested[0].process.rssBytes() > RESTED_BYTES
    ) {
      this.replace(rested[0]);
    }
  }

  private queueFull(): Problem {
    return new Problem('unavailable', 'All workers are busy and the queue is full.', {
      retryAfterSeconds: 2,
    });
  }

  private deadlinePassed(): Problem {
    const seconds = this.settings.deadlineMs / 1000;
    return new Problem('deadline_exceeded', `The request took longer than the ${seconds} seconds allowed.`);
  }

  private memoryExceeded(): Problem {
    return new Problem('memory_exceeded', 'The document needs more memory than a worker may use.');
  }

  private crashed(): Problem {
    return new Problem('internal', 'The worker that processed the document ended unexpectedly.');
  }
}
