// A job as it travels to another node, and its result on the way back: few bytes in Redis, more by the bucket.
import { deserialize, serialize } from 'node:v8';
import { KIB } from '../../contract/limits.ts';
import type { PassingBytes } from '../../contract/shared-servers.ts';
import { bytesIn } from '../exchange.ts';
import type { Job, JobFile, JobOutcome } from '../job.ts';
import { filesOf, withFiles } from '../job-files.ts';
import type { Workspace } from '../workspace.ts';

/** Redis holds all in memory: more than this goes by the bucket, which takes tens of milliseconds longer. */
const MOST_IN_REDIS_BYTES = 256 * KIB;

/** Of the caller, as far as the node that does the job must know it. */
export interface TravellingCaller {
  /** The key it is done for. */
  owner: string;
  /** As `Caller.deadlineMs`. */
  deadlineMs: number | undefined;
  /** Whether anybody asks when the wait is over. */
  tellsBegin: boolean;
  /** Whether anybody asks how far it is. */
  tellsProgress: boolean;
}

export interface TravellingJob extends TravellingCaller {
  job: Job;
  /** For each file of the job, in order: the object it lies in, where it is not in the job itself. */
  objects: (string | undefined)[];
}

/** Whoever packs it removes the objects in the end. */
export async function packed(
  job: Job,
  caller: TravellingCaller,
  workspace: Workspace,
  passing: PassingBytes,
  livesMs: number,
): Promise<{ frame: Buffer; objects: string[] }> {
  const objects: (string | undefined)[] = [];
  const put = (): string[] => objects.filter((name) => name !== undefined);
  let room = MOST_IN_REDIS_BYTES;
  try {
    for (const { content, size } of filesOf(job)) {
      if ('chunks' in content && size <= room) {
        room -= size;
        objects.push(undefined);
      } else objects.push(await passing.put(contentOf(content, size, workspace), livesMs));
    }
  } catch (error) {
    await forget(put(), passing);
    throw error;
  }
  const light = withFilesInOrder(job, (file, index) =>
    objects[index] === undefined ? file : { ...file, content: { chunks: [] } },
  );
  const travelling: TravellingJob = { job: light, ...caller, objects };
  return { frame: serialize(travelling), objects: put() };
}

export const readFrame = (frame: Buffer): TravellingJob => deserialize(frame) as TravellingJob;

/** The job with its files at hand. */
export async function unpacked(
  { job, objects }: TravellingJob,
  workspace: Workspace,
  passing: PassingBytes,
): Promise<Job> {
  const files = new Map<number, string>();
  for (const [index, name] of objects.entries()) {
    if (name === undefined) continue;
    const file = workspace.newFile();
    await passing.bringTo(name, workspace.path(file));
    files.set(index, file);
  }
  return withFilesInOrder(job, (each, index) => {
    const file = files.get(index);
    return file === undefined ? each : { ...each, content: { file } };
  });
}

export interface TravellingOutcome {
  outcome: JobOutcome;
  /** Where the result lies, if not in the outcome. */
  object?: string;
}

export async function packedOutcome(
  outcome: JobOutcome,
  workspace: Workspace,
  passing: PassingBytes,
  livesMs: number,
): Promise<TravellingOutcome> {
  if (outcome.state !== 'made') return { outcome };
  const { content, size } = outcome.result;
  if ('bytes' in content && content.bytes.length <= MOST_IN_REDIS_BYTES) return { outcome };
  const body = 'bytes' in content ? content : { path: workspace.path(content.file), size };
  const object = await passing.put(body, livesMs);
  return {
    outcome: { ...outcome, result: { ...outcome.result, content: { bytes: new Uint8Array() } } },
    object,
  };
}

/** The outcome with its bytes at hand; the object they lay in is gone. */
export async function unpackedOutcome(
  { outcome, object }: TravellingOutcome,
  workspace: Workspace,
  passing: PassingBytes,
): Promise<JobOutcome> {
  if (object === undefined || outcome.state !== 'made') return outcome;
  const file = workspace.newFile();
  try {
    await passing.bringTo(object, workspace.path(file));
  } finally {
    void forget([object], passing);
  }
  return { ...outcome, result: { ...outcome.result, content: { file } } };
}

/** What is missed here goes with its time. */
export async function forget(objects: readonly string[], passing: PassingBytes): Promise<void> {
  await Promise.all(objects.map((name) => passing.remove(name).catch(() => {})));
}

function contentOf(content: JobFile['content'], size: number, workspace: Workspace) {
  if ('file' in content) return { path: workspace.path(content.file), size };
  const [only, ...others] = content.chunks;
  const isWhole = only !== undefined && others.length === 0;
  return { bytes: isWhole ? only : Buffer.concat(content.chunks, bytesIn(content.chunks)) };
}

function withFilesInOrder(job: Job, change: (file: JobFile, index: number) => JobFile): Job {
  let index = 0;
  return withFiles(job, (file) => change(file, index++));
}
