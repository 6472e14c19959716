// Which operations each tool reaches, from the table of operations.
import { computeOnce } from '../../contract/maps.ts';
import { OPERATIONS } from '../../operations/index.generated.ts';
import { AGENT_TOOLS } from '../agent-tools.ts';
import { catalogueEntry } from '../catalogue.ts';
import { type CatalogueEntry, parametersSchema } from '../catalogue-entry.ts';
import type { JsonSchema } from '../openapi/schemas.ts';

export const toolOf = (path: string): string => AGENT_TOOLS[path.slice(0, path.indexOf('/'))]?.name ?? '';

/** The whole path of what a caller named, with or without the group; undefined when there is none. */
export function pathOf(named: string, group?: string): string | undefined {
  const plain = named.replace(/^\/?(api\/v1\/)?/, '');
  if (Object.hasOwn(OPERATIONS, plain)) return plain;
  if (group !== undefined)
    return Object.hasOwn(OPERATIONS, `${group}/${plain}`) ? `${group}/${plain}` : undefined;
  const ending = Object.keys(OPERATIONS).filter((path) => path.endsWith(`/${plain}`));
  return ending.length === 1 ? ending[0] : undefined;
}

const described = new Map<string, CatalogueEntry>();

export function entryOf(path: string): CatalogueEntry {
  return computeOnce(described, path, () => {
    const op = OPERATIONS[path];
    if (op === undefined) throw new Error(`there is no operation ${path}`);
    return catalogueEntry(op);
  });
}

/** What an agent needs to call it. */
export function description(path: string): Record<string, unknown> {
  const entry = entryOf(path);
  const [group = ''] = path.split('/');
  return {
    operation: path,
    tool: toolOf(path),
    summary: entry.summary,
    ...(entry.description ? { description: entry.description } : {}),
    file_fields: entry.files.map(({ name, many, required, accepts, description: about }) => ({
      field: name,
      required,
      many,
      accepts,
      description: about,
    })),
    parameters: parametersSchema(entry),
    result: {
      kind:
        entry.result.shape === 'json'
          ? 'json'
          : entry.result.mediaTypes[0] === 'text/plain'
            ? 'text'
            : 'file',
      ...(entry.result.name === undefined ? {} : { filename: entry.result.name }),
      may_be_none: entry.result.mayBeNothing,
    },
    example: example(path.slice(group.length + 1), entry),
  };
}

function example(operation: string, entry: CatalogueEntry): JsonSchema {
  const main = entry.files.find(({ name }) => name === 'fileInput');
  const others = entry.files.filter(({ name, required }) => name !== 'fileInput' && required);
  const files: Record<string, string[]> = Object.fromEntries(others.map(({ name }) => [name, ['<file_id>']]));
  if (main?.many) files.fileInput = ['<file_id>', '<file_id>'];
  const parameters = Object.fromEntries(
    entry.params
      .filter(({ required }) => required)
      .map(({ name, values, expects }) => [name, values?.[0] ?? `<${expects}>`]),
  );
  return {
    operation,
    ...(main && !main.many ? { file: '<file_id>' } : {}),
    ...(Object.keys(files).length > 0 ? { files } : {}),
    ...(Object.keys(parameters).length > 0 ? { parameters } : {}),
  };
}
