// What the identifiers of a reproducible step follow from: the operation, its values and the files it works on.
import { createHash } from 'node:crypto';
import { canonicalJson } from '../contract/canonical-json.ts';
import { piecesOf } from '../contract/file-bytes.ts';
import type { AnyOperation } from '../operations/define.ts';
import type { Field } from '../operations/fields.ts';
import type { JobStep } from './job.ts';
import type { StepFile } from './step-files.ts';

/**
 * Files of this very step, never those of a step before: what that one took out must not be guessed and tried against
 * an identifier. Secrets are left out for the same reason.
 */
export function seedOf(op: AnyOperation, step: JobStep, given: Record<string, StepFile[]>): string {
  const hash = createHash('sha256').update(`${step.op}\n`);
  const fields = op.params as Record<string, Field>;
  const told = Object.entries(step.params).filter(([name]) => fields[name]?.kind !== 'secret');
  hash.update(`${canonicalJson(Object.fromEntries(told))}\n`);
  for (const name of Object.keys(given).sort()) {
    for (const { file } of given[name] ?? []) {
      hash.update(`${name} ${file.name} ${file.size}\n`);
      for (const piece of piecesOf(file.content)) hash.update(piece);
    }
  }
  return hash.digest('hex');
}
