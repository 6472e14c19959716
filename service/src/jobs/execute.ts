// Runs a job's steps in this process: the one executor, for REST, the pipeline and MCP alike.
import { rmSync } from 'node:fs';
import type { Egress } from '../contract/egress.ts';
import type { InputFile } from '../contract/files.ts';
import { kindOf, SNIFF_BYTES, shownAs } from '../contract/kinds.ts';
import { LIMITS } from '../contract/limits.ts';
import type { Log } from '../contract/log.ts';
import { diskFullError, isDiskFull } from '../contract/machine-faults.ts';
import { invalidParameter, Problem, type Reason } from '../contract/problems.ts';
import { reproducibly } from '../contract/reproducible.ts';
import { openEngines } from '../engines/load.ts';
import { checkFileCount } from '../operations/check.ts';
import type {
  AnyOperation,
  FileInput,
  MadeArchive,
  MadeEntry,
  MadeFile,
  PageWork,
  SignReport,
} from '../operations/define.ts';
import type { Helpers } from './asked-help.ts';
import { settleConformance } from './conformance.ts';
import { findFailingFile } from './failing-file.ts';
import type { Job, JobOutcome, JobStep } from './job.ts';
import type { JobDirectory } from './job-directory.ts';
import { isNearlyFull, saysOutOfMemory } from './memory-shortage.ts';
import { operationCode } from './operation-code.ts';
import { spreadPages } from './page-spread.ts';
import { TELL_NOBODY, type Tell } from './progress-teller.ts';
import { memoryExceeded } from './refusals.ts';
import { finish, pack } from './result.ts';
import {
  jsonResultFile,
  resultTooLarge,
  type StepFile,
  stepFileFromArchive,
  stepFileFromJob,
  stepFileFromMade,
} from './step-files.ts';
import { seedOf } from './step-seed.ts';
import { noPdf, notTaken } from './told-kind.ts';

const MAIN_INPUT = 'fileInput';

/** `begin` hears of each step as it begins. */
export const execute: typeof executeJob = (job, ...rest) =>
  reproducibly(
    job.reproducible,
    () => 'result',
    () => executeJob(job, ...rest),
  );

async function executeJob(
  job: Job,
  directory: JobDirectory,
  log: Log,
  begin: (step: number) => void = () => {},
  egress?: Egress,
  helpersWith: (file: number) => Helpers | undefined = () => undefined,
  signReport: SignReport = nobodySigns,
  tell: Tell = TELL_NOBODY,
): Promise<JobOutcome> {
  try {
    let current = job.files.map((file) => stepFileFromJob(file, directory));
    let archiveName: string | undefined;
    for (const [index, step] of job.steps.entries()) {
      begin(index);
      const made = await runStep(step, index, current, {
        job,
        directory,
        log,
        egress,
        signReport,
        tell,
        // Others have the files the job came with, not those it made.
        helpersWith: index === 0 ? helpersWith : () => undefined,
      });
      current = made.files;
      archiveName = made.archiveName;
      if (job.pipeline) directory.keepOnly(stillNeeded(job, index, current, directory));
      // From REST an archive may be empty; to a pipeline, a step that made no file has dropped its input.
      if (current.length === 0 && (job.pipeline || archiveName === undefined)) return { state: 'nothing' };
    }
    const { files, headers } = await settleConformance(current, directory, log);
    const result = await finish(files, archiveName, job.pipeline, directory);
    return { state: 'made', result: { ...result, headers: { ...result.headers, ...headers } } };
  } catch (thrown) {
    const problem = nameFault(thrown, directory);
    const cause = causeText(problem.options.cause);
    return { state: 'failed', problem: problem.toData(), ...(cause === undefined ? {} : { cause }) };
  }
}

/** The files in hand, and those that later steps came with. */
function stillNeeded(
  job: Job,
  index: number,
  current: readonly StepFile[],
  directory: JobDirectory,
): string[] {
  const extra = job.steps.slice(index + 1).flatMap(({ extraFiles }) => Object.values(extraFiles).flat());
  return [
    ...current.flatMap(({ file }) => ('path' in file.content ? [file.content.path] : [])),
    ...extra.flatMap(({ content }) => ('file' in content ? [directory.path(content.file)] : [])),
  ];
}

const nobodySigns: SignReport = async () => {
  throw new Problem('internal', 'The redaction report could not be signed.', { cause: 'no signer' });
};

