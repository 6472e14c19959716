// The tools, from the catalogue of operations: the same names as at the service, with paths of this machine.
import { AGENT_TOOLS, type AgentTool } from '@bindery/sdk/catalogue';
import type { Tool } from '@modelcontextprotocol/server';

const text = (description: string) => ({ type: 'string', description });
const OUTPUT = text(
  'Where the result goes: a path. Absent: JSON and text up to 64 kB stand in the answer, all else goes beside the input, <name>-<operation>. Existing files are not replaced.',
);
const RESULT = {
  type: 'object' as const,
  properties: {
    operation: { type: 'string' },
    kind: { enum: ['file', 'json', 'text'] },
    path: { type: 'string' },
    media_type: { type: 'string' },
    size: { type: 'integer' },
    data: {},
    text: { type: 'string' },
    truncated: { type: 'boolean' },
  },
  required: ['operation', 'kind'],
};

/** Here even tools that only look write a file where `output` names one, and a filter writes what passes. */
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
        input: text('Path of the document.'),
        inputs: {
          type: 'object',
          description: 'Paths of further files by field, or several for fileInput.',
          additionalProperties: { type: 'array', items: { type: 'string' } },
        },
        parameters: { type: 'object', description: 'Fields of the operation.' },
        output: OUTPUT,
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
      input: text('Path of the document.'),
      inputs: {
        type: 'object',
        description: 'Several paths for fileInput.',
        additionalProperties: { type: 'array', items: { type: 'string' } },
      },
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
      output: OUTPUT,
    },
    required: ['steps'],
  },
  outputSchema: RESULT,
  annotations: annotations('pipeline'),
};

const DESCRIBE: Tool = {
  name: 'pdf_describe_operation',
  description:
    'Parameters (JSON Schema), file fields and result of one operation, such as general/rotate-pdf.',
  inputSchema: { type: 'object', properties: { operation: { type: 'string' } }, required: ['operation'] },
  annotations: annotations('describe operation', { writes: false }),
};

/** Arguments that nothing reads are refused, and hosts may know it beforehand. */
const strict = (tool: Tool): Tool => ({
  ...tool,
  inputSchema: { ...tool.inputSchema, additionalProperties: false },
});

export const TOOLS: readonly Tool[] = [...Object.values(AGENT_TOOLS).map(groupTool), PIPELINE, DESCRIBE].map(
  strict,
);
