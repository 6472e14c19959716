// Operations as plain data, for programs that list and explain them.
import { AGENT_TOOLS, CATALOGUE } from './catalogue.generated.ts';
import type { FieldKind } from './catalogue-entry.generated.ts';

export type {
  AgentTool,
  CatalogueEntry,
  CatalogueFile,
  CatalogueParam,
  ExampleCall,
} from './catalogue-entry.generated.ts';
export {
  howToGoOn,
  JOB_WAIT_SECONDS,
  jobTool,
  parametersSchema,
  toldToAgents,
  withoutOperations,
} from './catalogue-entry.generated.ts';

export type ParamKind = FieldKind;

export { AGENT_TOOLS, CATALOGUE };

/**
 * The path of what was named: as a path, as an address, or by its last part, within a group if one is given.
 * Undefined where there is none, or more than one.
 */
export function findOperation(named: string, group?: string): string | undefined {
  const plain = withGroup(named.replace(/^\/?(api\/v1\/)?/, ''));
  if (Object.hasOwn(CATALOGUE, plain)) return plain;
  if (group !== undefined)
    return Object.hasOwn(CATALOGUE, `${group}/${plain}`) ? `${group}/${plain}` : undefined;
  const ending = Object.keys(CATALOGUE).filter((path) => path.endsWith(`/${plain}`));
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

/** Names of the fields of an operation that take files; none where there is no such operation. */
export const fileFieldsOf = (path: string): string[] =>
  (CATALOGUE[path]?.files ?? []).map(({ name }) => name);

export { nearestName } from './nearest-name.generated.ts';
