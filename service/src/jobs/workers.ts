// The worker processes of this machine: as many as are wanted and allowed, replaced when they die or outgrow
// their use. Knows nothing of what they work on but whether they do.
import type { Log } from '../contract/log.ts';
import type { Stretch } from '../contract/work-budget.ts';
import type { EngineName, EngineStates } from '../engines/engines.ts';
import { removeDeadPipes } from './dead-pipes.ts';
import type { Ask, Done, Fetch, FromWorker, Help, Progressed, Sign, StepBegun } from './messages.ts';
import { RESIDENT_ENGINES, residentBytes } from './resident-engines.ts';
import { StartPause } from './start-pause.ts';
import { type Ending, WorkerProcess } from './worker-process.ts';
import { TIMES, type Times, type WorkerPoolSettings } from './worker-settings.ts';
import type { Workspaces } from './workspace.ts';

const CLOSE_LIMIT_MS = 5000;
const PIPES_EVERY_MS = 60_000;
/** Of one worker; a browser has some ten. Where the service runs as root no limit of the kernel counts them. */
const MOST_PROCESSES = 256;
/** Resident memory of a worker that has opened nothing, and some room. */
const NODE_RSS_BYTES = 150 * 1024 * 1024;
/** A worker that has only worked on structure stays below this growth; one that rendered does not. */
const RESTED_GROWTH_BYTES = 12 * 1024 * 1024;

export interface Worker<Task> {
  readonly id: number;
  readonly dir: string;
  readonly process: WorkerProcess;
  state: 'starting' | 'up' | 'ending';
  task: Task | undefined;
  jobsDone: number;
  readonly startedAt: number;
  idleSince: number;
  freshRssBytes: number;
  /** Engines it keeps running for the next job that needs them. */
  warm: readonly EngineName[];
  /** The key whose document it worked on last. */
  owner: string | undefined;
}

export interface WorkersEvents<Task> {
  /** A worker is up, or gone: there may be something to do. */
  changed(): void;
  step(worker: Worker<Task>, message: StepBegun): void;
  progress(worker: Worker<Task>, message: Progressed): void;
  ask(worker: Worker<Task>, message: Ask): void;
  fetch(worker: Worker<Task>, message: Fetch): void;
  help(worker: Worker<Task>, message: Help): void;
  sign(worker: Worker<Task>, message: Sign): void;
  done(worker: Worker<Task>, message: Done): void;
  /** A worker ended while it had a task. */
  lost(task: Task, ending: Ending): void;
  outOfMemory(worker: Worker<Task>): void;
  /** What it is at takes more processor time than a document may ask for. */
  overdrawn(worker: Worker<Task>, stretch: Stretch): void;
  /** Engines that a task may start. */
  enginesOf(task: Task): readonly EngineName[];
}

export class Workers<Task> {
  private readonly settings: WorkerPoolSettings;
  private readonly times: Times;
  private readonly workspaces: Workspaces;
  private readonly log: Log;
  private readonly events: WorkersEvents<Task>;
  private readonly all = new Map<number, Worker<Task>>();
  private readonly sampler: NodeJS.Timeout;
  private readonly watcher: NodeJS.Timeout;
  private readonly removals = new Set<Promise<void>>();
  private found: EngineStates | undefined;
  private nextId = 1;
  private readonly pause: StartPause;
  private lastUpAt = Date.now();
  private pipesRemovedAt = Date.now();
  private closing = false;
  restarts = 0;

  constructor(settings: WorkerPoolSettings, workspaces: Workspaces, log: Log, events: WorkersEvents<Task>) {
    this.settings = settings;
    this.times = { ...TIMES, ...settings.times };
    this.workspaces = workspaces;
    this.log = log;
    this.events = events;
    this.pause = new StartPause(this.times.restartPauseMs, () => this.events.changed());
    this.sampler = setInterval(() => this.sample(), this.times.sampleMs);
    this.sampler.unref();
    this.watcher = setInterval(() => {
      for (const worker of this.busy()) {
        worker.process.noteMemory();
        const stretch = worker.process.overdrawn();
        if (stretch) this.events.overdrawn(worker, stretch);
      }
    }, this.times.memoryLookMs);
    this.watcher.unref();
  }

  up(): Worker<Task>[] {
    return [...this.all.values()].filter(({ state }) => state === 'up');
  }

