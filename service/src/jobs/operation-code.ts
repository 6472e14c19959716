// The code of operations, in a worker: imported when it is first wanted.
import type { AnyOperation } from '../operations/define.ts';
import { LOADERS } from '../operations/loaders.generated.ts';

/** Importing again what is there takes a twentieth of a small job. */
const loaded = new Map<string, AnyOperation>();

/** Undefined where there is no such operation. */
export async function operationCode(path: string): Promise<AnyOperation | undefined> {
  const known = loaded.get(path);
  if (known) return known;
  const op = (await LOADERS[path]?.())?.default;
  if (op) loaded.set(path, op);
  return op;
}
