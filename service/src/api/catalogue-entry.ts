// What the catalogue says of an operation and of the tools of agents. The SDK has a copy of this file (`npm run generate`),
// so it knows nothing of the service but the kinds of fields.
import type { FieldKind } from '../operations/field.ts';

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
  kind: FieldKind;
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

/** A call that works, with files of these names at hand. */
export interface ExampleCall {
  files: Readonly<Record<string, readonly string[]>>;
  params: Readonly<Record<string, unknown>>;
}

export interface CatalogueEntry {
  summary: string;
  description: string;
  example: ExampleCall;
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

/** The tool where not all of its operations may be called; undefined where none is left. */
export function withoutOperations(
  group: string,
  tool: AgentTool,
  isOff: (path: string) => boolean,
): AgentTool | undefined {
  const off = tool.operations.filter((name) => isOff(`${group}/${name}`));
  if (off.length === 0) return tool;
  const operations = tool.operations.filter((name) => !off.includes(name));
  const isListed = (line: string): boolean => !off.some((name) => line.startsWith(`${name}: `));
  const description = tool.description.split('\n').filter(isListed).join('\n');
  return operations.length === 0 ? undefined : { ...tool, operations, description };
}

/** What agents are told of an operation, its example apart. */
export const toldToAgents = (path: string, tool: string, entry: CatalogueEntry): Record<string, unknown> => ({
  operation: path,
  tool,
  summary: entry.summary,
  ...(entry.description ? { description: entry.description } : {}),
  file_fields: entry.files.map(({ name, many, required, accepts, description }) => ({
    field: name,
    argument: name === 'fileInput' ? (many ? 'files' : 'file') : `files.${name}`,
    required,
    many,
    accepts,
    description,
  })),
  parameters: parametersSchema(entry),
  result: {
    kind:
      entry.result.shape === 'json' ? 'json' : entry.result.mediaTypes[0] === 'text/plain' ? 'text' : 'file',
    ...(entry.result.name === undefined ? {} : { filename: entry.result.name }),
    may_be_none: entry.result.mayBeNothing,
  },
});

/** How long one call may wait for a job. */
export const JOB_WAIT_SECONDS = { most: 45, usual: 30 } as const;

/** pdf_job, as every server for agents offers it; `outputName` says where a result goes. */
export const jobTool = (outputName: string) => ({
  name: 'pdf_job',
  description:
    'Go on with a job, the answer to work that takes longer than a call may (or to background: true): gives its result, or the job again while it is not finished.',
  inputSchema: {
    type: 'object' as const,
    properties: {
      job_id: { type: 'string' },
      wait_seconds: {
        type: 'integer',
        minimum: 0,
        maximum: JOB_WAIT_SECONDS.most,
        default: JOB_WAIT_SECONDS.usual,
      },
      cancel: { type: 'boolean', description: 'True: end the job, or remove one that is finished.' },
      output_name: { type: 'string', description: outputName },
    },
    required: ['job_id'],
  },
});

/** What an agent is told whose work is not finished. */
export const howToGoOn = (jobId: string): string =>
  `The work goes on. Call pdf_job with job_id ${jobId} for its result, again while the answer is a job.`;

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
