// A chain becomes a call: the SDK sends it, this tells how far it is, and keeps what came back until the tab closes.
import {
  BinderyError,
  type CallOptions,
  type FileResult,
  type PipelineStep,
  type Progress,
  type Upload,
} from '@bindery/sdk';
import { signal } from '@preact/signals';
import { t } from '../strings.ts';
import { type InputFile, inputFile } from './files.ts';
import { client, keyState } from './key.ts';
import { entryOf, mainFile, titleOf } from './operations.ts';
import { announce } from './voice.ts';
import { files, newId, type Step, steps } from './work.ts';

interface Running {
  readonly phase: 'sending' | 'working' | 'receiving';
  readonly startedAt: number;
  readonly sentBytes: number;
  readonly totalBytes: number;
  /** How far the service is, once it has begun. */
  readonly work?: Progress['work'];
}

export interface Failure {
  readonly message: string;
  readonly hint: string | undefined;
  readonly reason: string;
  /** The step and the field that are to blame, where the service named them. */
  readonly stepId: string | undefined;
  readonly field: string | undefined;
  readonly requestId: string | undefined;
}

export interface Result {
  readonly id: string;
  readonly file: File;
  readonly mediaType: string;
  readonly ms: number;
  readonly ops: readonly string[];
  /** What it was made from. */
  readonly sources: readonly InputFile[];
  /** The result as an input, for its thumbnails. */
  readonly view: InputFile;
}

export const running = signal<Running | undefined>(undefined);
export const failure = signal<Failure | undefined>(undefined);
/** The call worked, but there is nothing to return. */
export const nothing = signal<string | undefined>(undefined);
export const results = signal<readonly Result[]>([]);
/** How many runs have come to an end by themselves. */
export const finished = signal(0);

let controller: AbortController | undefined;
export const cancel = (): void => controller?.abort();

/** Larger files go ahead in chunks, so that their progress can be told. */
const SENT_AHEAD_BYTES = 8 * 1024 * 1024;

export async function run(): Promise<void> {
  if (running.value) return;
  controller = new AbortController();
  const { signal: ended } = controller;
  const [sources, chain] = [files.value, steps.value];
  const startedAt = Date.now();
  failure.value = undefined;
  nothing.value = undefined;
  const totalBytes = sources.reduce((sum, { file }) => sum + file.size, 0);
  running.value = { phase: 'sending', startedAt, sentBytes: 0, totalBytes };
  try {
    const made = await performed(sources, chain, ended);
    if (running.value) running.value = { ...running.value, phase: 'receiving' };
    const name = nameOf(made.filename, sources, chain);
    const file = new File([await made.blob()], name, { type: made.mediaType });
    const result: Result = {
      ...{ id: newId(), file, mediaType: made.mediaType, ms: Date.now() - startedAt, sources },
      ops: chain.map(({ op }) => op),
      view: inputFile(file),
    };
    results.value = [result, ...results.value];
    announce(t('done', file.name));
  } catch (error) {
    explain(error, sources, chain);
  } finally {
    dropJob();
    running.value = undefined;
    if (!ended.aborted) finished.value += 1;
    controller = undefined;
  }
}

async function performed(
  sources: readonly InputFile[],
  chain: readonly Step[],
  ended: AbortSignal,
): Promise<FileResult> {
  const sent: (File | Upload)[] = [];
  try {
    await sendAhead(sources, sent, ended);
    working();
    return await perform(sent, chain, passwordsOf(sources), inBackground(ended));
  } finally {
    // The service would keep them for another hour.
    for (const each of sent) if (!(each instanceof File)) client.value.deleteUpload(each).catch(() => {});
  }
}

export const passwordsOf = (sources: readonly InputFile[]): string[] => [
  ...new Set(sources.map(({ password }) => password.value).filter(Boolean)),
];

/** An operation without a file goes first, by itself; all the rest is one pipeline. */
export async function perform(
  inputs: readonly (File | Upload)[],
  chain: readonly Step[],
  passwords: readonly string[],
  options: CallOptions,
): Promise<FileResult> {
  const calls = chain.map((step) => pipelineStep(step, passwords));
  const [first, ...rest] = calls;
  const entry = first && entryOf(first.op);
  if (!first || !entry || mainFile(entry)) return client.value.runPipeline([...inputs], calls, options);
  const made = await client.value.call(
    first.op,
    {},
    first.params,
    options.signal ? { signal: options.signal } : {},
  );
  if (rest.length === 0) return made;
  const file = new File([await made.blob()], made.filename, { type: made.mediaType });
  return client.value.runPipeline([file], rest, options);
}

