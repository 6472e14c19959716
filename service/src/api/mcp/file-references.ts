// Files that a call names, as parts of a form: a file_id of ours, an upload made over REST, or a public address.
import { invalidParameter } from '../../contract/problems.ts';
import type { Workspace } from '../../jobs/workspace.ts';
import type { Part } from '../../operations/plan.ts';
import { FetchedFiles, type Fetches } from '../rest/fetched-files.ts';
import type { CallContext } from './caller.ts';
import { readyFile } from './kept-files.ts';

export const MOST_FILES = 500;

/** How agents name a file. */
export const REFERENCE = 'a file_id, the id of a completed upload, or a public https URL';

export async function fileParts(
  context: CallContext,
  workspace: Workspace,
  fetches: Fetches,
  named: Readonly<Record<string, readonly string[]>>,
): Promise<Part[]> {
  const references = Object.entries(named).flatMap(([field, ids]) =>
    ids.map((id) => ({ field, id: id.trim() })),
  );
  if (references.length > MOST_FILES) {
    throw invalidParameter(`files names more than ${MOST_FILES} files.`);
  }
  const addresses = references.flatMap(({ field, id }) => (isAddress(id) ? [{ field, url: id }] : []));
  const fetched = await fetches.fetchAll(addresses);
  const parts: Part[] = [];
  for (const { field, id } of references) {
    const file = isAddress(id) ? fetched.shift() : undefined;
    parts.push(file ? { field, file } : await partOf(context, workspace, field, id));
  }
  for (const part of parts) if ('file' in part) context.told.bytesIn += part.file.size;
  return parts;
}

const isAddress = (id: string): boolean => /^https?:/i.test(id);

async function partOf(context: CallContext, workspace: Workspace, field: string, id: string): Promise<Part> {
  const { parts, key } = context;
  if (await parts.state.uploads.get(id, key.id)) return { field, uploadId: id };
  const kept = await readyFile(context, id);
  const file = workspace.newFile();
  const stored = await parts.state.files.bytesOf(kept);
  await stored.bringTo(workspace.path(file));
  return { field, file: { name: kept.filename, size: kept.size, content: { file } } };
}

/** What one call fetches: no more than a form may bring, and by https. */
export const fetchesOf = ({ parts, share, key, signal }: CallContext, workspace: Workspace): FetchedFiles =>
  new FetchedFiles(parts.outbound, {
    ...{ workspace, share, signal, owner: key.id, httpsOnly: true },
    mostBytes: parts.config.limits.requestBytes,
  });
