// A batch: each file a call of its own, several at once where there is room, and one ZIP of what came of them. A file
// that fails does not fail the others.
import { rename, writeFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { Content } from '../../contract/files.ts';
import { LIMITS } from '../../contract/limits.ts';
import { baseName, contentDisposition, uniqueNames } from '../../contract/names.ts';
import { Problem, type ProblemData, problemDocument } from '../../contract/problems.ts';
import type { Job, JobFile, JobOutcome, JobResult } from '../../jobs/job.ts';
import { withFiles } from '../../jobs/job-files.ts';
import { writeZip } from '../../jobs/result.ts';
import type { Workspace } from '../../jobs/workspace.ts';
import type { Answer } from '../rest/answer.ts';
import type { BackgroundParts } from './background-parts.ts';
import { withLaterFiles } from './later-files.ts';
import type { LaterFilesOf } from './stored-call.ts';

/** A file for which no worker was free so often is told so. */
const MOST_TRIES = 100;
const LONGEST_PAUSE_MS = 10_000;
/** Others are looked for first, before a place that became free is taken again. */
const AFTER_OTHERS_MS = 50;

export interface BatchRun {
  owner: string;
  signal: AbortSignal;
  /** A further place to work in, where one is free; to be given back. */
  spare(): (() => void) | undefined;
  onFile(done: number, of: number): void;
}

interface MadeItem {
  name: string;
  mediaType: string;
  content: Content & { path: string };
  size: number;
}

interface Item {
  /** The file, as it is called once it is there. */
  file: string;
  made?: MadeItem;
  problem?: ProblemData;
}

export async function runBatch(
  job: Job,
  addresses: LaterFilesOf,
  workspace: Workspace,
  parts: BackgroundParts,
  run: BatchRun,
): Promise<Answer> {
  const { files } = job;
  const { signal } = run;
  const items = new Array<Item>(files.length);
  const besides = new Set<Promise<void>>();
  let next = 0;
  let done = 0;
  let madeBytes = 0;
  const doNext = async (): Promise<void> => {
    const index = next;
    next += 1;
    const file = files[index] as JobFile;
    const item = await runItem({ ...job, files: [file] }, addresses, workspace, parts, run);
    madeBytes += item.made?.size ?? 0;
    items[index] = madeBytes > LIMITS.batchResultBytes ? { file: item.file, problem: tooMuch() } : item;
    done += 1;
    run.onFile(done, files.length);
  };
  const fill = (): void => {
    while (next < files.length && !signal.aborted) {
      const giveBack = run.spare();
      if (giveBack === undefined) return;
      const beside = doNext().finally(() => {
        besides.delete(beside);
        giveBack();
        setTimeout(fill, AFTER_OTHERS_MS).unref();
      });
      // A failure is told by whoever waits for all.
      beside.catch(() => {});
      besides.add(beside);
    }
  };
  while (next < files.length) {
    signal.throwIfAborted();
    fill();
    if (next < files.length) await doNext();
  }
  await Promise.all(besides);
  signal.throwIfAborted();
  return packed(items, workspace);
}

/** `asked` is the call of one file. */
async function runItem(
  asked: Job,
  addresses: LaterFilesOf,
  batch: Workspace,
  parts: BackgroundParts,
  { owner, signal }: BatchRun,
): Promise<Item> {
  const { deadlineMs } = parts.config.jobs;
  let name = asked.files[0]?.name ?? '';
  for (let tries = 1; ; tries += 1) {
    const workspace = parts.workspaces.create();
    try {
      const links = new Map<string, string>();
      const single = await withLaterFiles(
        withFiles({ ...asked, id: workspace.id }, (one) =>
          addresses.has(one) ? one : linked(one, batch, workspace, links),
        ),
        new Map([...addresses].filter(([file]) => asked.files.includes(file))),
        parts,
        { owner, signal, workspace },
      );
      name = single.files[0]?.name ?? name;
      const outcome = await parts.runner.run(single, workspace, { owner, signal, deadlineMs });
      return { file: name, ...(await itemOf(outcome, name, workspace, batch)) };
    } catch (error) {
      signal.throwIfAborted();
      const problem = Problem.from(error);
      if (problem.reason !== 'unavailable' || tries === MOST_TRIES)
        return { file: name, problem: problem.toData() };
      const waitMs = 1000 * (problem.options.retryAfterSeconds ?? 1);
      await pause(Math.min(LONGEST_PAUSE_MS, waitMs), undefined, { signal });
    } finally {
      await workspace.remove();
    }
  }
}

function linked(file: JobFile, from: Workspace, to: Workspace, links: Map<string, string>): JobFile {
  const { content } = file;
  if (!('file' in content)) return file;
  const name = links.get(content.file) ?? to.link(from, content.file);
  links.set(content.file, name);
  return { ...file, content: { file: name } };
}

/** What was made goes into the directory of the batch; it is not to be held in memory with all others. */
async function itemOf(
  outcome: JobOutcome,
  file: string,
  workspace: Workspace,
  batch: Workspace,
): Promise<Omit<Item, 'file'>> {
  if (outcome.state === 'failed') return { problem: outcome.problem };
  if (outcome.state === 'nothing') return {};
  const { content, mediaType, size } = outcome.result;
  const path = batch.path(batch.newFile());
  if ('bytes' in content) await writeFile(path, content.bytes, { flag: 'wx', mode: 0o600 });
  else await rename(workspace.path(content.file), path);
  const bytes = 'bytes' in content ? content.bytes.length : size;
  return { made: { name: nameOf(outcome.result, file), mediaType, content: { path }, size: bytes } };
}

const nameOf = ({ name, kind }: JobResult, file: string): string =>
  name ?? `${baseName(file)}.${kind === 'json' ? 'json' : 'bin'}`;

const MANIFEST = 'manifest.json';

async function packed(items: readonly Item[], workspace: Workspace): Promise<Answer> {
  const made = items.flatMap((item) => (item.made ? [item.made] : []));
  const [, ...names] = uniqueNames([MANIFEST, ...made.map(({ name }) => name)]);
  const entryOf = new Map(made.map((item, index) => [item, names[index] ?? item.name]));
  const told = items.map((item) => manifestEntry(item, entryOf));
  const manifest = { files: told, succeeded: told.filter(({ status }) => status === 'succeeded').length };
  const path = workspace.path(workspace.newFile());
  const bytes = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`);
  const entries = [
    { name: MANIFEST, content: { bytes }, compress: true },
    ...made.map((item) => ({ name: entryOf.get(item) ?? item.name, content: item.content, compress: false })),
  ];
  const size = await writeZip(path, entries);
  return {
    status: 200,
    headers: {
      'content-type': 'application/octet-stream',
      'content-disposition': contentDisposition('batch.zip'),
    },
    body: { path, size },
  };
}

function manifestEntry({ file, made, problem }: Item, entryOf: ReadonlyMap<MadeItem, string>) {
  if (problem) return { file, status: 'failed', problem: problemDocument(problem) };
  if (!made) return { file, status: 'succeeded', result: null };
  return { file, status: 'succeeded', result: entryOf.get(made), mediaType: made.mediaType, size: made.size };
}

const tooMuch = (): ProblemData => ({
  reason: 'payload_too_large',
  detail: `The results of a batch may have ${LIMITS.batchResultBytes} bytes together.`,
  hint: 'Send fewer files in one batch.',
});
