// An example call of an operation, as every face shows it: its own values, and names for the files it takes.
import { KINDS } from '../contract/kinds.ts';
import type { AnyOperation, FileInput } from '../operations/define.ts';
import { MAIN_INPUT } from '../operations/plan.ts';
import type { ExampleCall } from './catalogue-entry.ts';

export function exampleCall(op: AnyOperation): ExampleCall {
  const inputs = Object.entries(op.inputs as Record<string, FileInput>);
  const shown = Object.entries(op.example ?? {});
  return {
    files: Object.fromEntries(
      inputs.flatMap(([name, input]): [string, string[]][] => {
        const named = op.example?.[name];
        if (typeof named === 'string') return [[name, [named]]];
        return input.required ? [[name, fileNames(name, input)]] : [];
      }),
    ),
    params: Object.fromEntries(shown.filter(([name]) => !Object.hasOwn(op.inputs, name))),
  };
}

function fileNames(name: string, { kinds, many }: FileInput): string[] {
  const ending = kinds[0] === 'any' ? 'txt' : (KINDS[kinds[0] ?? 'any'].extensions[0] ?? 'bin');
  if (name !== MAIN_INPUT) return [`${name}.${ending}`];
  return many ? [`first.${ending}`, `second.${ending}`] : [`document.${ending}`];
}
