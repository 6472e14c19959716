// Operations as plain data, for programs that list and explain them.

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
  about: string;
  readOnly: boolean;
  open: boolean;
}

export { AGENT_TOOLS, CATALOGUE } from './catalogue.generated.ts';
