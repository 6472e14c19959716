// Names of parameters: one that does not exist is a slip, and nobody must take the result for what was meant.
import { BinderyError } from './errors.ts';
import { nearestName } from './nearest-name.generated.ts';
import type { OperationRow } from './operations.generated.ts';

/** Refuses what the operation does not have; where the step of a pipeline is at fault, it is named. */
export function requireKnownNames(
  op: string,
  row: OperationRow | undefined,
  given: Readonly<Record<string, unknown>>,
  step?: number,
): void {
  // An operation of a newer service: it knows best.
  if (row === undefined) return;
  const uploads = row.files.flatMap((file) => [`${file}@upload`, `${file}@url`]);
  const known = [...row.params, ...row.files, ...(step === undefined ? [] : uploads)];
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || known.includes(name)) continue;
    throw unknownName(name, known, { op, step });
  }
}

/** As `requireKnownNames`, for files by the names of their fields. */
export function requireKnownFiles(
  op: string,
  row: OperationRow | undefined,
  files: Readonly<Record<string, unknown>>,
): void {
  if (row === undefined) return;
  // The service takes `file` for `fileInput` everywhere.
  const known = row.files.includes('fileInput') ? [...row.files, 'file'] : row.files;
  const name = Object.keys(files).find((each) => !known.includes(each));
  if (name !== undefined) throw unknownName(name, known, { op, step: undefined });
}

function unknownName(
  name: string,
  known: readonly string[],
  { op, step }: { op: string; step: number | undefined },
): BinderyError {
  const near = nearestName(name, known);
  const advice = near ? `did you mean ${near}?` : `it has ${known.join(', ') || 'none'}.`;
  const told = JSON.stringify(name.slice(0, 64));
  const detail = `${told} is not a parameter of ${op}; ${advice}`;
  const facts = {
    code: 'bad_request',
    reason: 'invalid_parameter',
    hint: 'Correct the name, or leave it out.',
  };
  return new BinderyError(detail, {
    ...facts,
    ...(step === undefined ? {} : { problem: { ...facts, detail, step, op } }),
  });
}
