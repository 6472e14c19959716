// Operations as plain data, for programs that list and explain them.
import { AGENT_TOOLS, CATALOGUE } from './catalogue.generated.ts';

export type ParamKind =
  | 'text'
  | 'secret'
  | 'integer'
  | 'number'
  | 'flag'
  | 'choice'
  | 'list'
  | 'pages'
  | 'colour'
  | 'size'
  | 'url'
  | 'json';

export interface CatalogueFile {
  /** The form field: `fileInput` is the main one. */
  name: string;
  required: boolean;
  many: boolean;
  min: number;
  max: number;
  /** Such as "PDF, PNG". */
  accepts: string;
  /** Usual endings of such files, without a dot. */
  extensions: readonly string[];
  description: string;
}

export interface CatalogueParam {
  name: string;
  kind: ParamKind;
  required: boolean;
  description: string;
  /** What finishes the sentence "must be ...". */
  expects: string;
  default?: unknown;
  /** All valid values, where they can be counted. */
  values?: readonly (string | number)[];
  /** JSON Schema of the value. */
  schema: Readonly<Record<string, unknown>>;
}

export interface CatalogueEntry {
  summary: string;
  description: string;
  files: readonly CatalogueFile[];
  params: readonly CatalogueParam[];
  result: {
    shape: 'file' | 'archive' | 'json';
    mediaTypes: readonly string[];
    /** `<name>` stands for that of the first input. */
    name?: string;
    /** There may be nothing to return: status 204. */
    mayBeNothing: boolean;
  };
}

/** A tool by which agents reach a group of operations. */
export interface AgentTool {
  name: string;
  title: string;
  /** What it is for, and a line for each of its operations. */
  description: string;
  /** Names within the group. */
  operations: readonly string[];
  /** Changes nothing and makes no file worth keeping. */
  readOnly: boolean;
  /** May reach addresses outside. */
  open: boolean;
}

export { AGENT_TOOLS, CATALOGUE };

/**
 * The path of what was named: as a path, as an address, or by its last part, within a group if one is given.
 * Undefined where there is none, or more than one.
 */
export function findOperation(named: string, group?: string): string | undefined {
  const plain = named.replace(/^\/?(api\/v1\/)?/, '');
  if (Object.hasOwn(CATALOGUE, plain)) return plain;
  if (group !== undefined)
    return Object.hasOwn(CATALOGUE, `${group}/${plain}`) ? `${group}/${plain}` : undefined;
  const ending = Object.keys(CATALOGUE).filter((path) => path.endsWith(`/${plain}`));
  return ending.length === 1 ? ending[0] : undefined;
}

/** Names of the fields of an operation that take files; none where there is no such operation. */
export const fileFieldsOf = (path: string): string[] =>
  (CATALOGUE[path]?.files ?? []).map(({ name }) => name);

/** The parameters of an operation as one JSON Schema, for those who check or fill them by machine. */
export const parametersSchema = ({ params }: CatalogueEntry): Record<string, unknown> => ({
  type: 'object',
  properties: Object.fromEntries(
    params.map(({ name, schema, description, default: fallback }) => [
      name,
      { ...schema, description, ...(fallback === undefined ? {} : { default: fallback }) },
    ]),
  ),
  required: params.filter(({ required }) => required).map(({ name }) => name),
  additionalProperties: false,
});

export { nearestName } from './names.ts';
