// Which operations each tool reaches, from the table of operations.
import { computeOnce } from '../../contract/maps.ts';
import { OPERATIONS } from '../../operations/index.generated.ts';
import { AGENT_TOOLS } from '../agent-tools.ts';
import { catalogueEntry } from '../catalogue.ts';
import { type CatalogueEntry, toldToAgents } from '../catalogue-entry.ts';
import type { JsonSchema } from '../openapi/schemas.ts';

export const toolOf = (path: string): string => AGENT_TOOLS[path.slice(0, path.indexOf('/'))]?.name ?? '';

/** The whole path of what a caller named, with or without the group; undefined when there is none. */
export function pathOf(named: string, group?: string): string | undefined {
  const plain = withGroup(named.replace(/^\/?(api\/v1\/)?/, ''));
  if (Object.hasOwn(OPERATIONS, plain)) return plain;
  if (group !== undefined)
    return Object.hasOwn(OPERATIONS, `${group}/${plain}`) ? `${group}/${plain}` : undefined;
  const ending = Object.keys(OPERATIONS).filter((path) => path.endsWith(`/${plain}`));
  return ending.length === 1 ? ending[0] : undefined;
}

/** pages/rotate-pdf is general/rotate-pdf: agents know groups by their tools. */
function withGroup(named: string): string {
  const [first = '', ...rest] = named.split('/');
  const group = Object.keys(AGENT_TOOLS).find(
    (each) => AGENT_TOOLS[each]?.name === first || AGENT_TOOLS[each]?.name === `pdf_${first}`,
  );
  return group === undefined ? named : [group, ...rest].join('/');
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
    ...toldToAgents(path, toolOf(path), entry),
    example: example(path.slice(group.length + 1), entry),
  };
}

function example(operation: string, { example: { files, params } }: CatalogueEntry): JsonSchema {
  const { fileInput, ...others } = Object.fromEntries(
    Object.entries(files).map(([name, names]) => [name, names.map(() => '<file_id>')]),
  );
  const main =
    fileInput === undefined ? {} : fileInput.length === 1 ? { file: fileInput[0] } : { files: fileInput };
  return {
    operation,
    ...main,
    ...(Object.keys(others).length > 0 ? { files: others } : {}),
    ...(Object.keys(params).length > 0 ? { parameters: params } : {}),
  };
}
