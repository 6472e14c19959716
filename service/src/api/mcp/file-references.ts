// Files that a call names, as parts of a form: a file_id of ours, an upload made over REST, or a public address.
import { copyFile, link } from 'node:fs/promises';
import { EGRESS_LIMITS } from '../../contract/egress.ts';
import { safeName } from '../../contract/names.ts';
import { Problem } from '../../contract/problems.ts';
import type { Workspace } from '../../jobs/workspace.ts';
import type { Part } from '../../operations/plan.ts';
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
    throw new Problem('invalid_parameter', `files names more than ${MOST_FILES} files.`);
  }
  const parts: Part[] = [];
  for (const { field, id } of references) parts.push(await partOf(context, workspace, field, id.trim()));
  return parts;
}

async function partOf(context: CallContext, workspace: Workspace, field: string, id: string): Promise<Part> {
  if (/^https?:/i.test(id)) {
    const { name, bytes } = await fetched(context, id);
    return { field, file: { name, size: bytes.length, content: { bytes } } };
  }
  const { parts, key } = context;
  if (await parts.state.uploads.get(id, key.id)) return { field, uploadId: id };
  const { filename, size } = await readyFile(context, id);
  const file = workspace.newFile();
  const source = parts.state.files.pathOf(id);
  await link(source, workspace.path(file)).catch(() => copyFile(source, workspace.path(file)));
  return { field, file: { name: filename, size, content: { file } } };
}

/** Through the vetted way out only; each redirection is vetted anew. */
export async function fetched(
  { parts, signal }: CallContext,
  address: string,
): Promise<{ name: string; mediaType: string; bytes: Uint8Array }> {
  let url = address;
  for (let hops = 0; hops <= EGRESS_LIMITS.redirects; hops += 1) {
    requireHttps(url, parts.config.allowHosts);
    const answer = await parts.egress.fetch(
      {
        url,
        method: 'GET',
        headers: { 'User-Agent': 'Bindery', 'Accept-Encoding': 'identity' },
        maxAnswerBytes: EGRESS_LIMITS.pageBytes + 1,
        timeoutMs: EGRESS_LIMITS.timeoutMs,
      },
      signal,
    );
    const header = (name: string) => answer.headers.find(([given]) => given.toLowerCase() === name)?.[1];
    const next = answer.status >= 300 && answer.status < 400 ? header('location') : undefined;
    if (next !== undefined && URL.canParse(next, url)) {
      url = new URL(next, url).href;
      continue;
    }
    if (answer.status !== 200) throw unusable(`it answered ${answer.status}`);
    if (answer.body.length > EGRESS_LIMITS.pageBytes) throw unusable('it is larger than 50 MB');
    const mediaType = (header('content-type') ?? '').split(';', 1)[0]?.trim() || 'application/octet-stream';
    return { name: nameOf(url), mediaType, bytes: answer.body };
  }
  throw unusable(`it leads on more than ${EGRESS_LIMITS.redirects} times`);
}

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
