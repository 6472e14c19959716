// Jobs and the workers that run them, one at a time each. Whatever a worker does (crash, hang, eat memory),
// its one caller gets a clean problem and the next job finds a fresh worker.
import { join } from 'node:path';
import type { Log } from '../contract/log.ts';
import { diskFullError, isDiskFull } from '../contract/machine-faults.ts';
import { Problem, type ProblemContext, type ProblemData } from '../contract/problems.ts';
import type { EngineStates } from '../engines/engines.ts';
import { type CancellableEgress, createEgress } from './egress.ts';
import type { Job, JobOutcome, PartOutcome } from './job.ts';
import { fetchesOf, namesAddress, reportsOf } from './job-rights.ts';
import { endedForMemory } from './memory-shortage.ts';
import type { Ask, Done, Fetch, Sign } from './messages.ts';
import { PageFetches } from './page-fetches.ts';
import { Parts } from './parts.ts';
import {
  crashed,
  deadlinePassed,
  madeWay,
  memoryExceeded,
  noWorker,
  overdrawn,
  stopping,
  waitedTooLong,
} from './refusals.ts';
import type { ReportSigner } from './report-signing.ts';
import type { Caller, PoolLoad, Runner } from './runner.ts';
import { Schedule, type ScheduleSettings } from './schedule.ts';
import { newTask, type Task } from './task.ts';
import { WaitTimes } from './wait-times.ts';
import type { Ending } from './worker-process.ts';
import type { WorkerPoolSettings } from './worker-settings.ts';
import { type Worker, Workers } from './workers.ts';
import type { Workspace, Workspaces } from './workspace.ts';

export interface PoolSettings extends WorkerPoolSettings, ScheduleSettings {
  /** How long a worker may work on it. */
  deadlineMs: number;
  /** Hosts that jobs may reach though they are not public. */
  allowHosts?: readonly string[];
  /** Who signs redaction reports; absent: none are made. */
  reportSigner?: ReportSigner;
}

/** A reason of its own for each would cost more than the rest of ending. */
const OVER = new Error('The job is over.');

export class Pool implements Runner {
  private readonly settings: PoolSettings;
  private readonly workspaces: Workspaces;
  private readonly log: Log;
  private readonly workers: Workers<Task>;
  private readonly egress: CancellableEgress;
  private readonly parts: Parts;
  private readonly schedule: Schedule;
  private readonly waits = new WaitTimes();
  private readonly kills = new Map<string, number>();
  private readonly outcomes = new Map<string, number>();
  private closing = false;

  constructor(settings: PoolSettings, workspaces: Workspaces, log: Log) {
    this.settings = settings;
    this.workspaces = workspaces;
    this.log = log;
    this.schedule = new Schedule(settings);
    this.egress = createEgress({ allowHosts: settings.allowHosts ?? [] });
    this.workers = new Workers(settings, workspaces, log, {
      changed: () => this.tend(),
      step: ({ task }, { jobId, step }) => {
        if (task?.job.id !== jobId || !isStepOf(task, step)) return;
        task.step = step;
        task.onStep?.(step);
      },
      progress: ({ task }, { jobId, done, of }) => {
        if (task?.job.id === jobId) task.onProgress?.(done, of);
      },
      ask: (worker, message) => void this.onAsk(worker, message),
      fetch: (worker, message) => void this.onFetch(worker, message),
      enginesOf: ({ engines }) => engines,
      help: (worker, message) => this.parts.onHelp(worker, message),
      sign: (worker, message) => this.onSign(worker, message),
      done: (worker, message) => this.onDone(worker, message),
      lost: (task, ending) => this.onLost(task, ending),
      outOfMemory: (worker) => worker.task && this.stop(worker.task, memoryExceeded()),
      overdrawn: (worker, stretch) => worker.task && this.stop(worker.task, overdrawn(stretch)),
    });
    this.parts = new Parts(this.workers, workspaces, log, {
      isFree: () => !this.closing && this.schedule.waiting === 0,
      dispatch: (worker, task) => this.dispatch(worker, task),
    });
    this.tend();
  }

  engines(): EngineStates | undefined {
    return this.workers.engines();
  }

  load(): PoolLoad {
    return {
      workers: this.workers.up().length,
      busy: this.workers.busy().length,
      waiting: this.schedule.waiting,
      restarts: this.workers.restarts,
      workerRssBytes: this.workers.rssBytes(),
      waits: this.waits,
      kills: Object.fromEntries(this.kills),
      oldestSeconds: this.schedule.oldestSeconds,
      outcomes: Object.fromEntries(this.outcomes),
    };
  }

  requireRoom(owner: string, op: string, bytes: number): void {
    const refusal = this.refusalFor(owner, this.schedule.costs.of(op, bytes));
    if (refusal) throw refusal;
  }

