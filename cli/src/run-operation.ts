// Runs an operation: one call for each file, or one for all where the operation takes several.
import { type Bindery, type CallOptions, type FileResult, type JobDocument, plainLine } from '@bindery/sdk';
import { UsageError } from './command.ts';
import { connect } from './connection.ts';
import { EXIT, worstOf } from './exit-codes.ts';
import { exitCodeOf, failureData, failureText } from './failures.ts';
import { type Input, readInputs } from './inputs.ts';
import { type CommonWords, type OperationWords, readOperationWords } from './operation-words.ts';
import type { Chosen } from './operations.ts';
import { type Destination, destinationOf, isShown, type Kept, keep } from './outputs.ts';
import { Progress } from './progress.ts';
import { jsonText, onScreen } from './shown.ts';
import { nameOf } from './verbs.ts';

export interface TaskOptions {
  signal: AbortSignal;
  onProgress(done: number, total: number): void;
}

/** A call to be made, and what the user knows it by. */
export interface Task {
  label: string;
  /** What explains the call. */
  help: string;
  call(bindery: Bindery, options: TaskOptions): Promise<FileResult>;
  /** Leaves it to the service. */
  begin(bindery: Bindery, options: TaskOptions): Promise<JobDocument>;
}

interface Report extends Partial<Kept> {
  input: string;
  /** The id of the job that does it. */
  job?: string;
  error?: Record<string, unknown>;
}

/** The exit code. */
export async function runOperation(chosen: Chosen, args: readonly string[]): Promise<number> {
  const words = readOperationWords(chosen.entry, args);
  const main = chosen.entry.files.find(({ name }) => name === 'fileInput');
  const inputs = readInputs(words.files, main?.extensions[0]);
  if (main === undefined && inputs.length > 0) throw new UsageError(`${chosen.path} takes no file`);
  if (main?.required && inputs.length === 0)
    throw new UsageError(`a file is missing: ${main.description} (${main.accepts})`);
  const tasks =
    main && !main.many
      ? inputs.map((input) => taskOf(chosen, words, [input]))
      : [taskOf(chosen, words, inputs)];
  return runTasks(tasks, words.common, words.files);
}

function taskOf({ path }: Chosen, words: OperationWords, inputs: readonly Input[]): Task {
  const files = {
    ...(inputs.length > 0 ? { fileInput: inputs.map(({ source }) => source) } : {}),
    ...words.fileParams,
  };
  return {
    label: inputs.map(({ label }) => label).join(', ') || path,
    help: `bindery help ${nameOf(path)}`,
    call: (bindery, options) => bindery.call(path, files, words.params, callOptions(options)),
    begin: (bindery, options) => bindery.jobs.start(path, files, words.params, callOptions(options)),
  };
}

export const callOptions = ({ signal, onProgress }: TaskOptions): CallOptions => ({
  signal,
  onProgress: ({ sentBytes, totalBytes }) => onProgress(sentBytes, totalBytes),
});

export async function runTasks(
  tasks: readonly Task[],
  common: CommonWords,
  files: readonly string[],
): Promise<number> {
  if (common.background && common.local)
    throw new UsageError('--local ends with the command: nothing of it goes on in the background');
  const destination = destinationOf(common, files, tasks.length > 1);
  const stopped = new AbortController();
  const onSignal = () => stopped.abort();
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
  const { bindery, close } = await connect(common);
  const reports: Report[] = tasks.map(({ label }) => ({ input: label }));
  const codes: number[] = [];
  const progress = new Progress(common.quiet);
  let done = 0;
  let next = 0;
  const workOn = async (): Promise<void> => {
    while (next < tasks.length && !stopped.signal.aborted) {
      const at = next;
      next += 1;
      const task = tasks[at] as Task;
      if (tasks.length > 1) progress.show(done, tasks.length, task.label);
      else progress.show(0, 0, task.label);
      try {
        const onProgress = (sent: number, total: number) => {
          // What has arrived is worked on, and nobody knows how long.
          if (tasks.length === 1) progress.show(sent, sent < total ? total : 0, task.label);
        };
        const options = { signal: stopped.signal, onProgress };
        const job = common.background ? await task.begin(bindery, options) : undefined;
        const result = job === undefined ? await task.call(bindery, options) : undefined;
        // What one call gives may stream to where the line is; results of several are told one by one beside it.
        if (tasks.length === 1) progress.clear();
        const told = result && (await settle(task, result, destination, common, tasks.length > 1, progress));
        reports[at] = { input: task.label, ...told, ...(job ? { job: job.id } : {}) };
        // The id of the job is all there is to tell.
        if (job && !common.json) progress.aside(() => process.stdout.write(`${plainLine(job.id)}\n`));
        codes.push(EXIT.done);
      } catch (error) {
        codes.push(exitCodeOf(error));
        reports[at] = { input: task.label, error: failureData(error) };
        const text = failureText(error, tasks.length > 1 ? task.label : undefined, task.help);
        progress.aside(() => process.stderr.write(text));
      }
      done += 1;
      if (done < tasks.length) progress.show(done, tasks.length, task.label);
      else progress.clear();
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.min(common.concurrency, tasks.length) }, workOn));
  } finally {
    progress.clear();
    await close();
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
  }
  if (common.json) process.stdout.write(jsonText(tasks.length > 1 ? reports : reports[0]));
  return stopped.signal.aborted ? EXIT.cancelled : worstOf(codes);
}

/** What is made goes where it belongs; the user is told where that is. */
async function settle(
  task: Task,
  result: FileResult,
  destination: Destination,
  { json, quiet }: CommonWords,
  several: boolean,
  progress: Progress,
): Promise<Partial<Kept> & { result?: unknown; headers?: Readonly<Record<string, string>> }> {
  const { notes } = result;
  const headers = Object.keys(notes).length > 0 ? { headers: notes } : {};
  const told = notesText(notes, several ? task.label : undefined);
  if (!json && !quiet && told !== '') progress.aside(() => process.stderr.write(told));
  if (isShown(result.mediaType, destination) && (json || several)) {
    const { filename, mediaType } = result;
    const shown = mediaType === 'application/json' ? await result.json() : await result.text();
    if (!json) {
      const text = typeof shown === 'string' ? onScreen(shown) : jsonText(shown);
      const ended = text.endsWith('\n') ? text : `${text}\n`;
      progress.aside(() => process.stdout.write(`==> ${plainLine(task.label)} <==\n${ended}`));
    }
    return { output: '-', filename, mediaType, result: shown, ...headers };
  }
  const kept = await keep(result, destination);
  if (!json && !quiet && kept.output !== '-')
    progress.aside(() => process.stderr.write(`${plainLine(kept.output)}\n`));
  return { ...kept, ...headers };
}

/** X-Redaction-Count: 3. Of several files, with the one it is about. */
function notesText(notes: Readonly<Record<string, string>>, about: string | undefined): string {
  const spelled = (name: string) => name.replace(/(?:^|-)[a-z]/g, (letters) => letters.toUpperCase());
  return Object.entries(notes)
    .map(([name, value]) => `${about === undefined ? '' : `${about}: `}${spelled(name)}: ${value}`)
    .map((line) => `${plainLine(line)}\n`)
    .join('');
}
