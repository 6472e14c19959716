import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { InputFile } from '../../contract/files.ts';

/** Four bytes that stand for a file and what was asked of it: the same for the same request. */
export async function seedOf(file: InputFile, params: Record<string, unknown>): Promise<number> {
  const hash = createHash('sha256').update(JSON.stringify(params));
  if ('bytes' in file.content) hash.update(file.content.bytes);
  else for await (const chunk of createReadStream(file.content.path)) hash.update(chunk as Buffer);
  return hash.digest().readUInt32LE(0);
}
