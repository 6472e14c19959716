// Files that a call names, as parts of a form: a file_id of ours, an upload made over REST, or a public address.
import { EGRESS_LIMITS } from '../../contract/egress.ts';
import { safeName } from '../../contract/names.ts';
import { invalidParameter, Problem } from '../../contract/problems.ts';
import type { AnswerHead } from '../../jobs/egress.ts';
import type { JobFile } from '../../jobs/job.ts';
import type { Workspace } from '../../jobs/workspace.ts';
import type { Part } from '../../operations/plan.ts';
import { FileSpool } from '../rest/forms/spool.ts';
import type { HeldShare } from '../rest/held-bytes.ts';
import type { CallContext } from './caller.ts';
import { readyFile } from './kept-files.ts';

export const MOST_FILES = 500;

/** How agents name a file. */
export const REFERENCE = 'a file_id, the id of a completed upload, or a public https URL';

export async function fileParts(
  context: CallContext,
  workspace: Workspace,
  named: Readonly<Record<string, readonly string[]>>,
): Promise<Part[]> {
  const references = Object.entries(named).flatMap(([field, ids]) => ids.map((id) => ({ field, id })));
  if (references.length > MOST_FILES) {
    throw invalidParameter(`files names more than ${MOST_FILES} files.`);
  }
  const fetches = new Fetches(context, workspace);
  const parts: Part[] = [];
  for (const { field, id } of references) parts.push(await partOf(context, fetches, field, id.trim()));
  return parts;
}

async function partOf(context: CallContext, fetches: Fetches, field: string, id: string): Promise<Part> {
  if (/^https?:/i.test(id)) return { field, file: await fetchFile(context, fetches, id) };
  const { parts, key } = context;
  const { workspace } = fetches;
  if (await parts.state.uploads.get(id, key.id)) return { field, uploadId: id };
  const kept = await readyFile(context, id);
  const file = workspace.newFile();
  const stored = await parts.state.files.bytesOf(kept);
  await stored.bringTo(workspace.path(file));
  return { field, file: { name: kept.filename, size: kept.size, content: { file } } };
}

/** What one call fetches: into memory while it is small, else to disk, and in all no more than a form may bring. */
export class Fetches {
  readonly workspace: Workspace;
  readonly #share: HeldShare;
  readonly #most: number;
  #bytes = 0;

  constructor({ share, parts }: CallContext, workspace: Workspace) {
    this.workspace = workspace;
    this.#share = share;
    this.#most = parts.config.limits.requestBytes;
  }

  spool(): FileSpool {
    return new FileSpool('', this.workspace, this.#share, false);
  }

  count(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > this.#most) {
      throw new Problem(
        'payload_too_large',
        `The files that the call names by address are more than ${this.#most} bytes together.`,
      );
    }
    this.#share.fetch(bytes);
  }
}

/** Through the vetted way out only; each redirection is vetted anew. */
export async function fetchFile(context: CallContext, fetches: Fetches, address: string): Promise<JobFile> {
  let url = address;
  for (let hops = 0; hops <= EGRESS_LIMITS.redirects; hops += 1) {
    requireHttps(url, context.parts.config.allowHosts);
    const spool = fetches.spool();
    try {
      const answer = await fetchInto(context, url, spool, fetches);
      const next = answer.status >= 300 && answer.status < 400 ? locationIn(answer) : undefined;
      if (next !== undefined && URL.canParse(next, url)) {
        url = new URL(next, url).href;
        continue;
      }
      if (answer.status !== 200) throw unusable(`it answered ${answer.status}`);
      if (answer.cut) throw unusable('it is larger than 50 MB');
      return { ...(await spool.finish()).file, name: nameOf(url) };
    } finally {
      // Of a file that is finished nothing is left to end.
      await spool.abandon();
    }
  }
  throw unusable(`it leads on more than ${EGRESS_LIMITS.redirects} times`);
}

function fetchInto({ parts, key, signal }: CallContext, url: string, spool: FileSpool, fetches: Fetches) {
  const take = async (piece: Buffer): Promise<boolean> => {
    fetches.count(piece.length);
    await new Promise<void>((drained) => {
      if (spool.write(piece, drained)) drained();
    });
    return true;
  };
  const request = {
    url,
    method: 'GET',
    headers: { 'User-Agent': 'Bindery', 'Accept-Encoding': 'identity' },
    maxAnswerBytes: EGRESS_LIMITS.pageBytes + 1,
    timeoutMs: EGRESS_LIMITS.timeoutMs,
  } as const;
  // Of what is not the file itself nothing is kept.
  return parts.fetchTurns.take(key.id, () => {
    signal.throwIfAborted();
    return parts.egress.fetchInto(request, ({ status }) => (status === 200 ? take : () => false), signal);
  });
}

const locationIn = ({ headers }: AnswerHead): string | undefined =>
  headers.find(([name]) => name.toLowerCase() === 'location')?.[1];

/** What goes unencrypted may be changed on its way; within a network that the operator named it may go. */
function requireHttps(address: string, allowHosts: readonly string[]): void {
  const url = URL.parse(address);
  if (
    url?.protocol === 'https:' ||
    (url && [url.hostname, url.host].some((host) => allowHosts.includes(host)))
  )
    return;
  throw new Problem('url_not_allowed', 'The address must be a public https address.', {
    hint: 'Send a public https address, or bring the file in with pdf_upload.',
  });
}

const unusable = (why: string): Problem =>
  new Problem('url_fetch_failed', `The address could not be fetched: ${why}.`);

function nameOf(url: string): string {
  const last = new URL(url).pathname.split('/').at(-1) ?? '';
  try {
    return safeName(decodeURIComponent(last));
  } catch {
    return safeName(last);
  }
}
