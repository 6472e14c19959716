// The list of tools, made once. Every operation that is not turned off is reachable; the list stays small enough for an agent to read.
import type { Tool } from '@modelcontextprotocol/server';
import { AGENT_TOOLS } from '../agent-tools.ts';
import { type AgentTool, jobTool, withoutOperations } from '../catalogue-entry.ts';
import { REFERENCE } from './file-references.ts';
import { MOST_PAGES, RESOLUTIONS, VIEWS_BY } from './view-pages.ts';

const text = (description: string) => ({ type: 'string', description });

const FILE = {
  type: 'object',
  properties: {
    file_id: { type: 'string' },
    filename: { type: 'string' },
    media_type: { type: 'string' },
    size: { type: 'integer' },
    download_url: { type: 'string' },
    expires_at: { type: 'string' },
  },
  required: ['file_id', 'filename', 'media_type', 'size', 'download_url', 'expires_at'],
};

const RESULT = {
  type: 'object' as const,
  properties: {
    operation: { type: 'string' },
    kind: { enum: ['file', 'json', 'text', 'none', 'job'] },
    // As pdf_download describes it: said once, the list stays small.
    file: {},
    data: {},
    text: {},
    headers: {},
    /** As `next` in it says. */
    job: {},
  },
  required: ['operation', 'kind'],
};

/** What it means stands at pdf_job: said once, the list stays small. */
const BACKGROUND = { type: 'boolean' };

const annotations = (title: string, { readOnly = false, open = false }: Partial<AgentTool> = {}) => ({
  title,
  readOnlyHint: readOnly,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: open,
});

/** A list, or an object of lists; in words, as hosts differ in what they make of a choice of types. */
const FILES = {
  description: 'Several: a list. Further files by field: {"overlayFiles": [...]}.',
};

function groupTool(tool: AgentTool): Tool {
  return {
    name: tool.name,
    description: tool.description,
    inputSchema: {
      type: 'object',
      properties: {
        operation: { type: 'string', enum: [...tool.operations] },
        file: text(`The document: ${REFERENCE}.`),
        files: FILES,
        parameters: { type: 'object', description: 'As pdf_describe_operation tells.' },
        output_name: text('File name of the result.'),
        background: BACKGROUND,
      },
      required: ['operation'],
    },
    outputSchema: RESULT,
    annotations: annotations(tool.title, tool),
  };
}

const UPLOAD: Tool = {
  name: 'pdf_upload',
  description:
    'Bring a file in. With url (public https) or content_base64 (at most 1 MB) it is ready at once. Otherwise the answer is a ticket: send the bytes with one HTTP PUT to upload_url (see curl), then use file_id. Files live one hour and may be used many times.',
  inputSchema: {
    type: 'object',
    properties: {
      filename: text('With its ending, such as report.pdf.'),
      size: { type: 'integer', minimum: 0, description: 'In bytes; what comes must have just so many.' },
      media_type: { type: 'string' },
      url: text('Public https address to fetch.'),
      content_base64: { type: 'string' },
    },
    required: ['filename'],
  },
  outputSchema: {
    type: 'object',
    properties: {
      file_id: { type: 'string' },
      status: { enum: ['awaiting_bytes', 'ready'] },
      filename: { type: 'string' },
      size: { type: 'integer' },
      upload_url: { type: 'string' },
      method: { type: 'string' },
      curl: { type: 'string' },
      max_bytes: { type: 'integer' },
      expires_at: { type: 'string' },
    },
    required: ['file_id', 'status', 'expires_at'],
  },
  annotations: { ...annotations('upload', { open: true }), idempotentHint: false },
};

const UPLOAD_CHUNK: Tool = {
  name: 'pdf_upload_chunk',
  description:
    'Send the bytes of a ticket of pdf_upload through this connection, for programs that reach nothing else: chunks in order, from index 0, each at most 1 MB.',
  inputSchema: {
    type: 'object',
    properties: {
      file_id: { type: 'string' },
      index: { type: 'integer', minimum: 0 },
      content_base64: { type: 'string' },
      last: { type: 'boolean', description: 'True for the last chunk: the file is ready then.' },
    },
    required: ['file_id', 'index', 'content_base64'],
  },
  outputSchema: {
    type: 'object',
    properties: {
      file_id: { type: 'string' },
      status: { enum: ['awaiting_bytes', 'ready'] },
      size: { type: 'integer' },
      next_index: { type: 'integer' },
    },
    required: ['file_id', 'status', 'size'],
  },
  annotations: { ...annotations('upload chunk'), idempotentHint: false },
};

