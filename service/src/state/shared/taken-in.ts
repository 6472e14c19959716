// Bytes that a request leaves behind, as the content of an object.
import { lstat } from 'node:fs/promises';
import type { NewStoredResponse } from '../state.ts';
import type { ObjectContent } from './objects.ts';

export async function contentOf(body: NonNullable<NewStoredResponse['body']>): Promise<ObjectContent> {
  if ('bytes' in body) return body;
  const given = await lstat(body.path);
  // A link could lead out of the job's directory.
  if (!given.isFile()) throw new Error('The body to store is not a plain file.');
  return { path: body.path, size: given.size };
}
