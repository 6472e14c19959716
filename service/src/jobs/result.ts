// From the files of the last step to what the caller receives: one file as itself, several as a ZIP.
import { createWriteStream, writeFileSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import yazl from 'yazl';
import { type Content, contentSize } from '../contract/files.ts';
import { type FileKind, KINDS, shownAs } from '../contract/kinds.ts';
import { LIMITS } from '../contract/limits.ts';
import { uniqueNames } from '../contract/names.ts';
import type { JobResult } from './job.ts';
import type { JobDirectory } from './job-directory.ts';
import { resultTooLarge, type StepFile } from './step-files.ts';
import { isStorable, type StoredEntry, storedZip, writeStoredZip } from './stored-zip.ts';

/** Kinds that are compressed already: stored, not deflated again. */
const COMPRESSED: ReadonlySet<FileKind> = new Set(['pdf', 'png', 'jpeg', 'gif', 'webp']);

/** One date for all entries, so that equal requests give equal bytes. */
const ENTRY_DATE = new Date('1980-01-01T00:00:00Z');

export async function finish(
  current: StepFile[],
  archiveName: string | undefined,
  isPipeline: boolean,
  directory: JobDirectory,
): Promise<JobResult> {
  const only = current.length === 1 ? current[0] : undefined;
  // From REST an archive is a ZIP even with one entry, unless the operation says otherwise (it then sends no archive name).
  if (only && archiveName === undefined) return asItself(only, directory);
  // Operations 9.7: "one file -> its own type": out of the archive it is no longer application/octet-stream.
  if (only && isPipeline) return asItself({ ...only, mediaType: KINDS[only.kind].mediaType }, directory);
  const result = await asArchive(current, archiveName ?? 'output.zip', directory);
  // What one file's headers say is not true of all of them.
  return isPipeline ? { ...result, name: 'output.zip', headers: {} } : result;
}

function asItself(current: StepFile, directory: JobDirectory): JobResult {
  const { content } = current.file;
  return {
    content: 'path' in content ? { file: directory.nameOf(content.path) } : inline(content.bytes, directory),
    size: contentSize(content),
    mediaType: current.mediaType,
    ...(current.named ? { name: current.file.name } : {}),
    kind: current.kind,
    headers: current.headers,
  };
}

/** Small results travel in memory, larger ones as a file. */
function inline(bytes: Uint8Array, directory: JobDirectory): JobResult['content'] {
  if (bytes.length <= LIMITS.spoolBytes) return { bytes };
  const path = directory.newFile('bin');
  writeFileSync(path, bytes);
  return { file: directory.nameOf(path) };
}

async function asArchive(current: StepFile[], name: string, directory: JobDirectory): Promise<JobResult> {
  const content = await pack(current, directory);
  return {
    content: 'path' in content ? { file: directory.nameOf(content.path) } : content,
    size: contentSize(content),
    mediaType: KINDS.any.mediaType,
    name,
    kind: 'zip',
    headers: Object.assign({}, ...current.map(({ headers }) => headers)),
  };
}

/** A ZIP of them: in memory where it is small, else in a file of ours. */
export async function pack(current: readonly StepFile[], directory: JobDirectory): Promise<Content> {
  const names = uniqueNames(current.map(({ entryName }) => entryName));
  const entries = current.map(({ file, kind }, index) => ({
    name: names[index] ?? file.name,
    content: file.content,
    compress: !COMPRESSED.has(kind) && shownAs(kind) !== 'zip',
  }));
  const isStored = entries.every(({ compress }) => !compress);
  if (isStored && isStorable(entries, LIMITS.spoolBytes)) return { bytes: storedZip(entries) };
  const path = directory.newFile('zip');
  if (isStored && isStorable(entries)) writeStoredZip(path, entries);
  else await writeZip(path, entries);
  if (contentSize({ path }) > LIMITS.resultBytes) throw resultTooLarge();
  return { path };
}

/** A ZIP of files, read and written piece by piece; resolves to its size. */
export async function writeZip(
  path: string,
  entries: readonly (StoredEntry & { compress: boolean })[],
): Promise<number> {
  const zip = new yazl.ZipFile();
  for (const { name, content, compress } of entries) {
    const options = { mtime: ENTRY_DATE, compress, mode: 0o100644 };
    if ('bytes' in content) zip.addBuffer(Buffer.from(content.bytes), name, options);
    else zip.addFile(content.path, name, options);
  }
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(path, { mode: 0o600 }));
  return contentSize({ path });
}
