// A chain as the YAML that `bindery pipeline` takes, and back.
import { findOperation, nearestName } from '@bindery/sdk/catalogue';
import { parse, stringify } from 'yaml';
import { entryOf, loadCatalogue } from './operations.ts';
import { plainSteps } from './plain-steps.ts';
import { newId, type Step } from './work.ts';

export async function stepsAsYaml(chain: readonly Step[]): Promise<string> {
  await loadCatalogue();
  return stringify({ steps: plainSteps(chain) });
}

/** Throws an error with a message for people. */
export async function stepsFromYaml(text: string): Promise<Step[]> {
  await loadCatalogue();
  // Aliases could make a small file a huge value.
  const read: unknown = parse(text, { maxAliasCount: 0 });
  const list = Array.isArray(read) ? read : (read as { steps?: unknown } | null)?.steps;
  if (!Array.isArray(list) || list.length === 0) throw new Error('no list of steps');
  return list.map((item: unknown, at) => {
    const { op, operation, params, parameters } = (item ?? {}) as Record<string, unknown>;
    const path = findOperation(String(op ?? operation ?? ''));
    const entry = path === undefined ? undefined : entryOf(path);
    if (path === undefined || !entry)
      throw new Error(`step ${at + 1}: no operation “${String(op ?? operation)}”`);
    const given = Object.entries((params ?? parameters ?? {}) as Record<string, unknown>);
    const files = new Set(entry.files.map(({ name }) => name));
    const known = entry.params.map(({ name }) => name);
    for (const [name] of given) {
      if (known.includes(name) || files.has(name)) continue;
      const near = nearestName(name, known);
      throw new Error(`step ${at + 1}: ${path} has no “${name}”${near ? `; did you mean ${near}?` : ''}`);
    }
    return {
      id: newId(),
      op: path,
      values: Object.fromEntries(given.filter(([name]) => !files.has(name))),
      files: {},
    };
  });
}
