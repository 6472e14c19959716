// `bindery batch`: one operation or pipeline for each of many files, as one job of the service.
import { existsSync } from 'node:fs';
import { extname } from 'node:path';
import { type BatchWork, type FileSource, type JobDocument, plainLine } from '@bindery/sdk';
import { CATALOGUE, findOperation, nearestName } from '@bindery/sdk/catalogue';
import { type BatchReport, keepBatch, keepZip } from './batch-results.ts';
import { columns, optionWord, UsageError } from './command.ts';
import { connect } from './connection.ts';
import { EXIT, worstOf } from './exit-codes.ts';
import { exitCodeOf, failureData, failureText } from './failures.ts';
import { readInputs } from './inputs.ts';
import { type CommonWords, readOperationWords } from './operation-words.ts';
import { chooseOperation, isGroup } from './operations.ts';
import { COMMON_OPTIONS } from './option-names.ts';
import { destinationOf } from './outputs.ts';
import { NO_FIELDS, readSteps } from './pipeline.ts';
import { Progress } from './progress.ts';
import { jsonText } from './shown.ts';
import { VERB_NAMES, VERBS } from './verbs.ts';

export function batchHelp(): string {
  const rows = Object.entries(COMMON_OPTIONS)
    .filter(([name]) => name !== 'concurrency')
    .map(([name, option]): [string, string] => [
      optionWord(name, option),
      name === 'output'
        ? 'Folder for the results, or a .zip for all of them; absent: this folder'
        : option.description,
    ]);
  return `One operation or pipeline for each of many files, as one job of the service

Usage: bindery batch <operation> <file>... [options of the operation]
       bindery batch <steps.yaml> <file>... [options]

A file that fails does not fail the others: the exit code tells of it, and a line for each file.

Options:
${columns(rows)}
Examples:
  bindery batch compress scans/*.pdf -o small/
  bindery batch rotate a.pdf b.pdf --angle 90 -o rotated.zip
  bindery batch steps.yaml inbox/*.pdf -o done/
`;
}

interface BatchWords {
  work: BatchWork;
  files: readonly string[];
  /** What standard input most likely holds. */
  extension: string | undefined;
  common: CommonWords;
}

function readBatchWords([first, ...rest]: readonly string[]): BatchWords {
  if (first === undefined)
    throw new UsageError('an operation or a file with steps is missing (see bindery batch --help)');
  const [path, args] = isGroup(first)
    ? [chooseOperation(first, rest[0] ?? '').path, rest.slice(1)]
    : [VERBS.get(first) ?? findOperation(first), rest];
  if (path === undefined) return stepsWords(first, rest);
  const entry = CATALOGUE[path] ?? NO_FIELDS;
  const main = entry.files.find(({ name }) => name === 'fileInput');
  if (main === undefined) throw new UsageError(`${path} takes no file, so there is nothing to do for each`);
  const { files, params, fileParams, common } = readOperationWords(entry, args);
  const work = { operation: path, params, files: fileParams };
  return { work, files, extension: main.extensions[0], common };
}

function stepsWords(path: string, args: readonly string[]): BatchWords {
  if (!existsSync(path) && !/\.(?:ya?ml|json)$/i.test(path)) {
    const near = nearestName(path, VERB_NAMES);
    throw new UsageError(
      `"${path}" is neither an operation nor a file with steps${near ? `; did you mean ${near}?` : ''}`,
    );
  }
  const { files, common } = readOperationWords(NO_FIELDS, args);
  return { work: { steps: readSteps(path) }, files, extension: undefined, common };
}

/** The exit code. */
export async function runBatch(args: readonly string[]): Promise<number> {
  const { work, files, extension, common } = readBatchWords(args);
  if (common.background && common.local)
    throw new UsageError('--local ends with the command: nothing of it goes on in the background');
  const inputs = readInputs(files, extension);
  if (inputs.length === 0) throw new UsageError('a file is missing');
  const isZip = extname(common.output ?? '').toLowerCase() === '.zip';
  const output = common.output ?? './';
  const destination = destinationOf({ ...common, output }, [], !isZip);
  const stopped = new AbortController();
  const onSignal = () => stopped.abort();
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
  const { bindery, close } = await connect(common);
  const progress = new Progress(common.quiet);
  let job: JobDocument | undefined;
  try {
    const sources: FileSource[] = inputs.map(({ source }) => source);
    const options = { signal: stopped.signal, ...(common.isTimed ? { timeoutMs: common.timeoutMs } : {}) };
    if (common.background) {
      job = await bindery.jobs.startBatch(sources, work, options);
      process.stdout.write(common.json ? jsonText({ job: job.id }) : `${plainLine(job.id)}\n`);
      return EXIT.done;
    }
    progress.show(0, 0, `${inputs.length} files`);
    const result = await bindery.batch(sources, work, {
      ...options,
      onJob: (accepted) => {
        job = accepted;
      },
      onProgress: ({ work: done, sentBytes, totalBytes }) =>
        done
          ? progress.show(done.done, 1, done.message)
          : progress.show(sentBytes, sentBytes < totalBytes ? totalBytes : 0, `${inputs.length} files`),
    });
    const labels = inputs.map(({ label }) => label);
    const reports = await (isZip ? keepZip : keepBatch)(result, destination, labels);
    progress.clear();
    return told(reports, common, job);
  } catch (error) {
    progress.clear();
    if (!common.json || error instanceof UsageError) throw error;
    process.stdout.write(jsonText({ error: failureData(error) }));
    process.stderr.write(failureText(error));
    return exitCodeOf(error);
  } finally {
    progress.clear();
    await close();
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
  }
}

function told(
  reports: readonly BatchReport[],
  { json, quiet, local }: CommonWords,
  job: JobDocument | undefined,
) {
  for (const { input, output, error } of reports) {
    if (error !== undefined) process.stderr.write(failureText(error, input));
    else if (!json && !quiet)
      process.stderr.write(`${plainLine(`${input}: ${output ?? 'there is nothing to return'}`)}\n`);
  }
  // What was made is not lost: the service keeps it for a while.
  if (job && !local && reports.some(({ wasMade, error }) => wasMade && error))
    process.stderr.write(
      `The service has all results: bindery jobs result ${plainLine(job.id)} --output batch.zip\n`,
    );
  if (json)
    process.stdout.write(
      jsonText(
        reports.map(({ error, wasMade: _made, ...report }) =>
          error === undefined ? report : { ...report, error: failureData(error) },
        ),
      ),
    );
  return worstOf(reports.map(codeOf));
}

const codeOf = ({ error, output }: BatchReport): number => {
  if (error !== undefined) return exitCodeOf(error);
  return output === undefined ? EXIT.nothing : EXIT.done;
};