  run(given: Job, workspace: Workspace, caller: Caller): Promise<JobOutcome> {
    const { owner, signal, deadlineMs, onBegin, onStep, onProgress } = caller;
    const job = onProgress ? { ...given, tellsProgress: true } : given;
    if (signal.aborted) return Promise.reject(signal.reason);
    const estimateMs = this.schedule.costs.ofJob(job);
    const refusal = this.refusalFor(owner, estimateMs);
    if (refusal) return Promise.reject(refusal);
    const outdone = this.schedule.outdoneBy(owner, this.owned());
    if (outdone) this.stop(outdone, madeWay());
    const { promise, resolve, reject } = Promise.withResolvers<JobOutcome | PartOutcome>();
    const fetches = new PageFetches(this.egress, this.workspaces, fetchesOf(job));
    const task = newTask(job, workspace, {
      ...{ owner, estimateMs, deadlineMs, onBegin, onStep, onProgress, fetches, resolve, reject },
    });
    const { waitMs } = this.settings;
    task.limit = setTimeout(() => this.stop(task, waitedTooLong(waitMs)), waitMs);
    const onAbort = () => this.stop(task, signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    this.schedule.add(task);
    this.tend();
    this.schedule.lookLater(task, () => this.tend());
    this.parts.callBack(this.schedule.waiting);
    const whole = promise.then(wholeOutcome);
    whole.then(
      (outcome) => this.count(outcome.state === 'failed' ? outcome.problem.reason : outcome.state),
      (error) => this.count(error instanceof Problem ? error.reason : 'left'),
    );
    return whole.finally(() => {
      task.gone.abort(OVER);
      clearTimeout(task.limit);
      signal.removeEventListener('abort', onAbort);
      for (const part of task.parts.values()) this.stop(part, crashed());
    });
  }

  /** Called when every answer is sent: what results are left go, too. */
  async close(): Promise<void> {
    this.closing = true;
    for (const task of this.schedule.clear()) task.reject(stopping());
    for (const worker of this.workers.busy()) {
      worker.task?.reject(stopping());
      worker.task = undefined;
    }
    await this.workers.close();
    await this.workspaces.close();
  }

  /**
   * Jobs go to idle workers; then there are workers for what is left, and one to spare, up to the number allowed: a
   * quiet service stays small.
   */
  private tend(): void {
    if (this.closing) return;
    if (!this.workers.canWork()) for (const task of this.schedule.clear()) task.reject(noWorker());
    for (let task = this.nextTask(); task; task = this.nextTask()) {
      const worker = this.workers.idleFor(task.owner, task.engines);
      if (!worker) {
        this.workers.makeWayFor(task.owner, this.schedule.mostWorkers(this.owned()));
        break;
      }
      this.begin(worker, task);
    }
    const useful = this.workers.busy().length + this.schedule.waiting + 1;
    this.workers.want(Math.min(useful, this.schedule.mostWorkers(this.owned())));
  }

  private nextTask(): Task | undefined {
    return this.schedule.next(this.owned(), this.workers.up().length > this.settings.count);
  }

  /** What is at work for callers; helpers make way for whoever comes. */
  private owned(): Task[] {
    return this.workers.busy().flatMap(({ task }) => (task && task.job.part === undefined ? [task] : []));
  }

  private count(outcome: string): void {
    this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + 1);
  }

  private refusalFor(owner: string, estimateMs: number | undefined): Problem | undefined {
    if (this.closing) return stopping();
    if (!this.workers.canWork()) return noWorker();
    return this.schedule.refusalFor(owner, estimateMs, this.owned());
  }

  private begin(worker: Worker<Task>, task: Task): void {
    const { deadlineMs = this.settings.deadlineMs } = task;
    clearTimeout(task.limit);
    this.schedule.begun(task);
    this.waits.note((performance.now() - task.queuedAt) / 1000);
    task.limit = setTimeout(() => this.stop(task, deadlinePassed(deadlineMs)), deadlineMs);
    task.onBegin?.();
    this.dispatch(worker, task);
  }

  private dispatch(worker: Worker<Task>, task: Task): void {
    worker.task = task;
    worker.owner = task.owner;
    try {
      task.workspace.handTo(worker.dir);
      worker.process.run(task.job, task.workspace.dir);
    } catch (error) {
      worker.task = undefined;
      task.reject(Problem.from(error));
    }
  }

  /** A worker that a document has subverted reaches nothing but the address its caller named. */
  private async onAsk(worker: Worker<Task>, { jobId, askId, request }: Ask): Promise<void> {
    const { task } = worker;
    if (!task || task.job.id !== jobId || !namesAddress(task.job, request.url)) {
      this.workers.replace(worker);
      return;
    }
    const answer = await this.egress
      .post(request, task.gone.signal)
      .catch((error) => this.refusal(error, jobId));
    if (worker.task === task) worker.process.answer(askId, answer);
  }

