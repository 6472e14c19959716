// The tools, from the catalogue of operations: the same names as at the service, with paths of this machine.
import { AGENT_TOOLS, type AgentTool, jobTool, withoutOperations } from '@bindery/sdk/catalogue';
import type { Tool } from '@modelcontextprotocol/server';
import { MOST_PAGES } from './view-pages.ts';

const text = (description: string) => ({ type: 'string', description });
const OUTPUT_NAME = text(
  'Where the result goes: a path. Absent: JSON and text up to 64 kB stand in the answer, all else goes beside the input, <name>-<operation>. Existing files are not replaced.',
);
const RESULT = {
  type: 'object' as const,
  properties: {
    operation: { type: 'string' },
    kind: { enum: ['file', 'json', 'text', 'job', 'none'] },
    path: { type: 'string' },
    media_type: { type: 'string' },
    size: { type: 'integer' },
    data: {},
    text: { type: 'string' },
    truncated: { type: 'boolean' },
    headers: { type: 'object' },
    /** As `next` in it says. */
    job: { type: 'object' },
  },
  required: ['operation', 'kind'],
};

/** What it means stands at pdf_job: said once, the list stays small. */
const BACKGROUND = { type: 'boolean' };

/** Here even tools that only look write a file where `output_name` names one, and a filter writes what passes. */
const annotations = (title: string, { writes = true, open = false } = {}) => ({
  title,
  readOnlyHint: !writes,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: open,
});

function groupTool(tool: AgentTool): Tool {
  return {
    name: tool.name,
    description: tool.description,
    inputSchema: {
      type: 'object',
      properties: {
        operation: { type: 'string', enum: [...tool.operations] },
        file: text('Path of the document.'),
        files: {
          description: 'Several: a list of paths. Further files by field: {"overlayFiles": [...]}.',
        },
        parameters: { type: 'object', description: 'As pdf_describe_operation tells.' },
        output_name: OUTPUT_NAME,
        background: BACKGROUND,
      },
      required: ['operation'],
    },
    outputSchema: RESULT,
    annotations: annotations(tool.title, { open: tool.open }),
  };
}

const PIPELINE: Tool = {
  name: 'pdf_pipeline',
  description:
    'Several operations in one call, each on the result of the one before. Operations are named like general/rotate-pdf; file fields in params are paths.',
  inputSchema: {
    type: 'object',
    properties: {
      file: text('Path of the document.'),
      files: { type: 'array', items: { type: 'string' }, description: 'Paths of several documents.' },
      steps: {
        type: 'array',
        minItems: 1,
        maxItems: 20,
        items: {
          type: 'object',
          properties: { op: { type: 'string' }, params: { type: 'object' } },
          required: ['op'],
        },
      },
      output_name: OUTPUT_NAME,
      background: BACKGROUND,
    },
    required: ['steps'],
  },
  outputSchema: RESULT,
  annotations: annotations('pipeline'),
};

const JOB: Tool = {
  ...jobTool('Where the result goes: a path; absent: where the call said.'),
  outputSchema: RESULT,
  annotations: annotations('job'),
};

const DESCRIBE: Tool = {
  name: 'pdf_describe_operation',
  description:
    'Parameters (JSON Schema), file fields and result of one operation, such as general/rotate-pdf.',
  inputSchema: { type: 'object', properties: { operation: { type: 'string' } }, required: ['operation'] },
  annotations: annotations('describe operation', { writes: false }),
};

const VIEW: Tool = {
  name: 'pdf_view_pages',
  description: `Look at pages of a PDF: up to ${MOST_PAGES} as images in the answer, to see what a document or a result looks like.`,
  inputSchema: {
    type: 'object',
    properties: {
      file: text('Path of the PDF.'),
      pages: {
        type: 'array',
        items: { type: 'integer', minimum: 1 },
        minItems: 1,
        maxItems: MOST_PAGES,
        default: [1],
      },
      dpi: { type: 'integer', minimum: 72, maximum: 150, default: 100 },
      password: text('Opens an encrypted PDF.'),
    },
    required: ['file'],
  },
  annotations: annotations('view pages', { writes: false }),
};

const LIST: Tool = {
  name: 'pdf_list_files',
  description:
    'Files in the folders that this server may use, newest first; with search, those whose name holds the words.',
  inputSchema: {
    type: 'object',
    properties: {
      folder: text('A folder among those allowed, or one within; absent: all of them.'),
      search: text('Words that names must hold, in any letter case, such as "invoice .pdf".'),
    },
  },
  annotations: annotations('list files', { writes: false }),
};

/** Arguments that nothing reads are refused, and hosts may know it beforehand. */
const strict = (tool: Tool): Tool => ({
  ...tool,
  inputSchema: { ...tool.inputSchema, additionalProperties: false },
});

/** Without operations that the service says it cannot do. */
export function toolsWithout(unavailable: Readonly<Record<string, string>>): Tool[] {
  const isOff = (path: string): boolean => Object.hasOwn(unavailable, path);
  const groups = Object.entries(AGENT_TOOLS).flatMap(
    ([group, tool]) => withoutOperations(group, tool, isOff) ?? [],
  );
  return [...groups.map(groupTool), PIPELINE, JOB, DESCRIBE, VIEW, LIST].map(strict);
}
