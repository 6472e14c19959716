// Files that one call names by address: fetched through the vetted way out, into memory while they are small, else to
// disk, and in all no more than a form may bring.
import { EGRESS_LIMITS } from '../../contract/egress.ts';
import { safeName } from '../../contract/names.ts';
import { invalidParameter, Problem } from '../../contract/problems.ts';
import type { AnswerHead, Take } from '../../jobs/egress.ts';
import type { JobFile } from '../../jobs/job.ts';
import type { Workspace } from '../../jobs/workspace.ts';
import { dispositionFilename } from './forms/part-headers.ts';
import { FileSpool } from './forms/spool.ts';
import type { HeldShare } from './held-bytes.ts';
import { LONGEST_ADDRESS, type Outbound, ofField } from './outbound.ts';

export interface FetchAddress {
  url: string;
  /** What the caller wrote it in. */
  field: string;
  /** The step of a pipeline that it is for. */
  at?: { step: number; op: string };
}

/** Whoever brings files that are named by address. */
export interface Fetches {
  /** What was fetched so far. */
  readonly bytes: number;
  fetchAll(addresses: readonly FetchAddress[]): Promise<JobFile[]>;
}

export interface FetchingCall {
  workspace: Workspace;
  share: Pick<HeldShare, 'take' | 'fetch'>;
  /** The key of the caller. */
  owner: string;
  signal: AbortSignal;
  /** What the files of one call may have together, those that it brings itself counted. */
  mostBytes: number;
  broughtBytes?: number;
  /** Plain http is for hosts that the operator named only. */
  httpsOnly?: boolean;
}

export class FetchedFiles implements Fetches {
  readonly #outbound: Outbound;
  readonly #call: FetchingCall;
  /** Fires with the first that fails: the others are in vain. */
  readonly #failed = new AbortController();
  #bytes = 0;

  constructor(outbound: Outbound, call: FetchingCall) {
    this.#outbound = outbound;
    this.#call = call;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Several at once; returns when none is under way any more. */
  async fetchAll(addresses: readonly FetchAddress[]): Promise<JobFile[]> {
    const settled = await Promise.allSettled(addresses.map((address) => this.fetch(address)));
    this.#failed.signal.throwIfAborted();
    return settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  }

  /** Each redirection is vetted anew. */
  async fetch(address: FetchAddress): Promise<JobFile> {
    try {
      requireShort(address);
      return await this.#outbound.turns.take(this.#call.owner, () => this.#follow(address.url));
    } catch (error) {
      const problem = ofField(address.field, error);
      const told = address.at ? problem.at(address.at) : problem;
      this.#failed.abort(told);
      throw told;
    }
  }

  async #follow(address: string): Promise<JobFile> {
    const over = AbortSignal.any([this.#call.signal, this.#failed.signal]);
    const signal = AbortSignal.any([over, AbortSignal.timeout(EGRESS_LIMITS.fileTimeoutMs)]);
    let url = address;
    for (let hops = 0; hops <= EGRESS_LIMITS.redirects; hops += 1) {
      over.throwIfAborted();
      if (this.#call.httpsOnly) this.#outbound.requireHttps(url);
      const spool = new FileSpool('', this.#call.workspace, this.#call.share, false);
      try {
        const answer = await this.#fetchInto(url, spool, signal);
        const next = redirection(answer, url);
        if (next !== undefined) {
          url = next;
          continue;
        }
        if (answer.status !== 200) throw unusable(`it answered ${answer.status}`);
        if (isPacked(answer)) throw unusable('it came packed (Content-Encoding)');
        return { ...(await spool.finish()).file, name: nameOf(answer, url, address) };
      } finally {
        // Of a file that is finished nothing is left to end.
        await spool.abandon();
      }
    }
    throw unusable(`it leads on more than ${EGRESS_LIMITS.redirects} times`);
  }

  #fetchInto(url: string, spool: FileSpool, signal: AbortSignal) {
    const take = async (piece: Buffer): Promise<boolean> => {
      this.#count(piece.length);
      await new Promise<void>((drained) => {
        if (spool.write(piece, drained)) drained();
      });
      return true;
    };
    const begin = (head: AnswerHead): Take => {
      // Of what is not the file itself nothing is kept.
      if (head.status !== 200 || isPacked(head)) return () => false;
      const declared = Number(headerOf(head, 'content-length') ?? 0);
      if (declared > this.#left()) throw this.#tooLarge();
      return take;
    };
    const request = {
      url,
      method: 'GET',
      headers: { 'User-Agent': 'Bindery', Accept: '*/*', 'Accept-Encoding': 'identity' },
      maxAnswerBytes: Number.POSITIVE_INFINITY,
      timeoutMs: EGRESS_LIMITS.fileTimeoutMs,
    } as const;
    return this.#outbound.egress.fetchInto(request, begin, signal);
  }

  #left(): number {
    return this.#call.mostBytes - (this.#call.broughtBytes ?? 0) - this.#bytes;
  }

  #count(bytes: number): void {
    if (bytes > this.#left()) throw this.#tooLarge();
    this.#bytes += bytes;
    this.#call.share.fetch(bytes);
  }

  #tooLarge(): Problem {
    return new Problem(
      'payload_too_large',
      `The files of the request, those that it names by address included, are more than ${this.#call.mostBytes} bytes together.`,
    );
  }
}

export function requireShort({ url, field }: FetchAddress): void {
  if (url.length > LONGEST_ADDRESS)
    throw invalidParameter(`${field} must be an address of at most ${LONGEST_ADDRESS} characters.`);
}

const headerOf = ({ headers }: AnswerHead, wanted: string): string | undefined =>
  headers.find(([name]) => name.toLowerCase() === wanted)?.[1];

const isPacked = (head: AnswerHead): boolean =>
  !/^(?:identity)?$/i.test((headerOf(head, 'content-encoding') ?? '').trim());

/** Where an answer leads on to, if it does. */
export function redirection(answer: AnswerHead, url: string): string | undefined {
  const location = answer.status >= 300 && answer.status < 400 ? headerOf(answer, 'location') : undefined;
  return location === undefined ? undefined : URL.parse(location, url)?.href;
}

const unusable = (why: string): Problem =>
  new Problem('url_fetch_failed', `The address could not be fetched: ${why}.`, {
    hint: 'Check that the address answers with the file itself, without a login.',
  });

/** What the server calls the file; else the end of its path, or of the path that was asked for first. */
function nameOf(answer: AnswerHead, url: string, asked: string): string {
  const given = dispositionFilename(headerOf(answer, 'content-disposition') ?? '');
  return safeName(given || lastOfPath(url) || lastOfPath(asked));
}

/** What a file is called as long as nobody has said more. */
export const nameInAddress = (url: string): string => safeName(lastOfPath(url));

function lastOfPath(url: string): string {
  const last = URL.parse(url)?.pathname.split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}
