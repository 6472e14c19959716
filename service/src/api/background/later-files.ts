// Files that an asynchronous call names by address: looked at when it is accepted, so that an address that may not be
// reached is refused at once, and fetched when the call is run.
import { Problem } from '../../contract/problems.ts';
import type { Job, JobFile } from '../../jobs/job.ts';
import { filesOf, withFiles } from '../../jobs/job-files.ts';
import type { Workspace } from '../../jobs/workspace.ts';
import {
  type FetchAddress,
  FetchedFiles,
  type Fetches,
  nameInAddress,
  requireShort,
} from '../rest/fetched-files.ts';
import { type Outbound, ofField } from '../rest/outbound.ts';
import type { BackgroundParts } from './background-parts.ts';

/** How large a file that is not there yet is taken to be, when room is looked for. */
export const LATER_FILE_BYTES = 1024 * 1024;

export interface LaterFile extends FetchAddress {
  /** Plain http is for hosts that the operator named only. */
  httpsOnly: boolean;
}

export interface LaterCall {
  owner: string;
  signal: AbortSignal;
  httpsOnly?: boolean;
}

/** In place of those that fetch: what stands for a file until it is there, and where it will come from. */
export class LaterFiles implements Fetches {
  readonly bytes = 0;
  readonly addresses = new Map<JobFile, LaterFile>();
  readonly #outbound: Outbound;
  readonly #call: LaterCall;

  constructor(outbound: Outbound, call: LaterCall) {
    this.#outbound = outbound;
    this.#call = call;
  }

  async fetchAll(addresses: readonly FetchAddress[]): Promise<JobFile[]> {
    return Promise.all(addresses.map((address) => this.#notedDown(address)));
  }

  async #notedDown(address: FetchAddress): Promise<JobFile> {
    const { owner, httpsOnly = false } = this.#call;
    requireShort(address);
    await this.#outbound.turns.take(owner, () => this.#require(address));
    const file = { name: nameInAddress(address.url), size: 0, content: { chunks: [] } };
    this.addresses.set(file, { ...address, httpsOnly });
    return file;
  }

  async #require({ url, field }: FetchAddress): Promise<void> {
    const { signal, httpsOnly } = this.#call;
    signal.throwIfAborted();
    try {
      if (httpsOnly) this.#outbound.requireHttps(url);
      await this.#outbound.egress.require(url, signal);
    } catch (error) {
      // A name that leads nowhere at present is the matter of the job.
      if (Problem.from(error).reason !== 'url_fetch_failed') throw ofField(field, error);
    }
  }
}

/** Those of one call that is run now. */
export interface LaterRun {
  owner: string;
  signal: AbortSignal;
  workspace: Workspace;
}

/** All on disk: a call that nobody waits for takes no memory from those who wait. */
const ON_DISK = { take: () => false, fetch: () => {} };

export async function fetchLater(
  { config, outbound }: Pick<BackgroundParts, 'config' | 'outbound'>,
  { owner, signal, workspace }: LaterRun,
  later: readonly LaterFile[],
  broughtBytes: number,
): Promise<JobFile[]> {
  if (later.length === 0) return [];
  const fetches = new FetchedFiles(outbound, {
    ...{ owner, signal, workspace, broughtBytes, share: ON_DISK },
    mostBytes: config.limits.requestBytes,
    httpsOnly: later.some(({ httpsOnly }) => httpsOnly),
  });
  return fetches.fetchAll(later);
}

/** The job with the files it waited for, but for those that `left` names. */
export async function withLaterFiles(
  job: Job,
  addresses: ReadonlyMap<JobFile, LaterFile>,
  parts: Pick<BackgroundParts, 'config' | 'outbound'>,
  run: LaterRun,
  left: (file: JobFile) => boolean = () => false,
): Promise<Job> {
  const brought = filesOf(job).reduce((sum, { size }) => sum + size, 0);
  const wanted = [...addresses].filter(([file]) => !left(file));
  const asked = wanted.map(([, address]) => address);
  const fetched = await fetchLater(parts, run, asked, brought);
  const found = new Map(wanted.map(([file], index) => [file, fetched[index] ?? file]));
  return withFiles(job, (file) => found.get(file) ?? file);
}
