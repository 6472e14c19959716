// Bytes that a request leaves behind, as a file of the data folder.
import { chmod, constants, copyFile, link, lstat, writeFile } from 'node:fs/promises';
import type { NewStoredResponse } from '../state.ts';

/** A body becomes a file of ours; resolves to its size. */
export async function takeIn(body: NonNullable<NewStoredResponse['body']>, target: string): Promise<number> {
  if ('bytes' in body) {
    await writeFile(target, body.bytes, { flag: 'wx', mode: 0o600 });
    return body.bytes.byteLength;
  }
  const given = await lstat(body.path);
  // A link could lead out of the job's directory.
  if (!given.isFile()) throw new Error('The body to store is not a plain file.');
  await link(body.path, target).catch(() => copyFile(body.path, target, constants.COPYFILE_FICLONE));
  await chmod(target, 0o600);
  return given.size;
}
