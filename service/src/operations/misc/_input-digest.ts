import { createHash } from 'node:crypto';
import { piecesOf } from '../../contract/file-bytes.ts';
import type { InputFile } from '../../contract/files.ts';

/** Four bytes that stand for a file and what was asked of it: the same for the same request. */
export function seedOf({ content }: InputFile, params: Record<string, unknown>): number {
  const hash = createHash('sha256').update(JSON.stringify(params));
  for (const piece of piecesOf(content)) hash.update(piece);
  return hash.digest().readUInt32LE(0);
}