  /** Pages and certificates bring addresses of their own; only a job whose caller asked for that may reach them. */
  private async onFetch(worker: Worker<Task>, { jobId, askId, request }: Fetch): Promise<void> {
    const { task } = worker;
    if (!task || task.job.id !== jobId || fetchesOf(task.job) === 0) {
      this.workers.replace(worker);
      return;
    }
    const answer = await task.fetches
      .fetch(request, join(worker.dir, `fetched-${askId}`), task.gone.signal)
      .catch((error) => this.refusal(error, jobId));
    if (worker.task === task) worker.process.answer(askId, answer);
  }

  /** A worker that a document has subverted gets nothing signed but a report, and that only where one was asked for. */
  private onSign(worker: Worker<Task>, { jobId, askId, facts }: Sign): void {
    const { task } = worker;
    const { reportSigner } = this.settings;
    if (!task || task.job.id !== jobId || !reportSigner || task.reports >= reportsOf(task.job)) {
      this.workers.replace(worker);
      return;
    }
    task.reports += 1;
    try {
      worker.process.signed(askId, reportSigner.signed(facts, this.engines()));
    } catch (error) {
      const problem = Problem.from(error);
      this.log.error('a report was not signed', { jobId, error: problem.options.cause ?? problem.reason });
      worker.process.signed(askId, problem.toData());
    }
  }

  private refusal(error: unknown, jobId: string): ProblemData {
    const problem = Problem.from(error);
    this.log.info('outbound request failed', { jobId, error: problem.options.cause ?? problem.reason });
    return problem.toData();
  }

  private onDone(worker: Worker<Task>, { jobId, outcome, madeDirectory, retire, warm }: Done): void {
    const { task } = worker;
    if (!task || task.job.id !== jobId) return;
    worker.task = undefined;
    worker.warm = warm;
    // A file that is refused at once tells nothing of what others take.
    if (outcome.state !== 'failed') this.schedule.noteCost(task);
    if (madeDirectory) task.workspace.noteMade();
    try {
      task.resolve(takeBack(outcome, task.workspace));
      this.workers.finished(worker, retire);
    } catch (error) {
      task.reject(Problem.from(error));
      this.workers.replace(worker);
    }
    this.tend();
  }

  private onLost(task: Task, ending: Ending): void {
    task.workspace.noteMade();
    this.log.error('worker ended during a job', { ...ending, jobId: task.job.id });
    const problem = endedForMemory(ending)
      ? memoryExceeded()
      : isDiskFull(this.workspaces.root)
        ? Problem.from(diskFullError('worker'))
        : crashed();
    this.countKill(problem);
    task.reject(problem.at(placeOf(task)));
  }

  private countKill(reason: unknown): void {
    const why = reason instanceof Problem ? reason.reason : 'left';
    this.kills.set(why, (this.kills.get(why) ?? 0) + 1);
  }

  /** Ends a task before its time: out of the queue, or with the worker that holds it. */
  private stop(task: Task, reason: unknown): void {
    this.schedule.remove(task);
    for (const worker of this.workers.busy()) {
      if (worker.task !== task) continue;
      this.countKill(reason);
      worker.task = undefined;
      // Work that its caller gave up would have taken longer.
      if (reason instanceof Problem) this.schedule.noteCost(task);
      task.workspace.noteMade();
      this.workers.replace(worker);
    }
    task.reject(reason instanceof Problem ? reason.at(placeOf(task)) : reason);
  }
}

/** A worker that answers a whole job with a part is not to be believed. */
function wholeOutcome(outcome: JobOutcome | PartOutcome): JobOutcome {
  if (outcome.state === 'pages') throw crashed();
  return outcome;
}

/** The outcome with its file out of the worker's reach. */
function takeBack(outcome: JobOutcome | PartOutcome, workspace: Workspace): JobOutcome | PartOutcome {
  const content = outcome.state === 'made' ? outcome.result.content : undefined;
  const file = content && 'file' in content ? content.file : undefined;
  const size = workspace.takeBack(file);
  if (outcome.state !== 'made') return outcome;
  const { result } = outcome;
  return {
    state: 'made',
    result: { ...result, size: 'bytes' in result.content ? result.content.bytes.length : size },
  };
}

/** A worker that a document has subverted tells of a step once and in order, or is not heard. */
const isStepOf = ({ job, step: last = -1 }: Task, step: number): boolean =>
  step > last && step < job.steps.length;

/** Operations 9.8: a failure in a pipeline carries the step. */
function placeOf({ job, step }: Task): ProblemContext {
  const op = step === undefined ? undefined : job.steps[step]?.op;
  return step === undefined || op === undefined ? {} : { step, op };
}