const PIPELINE: Tool = {
  name: 'pdf_pipeline',
  description:
    'Several operations in one call, each on the result of the one before. Operations are named like general/rotate-pdf. Several results come as a ZIP.',
  inputSchema: {
    type: 'object',
    properties: {
      file: text(`The document: ${REFERENCE}.`),
      files: {
        description:
          'Several documents: a list. Others: an object by names of your choice, used in params as "<field>@part": name.',
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
      output_name: text('File name of the result.'),
      background: BACKGROUND,
    },
    required: ['steps'],
  },
  outputSchema: RESULT,
  annotations: annotations('pipeline'),
};

const JOB: Tool = {
  ...jobTool('File name of the result.'),
  outputSchema: RESULT,
  annotations: annotations('job'),
};

const DESCRIBE: Tool = {
  name: 'pdf_describe_operation',
  description:
    'Parameters (JSON Schema), file fields and result of one operation, such as general/rotate-pdf.',
  inputSchema: {
    type: 'object',
    properties: { operation: { type: 'string' } },
    required: ['operation'],
  },
  outputSchema: {
    type: 'object',
    properties: {
      operation: { type: 'string' },
      tool: { type: 'string' },
      summary: { type: 'string' },
      file_fields: { type: 'array' },
      parameters: { type: 'object' },
      result: { type: 'object' },
      example: { type: 'object' },
    },
    required: ['operation', 'tool', 'summary', 'parameters'],
  },
  annotations: annotations('describe operation', { readOnly: true }),
};

const VIEW: Tool = {
  name: 'pdf_view_pages',
  description: `Look at pages of a PDF: up to ${MOST_PAGES} as images in the answer, to see what a document or a result looks like.`,
  inputSchema: {
    type: 'object',
    properties: {
      file: text(`The PDF: ${REFERENCE}.`),
      pages: {
        type: 'array',
        items: { type: 'integer', minimum: 1 },
        minItems: 1,
        maxItems: MOST_PAGES,
        default: [1],
      },
      dpi: {
        type: 'integer',
        minimum: RESOLUTIONS.least,
        maximum: RESOLUTIONS.most,
        default: RESOLUTIONS.usual,
      },
      password: text('Opens an encrypted PDF.'),
    },
    required: ['file'],
  },
  annotations: annotations('view pages', { readOnly: true }),
};

const DOWNLOAD: Tool = {
  name: 'pdf_download',
  description:
    'Get a file: its download address (default), its text, or its bytes as base64, the latter two in pieces of at most 1 MB.',
  inputSchema: {
    type: 'object',
    properties: {
      file_id: { type: 'string' },
      as: { type: 'string', enum: ['url', 'text', 'base64'], default: 'url' },
      offset: { type: 'integer', minimum: 0, default: 0 },
      length: { type: 'integer', minimum: 1, maximum: 1_048_576 },
    },
    required: ['file_id'],
  },
  outputSchema: {
    type: 'object',
    properties: {
      file: FILE,
      text: { type: 'string' },
      content_base64: { type: 'string' },
      offset: { type: 'integer' },
      next_offset: { type: 'integer' },
    },
    required: ['file'],
  },
  annotations: annotations('download', { readOnly: true }),
};

/** Arguments that nothing reads are refused, and hosts may know it beforehand. */
const strict = (tool: Tool): Tool => ({
  ...tool,
  inputSchema: { ...tool.inputSchema, additionalProperties: false },
});

export interface ToolList {
  tools: readonly Tool[];
  instructions: string;
}

/** What of all is left where the operator has turned operations off. */
export function toolList(isOff: (path: string) => boolean): ToolList {
  const groups = Object.entries(AGENT_TOOLS).flatMap(
    ([group, each]) => withoutOperations(group, each, isOff) ?? [],
  );
  const [pipeline, view] = [!isOff('pipeline'), !isOff(VIEWS_BY)];
  const tools = [
    ...[UPLOAD, UPLOAD_CHUNK, ...groups.map(groupTool), ...(pipeline ? [PIPELINE] : [])],
    ...[JOB, DESCRIBE, ...(view ? [VIEW] : []), DOWNLOAD],
  ].map(strict);
  const instructions = [
    `Bring documents in with pdf_upload, then call the tool of a group (${groups.map(({ name }) => name).join(', ')}) with the file_id${pipeline ? ', or pdf_pipeline for several operations in one call' : ''}.`,
    'pdf_describe_operation tells the parameters of an operation; results are files with a download_url, or JSON and text in place.',
    ...(view ? ['pdf_view_pages shows pages as images: look at what you made.'] : []),
    'Long work is answered with a job: pdf_job goes on with it.',
  ].join(' ');
  return { tools, instructions };
}
