// A chain as the steps of a pipeline, fit to be written down.
import type { PipelineStep } from '@bindery/sdk';
import { entryOf } from './operations.ts';
import type { Step } from './work.ts';

/** Without what must not lie about in a file. Files are named as they were: the command line looks for them beside it. */
export function plainSteps(chain: readonly Step[]): PipelineStep[] {
  return chain.map(({ op, values, files }) => {
    const secret = new Set(
      entryOf(op)?.params.flatMap(({ name, kind }) => (kind === 'secret' ? [name] : [])),
    );
    const params = Object.fromEntries([
      ...Object.entries(values).filter(([name]) => !secret.has(name)),
      ...Object.entries(files)
        .filter(([, chosen]) => chosen.length > 0)
        .map(([field, chosen]) => [
          field,
          chosen.length === 1 ? chosen[0]?.name : chosen.map(({ name }) => name),
        ]),
    ]);
    return Object.keys(params).length > 0 ? { op, params } : { op };
  });
}
