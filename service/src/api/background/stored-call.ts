// A checked call as parts that the state keeps until the call is run: first what is asked, then each file as it came.
import { deserialize, serialize } from 'node:v8';
import { LIMITS } from '../../contract/limits.ts';
import type { Job, JobFile } from '../../jobs/job.ts';
import { filesOf, withFiles } from '../../jobs/job-files.ts';
import type { Workspace } from '../../jobs/workspace.ts';
import type { JobPart, NewJob } from '../../state/jobs.ts';
import type { StoredBytes } from '../../state/state.ts';
import type { Delivery } from '../rest/delivery-fields.ts';
import { LATER_FILE_BYTES, type LaterFile } from './later-files.ts';

export interface StoredCall {
  /** Of its files, only what is in them is missing. */
  job: Omit<Job, 'id'>;
  /** Of the answer, beside those the result brings. */
  headers: Record<string, string>;
  /** Uploads that are used up when it succeeds. */
  uploads: readonly string[];
  /** Where what comes of it is to go. */
  delivery: Delivery;
  /** Each of its files is a call of its own. */
  batch: boolean;
}

/** Files that are fetched when it is run. */
export type LaterFilesOf = ReadonlyMap<JobFile, LaterFile>;

interface Kept extends StoredCall {
  /** By the number of the file. */
  later: ReadonlyMap<string, LaterFile>;
}

/** Values of a call may be of any kind that crosses to a worker, so JSON will not do. */
export function partsOf(
  call: StoredCall & { job: Job },
  addresses: LaterFilesOf,
  workspace: Workspace,
): Pick<NewJob, 'parts' | 'laterBytes'> {
  const files = [...new Set(filesOf(call.job))];
  const numbers = new Map(files.map((file, index) => [file, index + 1]));
  const { id: _id, ...job } = withFiles(call.job, (file) => ({
    ...file,
    content: { file: String(numbers.get(file)) },
  }));
  const later = new Map([...addresses].map(([file, address]) => [String(numbers.get(file)), address]));
  const parts: JobPart[] = [
    { chunks: [serialize({ ...call, job, later } satisfies Kept)] },
    ...files.map(({ content, size }) =>
      'chunks' in content ? content : { path: workspace.path(content.file), size },
    ),
  ];
  return { parts, laterBytes: later.size * LATER_FILE_BYTES };
}

/** The call as it was when it came, its files in the workspace: small ones in memory, as of any call. */
export async function callOf(
  [first, ...rest]: readonly StoredBytes[],
  workspace: Workspace,
): Promise<StoredCall & { job: Job; addresses: LaterFilesOf }> {
  if (first === undefined) throw new Error('a job without a call');
  const { later, ...call } = deserialize(await first.read(0, first.size)) as Kept;
  const contents: JobFile['content'][] = [];
  // Of a batch there may be many: none is held in memory before its turn.
  const held = call.batch ? -1 : LIMITS.spoolBytes;
  for (const bytes of rest) contents.push(await contentOf(bytes, workspace, held));
  const addresses = new Map<JobFile, LaterFile>();
  const job = withFiles({ ...call.job, id: workspace.id }, (file) => {
    const number = 'file' in file.content ? file.content.file : '';
    const content = contents[Number(number) - 1];
    if (content === undefined) throw new Error('a file of a job is missing');
    const known = { ...file, content };
    const address = later.get(number);
    if (address) addresses.set(known, address);
    return known;
  });
  return { ...call, job, addresses };
}

async function contentOf(
  bytes: StoredBytes,
  workspace: Workspace,
  heldBytes: number,
): Promise<JobFile['content']> {
  if (bytes.size <= heldBytes) return { chunks: [await bytes.read(0, bytes.size)] };
  const file = workspace.newFile();
  await bytes.bringTo(workspace.path(file));
  return { file };
}