function causeText(cause: unknown): string | undefined {
  if (cause === undefined) return undefined;
  return (cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)).slice(0, 4000);
}

/** Failures that may be blamed on a document, or on nobody. */
const DOUBTFUL: readonly Reason[] = ['internal', 'invalid_pdf', 'invalid_document', 'unsupported_file_type'];

/**
 * The limits of the process show as failed allocations and writes; they are the document's doing, not a fault of ours.
 * A full disk may show as anything, and is not.
 */
function nameFault(thrown: unknown, directory: JobDirectory): Problem {
  const problem = Problem.from(thrown);
  const cause = thrown instanceof Problem ? thrown.options.cause : thrown;
  const said = cause instanceof Error ? cause.message : String(cause ?? '');
  if (saysOutOfMemory(said) || (problem.reason === 'internal' && isNearlyFull())) {
    const { reason, detail } = memoryExceeded();
    return new Problem(reason, detail, { ...problem.options, cause });
  }
  if (directory.isOverfull()) return resultTooLarge(problem);
  if (!DOUBTFUL.includes(problem.reason) || !isDiskFull(directory.dir)) return problem;
  return Problem.from(diskFullError(problem.message));
}

interface StepContext {
  job: Job;
  directory: JobDirectory;
  log: Log;
  egress: Egress | undefined;
  signReport: SignReport;
  tell: Tell;
  helpersWith(file: number): Helpers | undefined;
}

async function runStep(
  step: JobStep,
  index: number,
  current: StepFile[],
  context: StepContext,
): Promise<{ files: StepFile[]; archiveName?: string }> {
  const op = await operationCode(step.op);
  if (!op)
    throw new Problem('internal', 'The service failed unexpectedly.', { cause: `no operation ${step.op}` });
  const made: StepFile[] = [];
  let archiveName: string | undefined;
  let at: Group | undefined;
  try {
    for (const group of groups(op, step, current, context.directory)) {
      at = group;
      const main = group.inputs[MAIN_INPUT]?.[0];
      const { files, archiveSuffix, whole } = await runOnce(op, step, group.inputs, {
        ...context,
        helpers: group.together || !main ? undefined : context.helpersWith(current.indexOf(main)),
      });
      const results = files.map((file) => stepFileFromMade(step.op, op, file, main));
      if (whole) made.push(stepFileFromArchive(await pack(results, context.directory), archiveSuffix, main));
      else made.push(...results);
      if (archiveSuffix !== undefined && !whole)
        archiveName ??= `${main?.stem ?? 'document'}${archiveSuffix}.zip`;
      if (context.job.pipeline) checkNumber(made);
      // What became of it is all that later steps see.
      if (context.job.pipeline && !group.together && main) dropUnlessPassedOn(main, results);
    }
  } catch (error) {
    const problem = nameFault(error, context.directory);
    throw context.job.pipeline ? problem.at({ step: index, op: step.op, ...blameIn(problem, at) }) : problem;
  }
  return { files: made, ...(archiveName === undefined ? {} : { archiveName }) };
}

function dropUnlessPassedOn({ file: { content } }: StepFile, results: readonly StepFile[]): void {
  const isPassedOn = ({ file }: StepFile) =>
    'path' in content && 'path' in file.content && file.content.path === content.path;
  if ('path' in content && !results.some(isPassedOn)) rmSync(content.path, { force: true });
}

/** Operations 9.9: "Intermediate files: at most 2000". */
function checkNumber(made: readonly StepFile[]): void {
  if (made.length <= LIMITS.intermediateFiles) return;
  throw new Problem('bad_request', `A step made more than ${LIMITS.intermediateFiles} files.`);
}

interface Group {
  inputs: Record<string, StepFile[]>;
  /** Several current files go in at once: no single one is to blame. */
  together: boolean;
}

/** A fault of the machine is no file's. */
function blameIn({ detail, reason }: Problem, group: Group | undefined): { file?: string } {
  if (reason === 'unavailable' || reason === 'insufficient_storage') return {};
  const usual = group?.together ? undefined : group?.inputs[MAIN_INPUT]?.[0]?.file.name;
  const file = group && findFailingFile(detail, group.inputs, usual);
  return file === undefined ? {} : { file };
}

