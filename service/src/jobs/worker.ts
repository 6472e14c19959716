// A worker process: takes one job at a time, runs it, answers. The only place where documents are opened.
import { createLog, LOG_LEVELS, type LogLevel } from '../contract/log.ts';
import { Problem } from '../contract/problems.ts';
import { noteStretches } from '../contract/work-budget.ts';
import { configureEngines, mustRetire, probeEngines, warmEngines } from '../engines/load.ts';
import { AskedEgress } from './asked-egress.ts';
import { AskedHelp } from './asked-help.ts';
import { AskedSignature } from './asked-signature.ts';
import { EXCHANGE_FD, Exchange, isWorthExchange, takeBytes } from './exchange.ts';
import { execute } from './execute.ts';
import { executePart } from './execute-part.ts';
import { giveBackMemory } from './give-back-memory.ts';
import type { JobOutcome, PartOutcome } from './job.ts';
import { JobDirectory } from './job-directory.ts';
import type { Done, FromWorker, ToWorker } from './messages.ts';
import { TELL_NOBODY, tellerTo } from './progress-teller.ts';
import { markStretches } from './work-mark.ts';

const level = LOG_LEVELS.find((name) => name === process.argv[2]) ?? ('info' as LogLevel);
const log = createLog(level);
configureEngines({ fontDir: process.argv[3] || null });

const send = (message: FromWorker): void => {
  process.send?.(message);
};

const exchange = new Exchange(EXCHANGE_FD);
noteStretches(markStretches());
const egress = new AskedEgress(send);
const help = new AskedHelp(send);
const signature = new AskedSignature(send);
/** The part that is to end with the page in hand. */
let enough: string | undefined;

/** What failed in the midst of things, as for want of memory, may have left an engine half loaded: it starts anew. */
const leavesDoubt = (outcome: JobOutcome | PartOutcome): boolean =>
  outcome.state === 'failed' && ['memory_exceeded', 'internal'].includes(outcome.problem.reason);

type Ended = Pick<Done, 'outcome' | 'exchangedBytes'>;

const failed = (error: unknown): Ended => ({
  outcome: { state: 'failed', problem: Problem.from(error).toData(), cause: String(error) },
  exchangedBytes: 0,
});

/** A result too large for a message lies in the exchange. */
function exchanged(outcome: JobOutcome | PartOutcome): Ended {
  const content = outcome.state === 'made' ? outcome.result.content : undefined;
  if (outcome.state !== 'made' || !content || !('bytes' in content) || !isWorthExchange(content.bytes.length))
    return { outcome, exchangedBytes: 0 };
  exchange.write([content.bytes]);
  const result = { ...outcome.result, content: { bytes: NOTHING } };
  return { outcome: { ...outcome, result }, exchangedBytes: content.bytes.length };
}

const NOTHING = new Uint8Array();

process.on('message', async (message: ToWorker) => {
  if (message.kind === 'answer') {
    egress.heard(message.askId, message.answer);
    return;
  }
  if (message.kind === 'helped') {
    help.heard(message.askId, message.reply);
    return;
  }
  if (message.kind === 'signed') {
    signature.heard(message.askId, message.report);
    return;
  }
  if (message.kind === 'enough') {
    enough = message.jobId;
    return;
  }
  const { sent, dir } = message;
  const job = takeBytes(sent, exchange);
  const jobLog = log.with({ jobId: job.id });
  const directory = new JobDirectory(dir);
  const newTeller = () => tellerTo((done, of) => send({ kind: 'progress', jobId: job.id, done, of }));
  let teller = newTeller();
  const tell = job.tellsProgress ? (done: number, of: number) => teller(done, of) : TELL_NOBODY;
  const begin = (step: number) => {
    teller = newTeller();
    if (job.pipeline) send({ kind: 'step', jobId: job.id, step });
  };
  const { part } = job;
  const running: Promise<JobOutcome | PartOutcome> = part
    ? executePart({ ...job, part }, directory, jobLog, () => enough === job.id)
    : execute(
        job,
        directory,
        jobLog,
        begin,
        egress.of(job.id),
        (file) => help.with(job.id, file, directory),
        signature.of(job.id),
        tell,
      );
  const ended = await running.then(exchanged).catch((error: unknown) => failed(error));
  send({
    kind: 'done',
    jobId: job.id,
    ...ended,
    madeDirectory: directory.made,
    retire: leavesDoubt(ended.outcome) || (await mustRetire()),
    warm: warmEngines(),
  });
});

// The API process is gone: nobody waits for an answer.
process.on('disconnect', () => process.exit(0));

if (import.meta.main) {
  const engines = await probeEngines();
  giveBackMemory();
  send({ kind: 'ready', engines });
}