  /**
   * The idle worker that suits best: one that runs what the task needs; else one that runs nothing, so that those who
   * do are there for the next who needs it.
   */
  idleFor(owner: string, engines: readonly EngineName[]): Worker<Task> | undefined {
    const wanted = engines.filter((name) => RESIDENT_ENGINES.has(name));
    const idle = this.up().filter((worker) => worker.task === undefined && this.mayServe(worker, owner));
    const cost = ({ warm }: Worker<Task>): number =>
      wanted.filter((name) => !warm.includes(name)).length * 10 +
      warm.filter((name) => !wanted.includes(name)).length;
    return idle.reduce<Worker<Task> | undefined>(
      (best, worker) => (best === undefined || cost(worker) < cost(best) ? worker : best),
      undefined,
    );
  }

  /** How many have nothing to do, and run nothing that others may want. */
  idle(owner: string): Worker<Task>[] {
    return this.up().filter(
      (worker) => worker.task === undefined && worker.warm.length === 0 && this.mayServe(worker, owner),
    );
  }

  private mayServe(worker: Worker<Task>, owner: string): boolean {
    return !this.settings.workerPerKey || worker.owner === undefined || worker.owner === owner;
  }

  /** Where every place is taken by workers of other keys, the one longest idle makes way for a fresh one. */
  makeWayFor(owner: string, most: number): void {
    if (this.all.size < most || [...this.all.values()].some(({ state }) => state !== 'up')) return;
    const others = this.up().filter((worker) => worker.task === undefined && !this.mayServe(worker, owner));
    const longest = others.sort((a, b) => a.idleSince - b.idleSince)[0];
    if (longest) this.end(longest);
  }

  busy(): Worker<Task>[] {
    return [...this.all.values()].filter(({ task }) => task !== undefined);
  }

  rssBytes(): number {
    return [...this.all.values()].reduce((sum, worker) => sum + worker.process.rssBytes(), 0);
  }

  /**
   * False while workers have failed to come up for a while: a job would wait for nothing. Where documents end one worker
   * after the other and the next is only slow to start, there will be one.
   */
  canWork(): boolean {
    return (
      this.up().length > 0 ||
      Date.now() - this.lastUpAt < this.times.patienceMs ||
      (!this.pause.hasFailed && this.isStarting())
    );
  }

  /** What the workers found on this machine; undefined until the first is up, and while none comes up. */
  engines(): EngineStates | undefined {
    return this.canWork() ? this.found : undefined;
  }

  /** Starts workers until there are so many. One that is ending counts until it is gone. */
  want(count: number): void {
    if (this.closing || this.pause.isOn) return;
    while (this.all.size < count && !this.pause.isOn) this.start();
  }

  /** Lets a worker that has answered go, where it has served its time. */
  finished(worker: Worker<Task>, mustEnd: boolean): void {
    worker.jobsDone += 1;
    worker.idleSince = Date.now();
    const { jobsEach, memoryBytes } = this.settings;
    const outgrown =
      worker.jobsDone % 20 === 0 && worker.process.rssBytes() - residentBytes(worker.warm) > memoryBytes / 2;
    if (mustEnd || outgrown || worker.jobsDone >= jobsEach) this.replace(worker);
  }

  replace(worker: Worker<Task>): void {
    this.restarts += 1;
    this.end(worker);
  }

  async close(): Promise<void> {
    this.closing = true;
    clearInterval(this.sampler);
    clearInterval(this.watcher);
    this.pause.close();
    for (const worker of this.all.values()) this.end(worker);
    const giveUpAt = Date.now() + CLOSE_LIMIT_MS;
    while (this.all.size > 0 && Date.now() < giveUpAt) await new Promise((next) => setTimeout(next, 5));
    await Promise.all(this.removals);
  }

  private end(worker: Worker<Task>): void {
    if (worker.state === 'up') this.lastUpAt = Date.now();
    worker.state = 'ending';
    worker.process.kill();
  }

  private start(): void {
    const id = this.nextId;
    this.nextId += 1;
    const { isolation, memoryBytes, logLevel, dataDir, fontDir } = this.settings;
    try {
      const dir = this.workspaces.openForWorker(id);
      const process = new WorkerProcess(
        { isolation, memoryBytes, logLevel, dataDir, fontDir, ownDir: dir },
        {
          message: (message) => this.heard(worker, message),
          exit: (ending) => this.gone(worker, ending),
        },
      );
      const now = Date.now();
      const worker: Worker<Task> = {
        id,
        dir,
        process,
        state: 'starting',
        task: undefined,
        jobsDone: 0,
        startedAt: now,
        idleSince: now,
        freshRssBytes: 0,
        warm: [],
        owner: undefined,
      };
      this.all.set(id, worker);
    } catch (error) {
      this.log.error('worker could not start', { error });
      this.pause.startFailed();
    }
  }