/** Operations 9.4: a step runs once per current file, unless its main input takes many or the rest goes elsewhere. */
function groups(op: AnyOperation, step: JobStep, current: StepFile[], directory: JobDirectory): Group[] {
  const extra: Record<string, StepFile[]> = {};
  for (const [name, files] of Object.entries(step.extraFiles))
    extra[name] = files.map((file) => stepFileFromJob(file, directory));
  const inputs = op.inputs as Record<string, FileInput>;
  const main = inputs[MAIN_INPUT];
  if (!main) return [{ inputs: extra, together: true }];
  if (main.many) {
    checkFileCount(op, MAIN_INPUT, current.length);
    return [{ inputs: { ...extra, [MAIN_INPUT]: current }, together: true }];
  }
  const rest = Object.entries(inputs).find(
    ([name, input]) => input.takesRest && (extra[name]?.length ?? 0) === 0,
  )?.[0];
  const [first, ...others] = current;
  if (rest && first) {
    if (others.length === 0) throw invalidParameter(`${rest} is required: no file is left for it.`);
    return [{ inputs: { ...extra, [MAIN_INPUT]: [first], [rest]: others }, together: true }];
  }
  return current.map((file) => ({ inputs: { ...extra, [MAIN_INPUT]: [file] }, together: false }));
}

interface Made {
  files: MadeFile[];
  /** Set where the result is a ZIP. */
  archiveSuffix?: string;
  /** The ZIP is one file to whatever follows. */
  whole?: boolean;
}

function madeOf(op: AnyOperation, result: unknown): Made {
  if (op.output.shape === 'json' && op.output.written) return { files: [result as MadeFile] };
  if (op.output.shape === 'json') return { files: [jsonResultFile(op.output.name, result)] };
  if (op.output.shape === 'archive') {
    const entries = result as MadeEntry[];
    if (entries.length === 1 && op.output.singleAsItself) return { files: entries };
    return { files: entries, archiveSuffix: op.output.suffix, whole: op.output.whole };
  }
  if (result === null) return { files: [] };
  const { entries, suffix, whole = false } = result as MadeArchive;
  return entries ? { files: entries, archiveSuffix: suffix, whole } : { files: [result as MadeFile] };
}

async function runOnce(
  op: AnyOperation,
  step: JobStep,
  given: Record<string, StepFile[]>,
  { job, directory, log, egress, signReport, tell, helpers }: StepContext & { helpers: Helpers | undefined },
): Promise<Made> {
  const inputs: Record<string, InputFile | InputFile[] | undefined> = {};
  for (const [name, input] of Object.entries(op.inputs as Record<string, FileInput>)) {
    const list = (given[name] ?? []).map(({ file }) => file);
    for (const file of list) checkKind(file, input);
    inputs[name] = input.many ? list : list[0];
  }
  const newFile = (extension: string) => directory.newFile(extension);
  const session = await openEngines([...op.uses, ...(op.mayUse ?? [])], {
    passwords: step.passwords,
    newFile,
    log,
    egress,
  });
  try {
    const eachPage = (work: PageWork) => spreadPages(work, helpers, tell);
    const context = { engine: session.engines, eachPage, signReport, newFile, log, progress: tell };
    const seed = () => seedOf(op, step, given);
    return madeOf(op, await reproducibly(job.reproducible, seed, () => op.run(inputs, step.params, context)));
  } catch (error) {
    throw explained(error, op, given);
  } finally {
    session.close();
  }
}

const isOnlyPdf = ({ kinds }: FileInput): boolean => kinds.length === 1 && kinds[0] === 'pdf';

/** A document that is no PDF at all is told as what it is. */
function explained(error: unknown, op: AnyOperation, given: Record<string, StepFile[]>): unknown {
  if (!(error instanceof Problem) || error.reason !== 'invalid_pdf') return error;
  for (const [name, input] of Object.entries(op.inputs as Record<string, FileInput>)) {
    if (!isOnlyPdf(input)) continue;
    for (const { file } of given[name] ?? []) {
      const told = noPdf(file);
      if (told) return told;
    }
  }
  return error;
}

/** Operations 1.3: PDFs are judged by opening them; all else by content, as far as its first bytes tell. */
function checkKind(file: InputFile, input: FileInput): void {
  const shown = input.kinds.map(shownAs);
  if (shown.includes('any') || isOnlyPdf(input)) return;
  if (shown.includes(kindOf(file.name, file.head().subarray(0, SNIFF_BYTES)))) return;
  throw notTaken(file, input.kinds);
}