/** Reports and archives of a chain have no name of their own: they get that of their source and of the last step. */
function nameOf(given: string, sources: readonly InputFile[], chain: readonly Step[]): string {
  const [, ending] = /^(?:response|output)\.(json|zip)$/.exec(given) ?? [];
  const [only, ...others] = sources;
  if (ending === undefined || !only || others.length > 0) return given;
  const did = chain.at(-1)?.op.split('/').at(-1) ?? 'result';
  return `${only.file.name.replace(/\.\w{1,8}$/, '')}_${did}.${ending}`;
}

/** As a job of the service: it tells how far it is, and work may take longer than a connection lasts. */
const inBackground = (ended: AbortSignal): CallOptions => ({
  signal: ended,
  background: true,
  onProgress: ({ work }) => {
    if (running.value && work) running.value = { ...running.value, phase: 'working', work };
  },
  onJob: ({ id }) => {
    jobId = id;
  },
});

let jobId: string | undefined;

/** The result is here: the service need not keep it any longer. */
function dropJob(): void {
  if (jobId !== undefined) client.value.jobs.cancel(jobId).catch(() => {});
  jobId = undefined;
}

/** What a step says to the service: what was set, the files of its own, and passwords of locked documents. */
export function pipelineStep(
  step: Step,
  passwords: readonly string[],
): PipelineStep & { params: Record<string, unknown> } {
  const takesPassword = entryOf(step.op)?.params.some(({ name }) => name === 'inputPassword') ?? false;
  const own = Object.entries(step.files).filter(([, chosen]) => chosen.length > 0);
  const needsPassword = takesPassword && passwords.length > 0 && step.values.inputPassword === undefined;
  return {
    op: step.op,
    params: {
      ...step.values,
      ...Object.fromEntries(own.map(([field, chosen]) => [field, [...chosen]])),
      ...(needsPassword ? { inputPassword: passwords.length === 1 ? passwords[0] : passwords } : {}),
    },
  };
}

const working = (): void => {
  if (running.value) running.value = { ...running.value, phase: 'working' };
};

/** `sent` gains each file, or what the service has of it by now. */
async function sendAhead(
  sources: readonly InputFile[],
  sent: (File | Upload)[],
  ended: AbortSignal,
): Promise<void> {
  let before = 0;
  for (const { file } of sources) {
    const onProgress = ({ sentBytes }: { sentBytes: number }): void => {
      if (running.value) running.value = { ...running.value, sentBytes: before + sentBytes };
    };
    const isLarge = file.size > SENT_AHEAD_BYTES;
    sent.push(isLarge ? await client.value.upload(file, { signal: ended, onProgress }) : file);
    before += file.size;
  }
}

function explain(error: unknown, sources: readonly InputFile[], chain: readonly Step[]): void {
  if (!(error instanceof BinderyError)) {
    const message = error instanceof Error ? error.message : String(error);
    failure.value = {
      message,
      reason: 'internal',
      hint: undefined,
      stepId: undefined,
      field: undefined,
      requestId: undefined,
    };
    return;
  }
  if (error.code === 'cancelled') {
    announce(t('cancelled'));
    return;
  }
  if (error.code === 'no_content') {
    nothing.value = t('nothingMade', chain.map(({ op }) => titleOf(op)).join(', '));
    return;
  }
  if (error.status === 401) keyState.value = 'refused';
  askForPassword(error, sources);
  const step = chain[error.problem?.step ?? (chain.length === 1 ? 0 : -1)];
  failure.value = {
    ...{ message: error.message, hint: error.hint, reason: error.reason, requestId: error.requestId },
    stepId: step?.id,
    field: step && fieldNamed(error.message, step.op),
  };
}

/** The first field of the operation that the detail speaks of. */
function fieldNamed(detail: string, op: string): string | undefined {
  const entry = entryOf(op);
  const words = detail.split(/[^\w]+/);
  const names = new Set([...(entry?.params ?? []), ...(entry?.files ?? [])].map(({ name }) => name));
  return words.find((word) => names.has(word));
}

function askForPassword({ reason, problem }: BinderyError, sources: readonly InputFile[]): void {
  if (reason !== 'password_required' && reason !== 'wrong_password') return;
  const pdfs = sources.filter(({ isPdf }) => isPdf);
  const blamed =
    pdfs.find(({ file }) => file.name === problem?.file) ?? (pdfs.length === 1 ? pdfs[0] : undefined);
  for (const each of blamed ? [blamed] : pdfs)
    if (each.state.value !== 'ready')
      each.state.value = reason === 'wrong_password' ? 'wrong password' : 'locked';
}