  private heard(worker: Worker<Task>, message: FromWorker): void {
    if (worker.state === 'ending') return;
    if (message.kind === 'step') this.events.step(worker, message);
    else if (message.kind === 'progress') this.events.progress(worker, message);
    else if (message.kind === 'ask') this.events.ask(worker, message);
    else if (message.kind === 'fetch') this.events.fetch(worker, message);
    else if (message.kind === 'help') this.events.help(worker, message);
    else if (message.kind === 'sign') this.events.sign(worker, message);
    else if (message.kind === 'done') this.events.done(worker, message);
    // Of engines a worker tells before it has seen a document; what it says later may be a document's word.
    else if (worker.state === 'starting') this.cameUp(worker, message.engines);
    else this.replace(worker);
  }

  private cameUp(worker: Worker<Task>, engines: EngineStates): void {
    worker.state = 'up';
    worker.idleSince = Date.now();
    worker.process.noteUp();
    worker.freshRssBytes = worker.process.rssBytes();
    this.found = engines;
    this.events.changed();
  }

  private gone(worker: Worker<Task>, ending: Ending): void {
    const { task, state, id } = worker;
    if (state === 'up') this.lastUpAt = Date.now();
    this.all.delete(id);
    worker.task = undefined;
    worker.state = 'ending';
    this.removeDirectory(id);
    if (this.settings.isolation === 'landlock') removeDeadPipes();
    if (state !== 'ending') {
      this.restarts += 1;
      // One that dies again and again before its first job would keep a processor busy with starting.
      if (task === undefined && worker.jobsDone === 0) this.pause.startFailed();
      if (task === undefined)
        this.log.error(state === 'up' ? 'idle worker ended' : 'worker could not start', { ...ending });
    }
    if (task !== undefined) this.events.lost(task, ending);
    this.events.changed();
  }

  private removeDirectory(id: number): void {
    const removal = this.workspaces
      .removeForWorker(id)
      .catch((error) => this.log.error('a worker directory was not removed', { error }))
      .finally(() => this.removals.delete(removal));
    this.removals.add(removal);
  }

  private sample(): void {
    const now = Date.now();
    const limit = this.settings.memoryBytes + NODE_RSS_BYTES;
    for (const worker of this.all.values()) {
      if (worker.state === 'starting' && now - worker.startedAt > this.times.startLimitMs)
        worker.process.kill();
      if (worker.task === undefined) {
        worker.process.rest();
        continue;
      }
      const allowed = limit + residentBytes([...worker.warm, ...this.events.enginesOf(worker.task)]);
      const { bytes, processes } = worker.process.used();
      if (bytes > allowed || processes > MOST_PROCESSES) this.events.outOfMemory(worker);
    }
    const up = this.up();
    if (up.length > 0) this.lastUpAt = now;
    if (up.some(({ startedAt }) => now - startedAt > this.times.patienceMs)) this.pause.forget();
    this.rest(now);
    this.events.changed();
  }

  /** After a quiet time one small worker is left: spare ones go, and one that has grown makes way for a fresh one. */
  private rest(now: number): void {
    if (this.settings.isolation === 'landlock' && now - this.pipesRemovedAt > PIPES_EVERY_MS) {
      this.pipesRemovedAt = now;
      removeDeadPipes();
    }
    const idle = this.up().filter(({ task }) => task === undefined);
    const rested = idle.find(
      ({ idleSince, warm }) =>
        now - idleSince > (warm.length > 0 ? this.times.warmRestMs : this.times.restMs),
    );
    if (!rested) return;
    if (idle.length > 1) this.end(rested);
    else if (this.hasGrown(rested)) {
      // Its successor comes up first, where one more is allowed; once that is up, the old one is to spare.
      if (this.isStarting()) return;
      if (this.settings.count > this.all.size) this.want(this.all.size + 1);
      else if (this.all.size === 1) this.end(rested);
    }
  }

  private isStarting(): boolean {
    return [...this.all.values()].some(({ state }) => state === 'starting');
  }

  private hasGrown({ process, jobsDone, freshRssBytes }: Worker<Task>): boolean {
    return jobsDone > 0 && process.rssBytes() - freshRssBytes > RESTED_GROWTH_BYTES;
  }
}
