// Pages of one long document, done by workers that have nothing to do. Whoever comes meanwhile goes first: a helper
// ends with the page in hand, and its pages are done by the worker that asked.
import type { Log } from '../contract/log.ts';
import type { Job, JobOutcome, PartOutcome } from './job.ts';
import { mayPart } from './job-rights.ts';
import type { Help, HelpReply, HelpRequest } from './messages.ts';
import { newTask, type Task } from './task.ts';
import type { Worker, Workers } from './workers.ts';
import type { Workspace, Workspaces } from './workspace.ts';

interface PoolOfParts {
  /** Nobody waits for a worker. */
  isFree(): boolean;
  dispatch(worker: Worker<Task>, task: Task): void;
}

export class Parts {
  private readonly workers: Workers<Task>;
  private readonly workspaces: Workspaces;
  private readonly log: Log;
  private readonly pool: PoolOfParts;

  constructor(workers: Workers<Task>, workspaces: Workspaces, log: Log, pool: PoolOfParts) {
    this.workers = workers;
    this.workspaces = workspaces;
    this.log = log;
    this.pool = pool;
  }

  /** A job may be helped with pages of the files it came with, never with anything else. */
  onHelp(worker: Worker<Task>, { jobId, askId, request }: Help): void {
    const { task } = worker;
    if (!task || task.job.id !== jobId || !mayPart(task.job)) this.workers.replace(worker);
    else if (request.what === 'idle')
      worker.process.helped(askId, { idle: this.pool.isFree() ? this.workers.idle(task.owner).length : 0 });
    else if (request.what === 'enough') this.sayEnough(task.parts.get(request.asked));
    else void this.help(worker, task, askId, request);
  }

  private async help(
    worker: Worker<Task>,
    task: Task,
    askId: number,
    request: Extract<HelpRequest, { what: 'pages' }>,
  ): Promise<void> {
    const workspace = this.workspaces.create();
    let reply: HelpReply = 'none';
    try {
      const { pages } = await this.runPart(task, askId, request, workspace);
      workspace.moveInto(task.workspace, `part-${askId}`);
      reply = { pages };
    } catch (error) {
      // Whoever asked does these pages itself, and finds what is wrong with them.
      this.log.debug('no help with pages', { jobId: task.job.id, error });
    }
    task.parts.delete(askId);
    if (worker.task === task) worker.process.helped(askId, reply);
    await workspace.remove();
  }

  private async runPart(
    task: Task,
    askId: number,
    { file, range }: Extract<HelpRequest, { what: 'pages' }>,
    workspace: Workspace,
  ): Promise<PartOutcome> {
    const helper = this.pool.isFree() ? this.workers.idle(task.owner)[0] : undefined;
    const given = task.job.files[file];
    if (!helper || !given || task.parts.has(askId)) throw new Error('nobody is idle');
    const content =
      'chunks' in given.content
        ? given.content
        : { file: workspace.link(task.workspace, given.content.file) };
    const job: Job = {
      id: `${task.job.id}/${askId}`,
      steps: task.job.steps.slice(0, 1),
      files: [{ ...given, content }],
      pipeline: false,
      part: range,
      ...(task.job.reproducible ? { reproducible: task.job.reproducible } : {}),
    };
    const { promise, resolve, reject } = Promise.withResolvers<JobOutcome | PartOutcome>();
    const { owner, fetches } = task;
    const part = newTask(job, workspace, { owner, estimateMs: undefined, fetches, resolve, reject });
    task.parts.set(askId, part);
    this.pool.dispatch(helper, part);
    const outcome = await promise;
    if (outcome.state !== 'pages' || outcome.pages.length > range.to - range.from)
      throw new Error('not what was asked for');
    return outcome;
  }

  /** Those who came after a document was parted do not wait for its parts. */
  callBack(waiting: number): void {
    const helpers = this.workers.busy().filter(({ task }) => task?.job.part !== undefined);
    for (const { task } of helpers.slice(0, waiting)) this.sayEnough(task);
  }

  private sayEnough(part: Task | undefined): void {
    for (const { task, process } of this.workers.busy())
      if (task !== undefined && task === part) process.enough(task.job.id);
  }
}
