// Files of agents: brought in, kept an hour, used many times.
import { open } from 'node:fs/promises';
import { LIMITS } from '../../contract/limits.ts';
import { safeName } from '../../contract/names.ts';
import { invalidParameter, Problem } from '../../contract/problems.ts';
import type { KeptFile } from '../../state/state.ts';
import type { CallContext, McpParts } from './caller.ts';

/** Agents that forget their files do not fill the disk: as many as these at a time for each key. */
const FILES_EACH = 200;

export const fileCaps = ({ config }: McpParts) => ({
  files: FILES_EACH,
  storageBytes: config.limits.uploadStorageBytes,
});

export const expiry = (): Date => new Date(Date.now() + LIMITS.uploadLifetimeMs);

export function refusal(reason: 'upload_limit_reached' | 'insufficient_storage'): Problem {
  return reason === 'upload_limit_reached'
    ? new Problem(reason, `This API key has ${FILES_EACH} files here; they expire after an hour.`)
    : new Problem(reason, 'There is no room left for files at present.');
}

export const fileNotFound = (): Problem =>
  new Problem('upload_not_found', 'The file_id is unknown or expired; files live one hour.', {
    hint: 'Bring the file in again with pdf_upload, or make the result again.',
  });

/** The ticket stays good: the whole file can still be sent. */
export const wrongSize = (declared: number | undefined, what: string): Problem =>
  invalidParameter(`The file has ${declared} bytes as told to pdf_upload, but ${what}.`, {
    hint: 'Send the whole file again, or ask for a new ticket with its true size.',
  });

export async function readyFile({ parts, key }: CallContext, id: string): Promise<KeptFile> {
  const file = await parts.state.files.find(id, key.id);
  if (file === undefined) throw fileNotFound();
  if (file.ready) return file;
  throw new Problem(
    'upload_incomplete',
    `The bytes of ${id} have not arrived: PUT them to its upload_url first.`,
  );
}

export type KeptContent = { bytes: Uint8Array } | { path: string; size: number };

export async function keepBytes(
  { parts, key }: CallContext,
  filename: string,
  mediaType: string,
  content: KeptContent,
): Promise<KeptFile> {
  const file = { owner: key.id, filename: safeName(filename), mediaType, expiresAt: expiry() };
  const kept = await parts.state.files.keep(file, content, fileCaps(parts));
  if (typeof kept === 'string') throw refusal(kept);
  return kept;
}

/** What callers see of a file. */
export function fileFacts({ parts, base }: CallContext, file: KeptFile): Record<string, unknown> {
  return {
    file_id: file.id,
    filename: file.filename,
    media_type: file.mediaType,
    size: file.size,
    download_url: parts.addresses.make(base, 'get', file.id, file.expiresAt),
    expires_at: file.expiresAt.toISOString(),
  };
}

export async function pieceOf(path: string, offset: number, length: number): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, offset);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
