// Everything that is not an operation: the pipeline, uploads, and what the service says of itself.
import type { Config } from '../../config.ts';
import { LIMITS } from '../../contract/limits.ts';
import type { AnyOperation } from '../../operations/define.ts';
import { COMMON_PROPERTIES, REPEATED } from './forms.ts';
import { ACCEPTED, PREFER } from './job-paths.ts';
import { headerRefs, KEYED_HEADERS, problemResponses } from './problems.ts';
import { contentOf, pipelineMediaTypes } from './results.ts';
import { type Components, componentRef, type JsonSchema } from './schemas.ts';

type Limits = Config['limits'];
type Paths = Record<string, Record<string, unknown>>;

const json = (schema: JsonSchema) => ({ 'application/json': { schema } });
const answered = (description: string, schema: JsonSchema, headers: readonly string[] = KEYED_HEADERS) => ({
  description,
  headers: headerRefs(...headers),
  content: json(schema),
});
const done = (description: string) => ({ description, headers: headerRefs(...KEYED_HEADERS) });

const STEP_EXAMPLE = [
  { op: 'general/rotate-pdf', params: { angle: 90 } },
  { op: 'misc/compress-pdf', params: {} },
];

export const pipelinePaths = (operations: readonly AnyOperation[]): Paths => ({
  '/api/v1/pipeline': {
    post: {
      operationId: 'pipeline',
      tags: ['pipeline'],
      summary: 'Run several operations in one request',
      description:
        'The steps run in order on the files sent. A step runs once per current file; several results of a step all feed the next. Names, fields and file kinds of all steps are checked before anything runs. A file that a step drops (a filter not passed, no table found) is gone; when none is left the answer is 204.',
      parameters: [{ $ref: '#/components/parameters/IdempotencyKey' }, PREFER],
      requestBody: {
        required: true,
        content: {
          'multipart/form-data': {
            schema: pipelineForm(),
            example: { fileInput: ['document.pdf'], steps: JSON.stringify(STEP_EXAMPLE) },
            encoding: PIPELINE_ENCODING,
          },
        },
      },
      responses: pipelineResponses(operations),
    },
  },
  '/api/v1/pipeline/handleData': {
    post: {
      operationId: 'pipelineHandleData',
      tags: ['pipeline'],
      summary: 'Run several operations, as clients of Stirling-PDF ask for it',
      description: 'As `POST /api/v1/pipeline`; the steps come in the field json, under pipeline.',
      parameters: [{ $ref: '#/components/parameters/IdempotencyKey' }],
      requestBody: {
        required: true,
        content: {
          'multipart/form-data': {
            schema: {
              type: 'object',
              properties: {
                fileInput: {
                  type: 'array',
                  items: { type: 'string', format: 'binary' },
                  description: `The files to start with, 1 to ${LIMITS.pipelineFiles}.`,
                },
                json: {
                  type: 'string',
                  contentMediaType: 'application/json',
                  description:
                    'An object with pipeline, a list of objects with operation, the path of an operation, and parameters.',
                },
              },
              required: ['fileInput', 'json'],
            },
            example: { fileInput: ['document.pdf'], json: JSON.stringify(HANDLE_DATA_EXAMPLE) },
            encoding: { fileInput: { contentType: 'application/octet-stream' } },
          },
        },
      },
      responses: pipelineResponses(operations),
    },
  },
});

const HANDLE_DATA_EXAMPLE = {
  name: 'turn',
  pipeline: [{ operation: '/api/v1/general/rotate-pdf', parameters: { angle: 90 } }],
};

const pipelineResponses = (operations: readonly AnyOperation[]): Record<string, unknown> => ({
  200: {
    description:
      'The result of the last step, as that operation alone would send it; several files as `output.zip`.',
    headers: headerRefs(...KEYED_HEADERS, 'Content-Disposition', 'Idempotency-Replayed'),
    content: contentOf(pipelineMediaTypes(operations)),
  },
  ...ACCEPTED,
  204: { $ref: '#/components/responses/Nothing' },
  ...problemResponses(400, 401, 403, 404, 408, 409, 413, 422, 429, 500, 503, 507),
});

function pipelineForm(): JsonSchema {
  const files = { type: 'array', items: { type: 'string', format: 'binary' } };
  const uploads = { type: 'array', items: componentRef('UploadId'), maxItems: LIMITS.pipelineFiles };
  const addresses = { type: 'array', items: componentRef('FileUrl'), maxItems: LIMITS.pipelineFiles };
  return {
    type: 'object',
    properties: {
      fileInput: {
        ...files,
        description: `The files to start with, 1 to ${LIMITS.pipelineFiles}, of a kind the first step takes. Instead, fileInput@upload may carry ids of uploads, or fileInput@url addresses; a client that insists on a file sends an empty one then. Another name: file.`,
      },
      'fileInput@upload': uploads,
      'fileInput@url': addresses,
      steps: {
        type: 'string',
        contentMediaType: 'application/json',
        contentSchema: {
          type: 'array',
          items: componentRef('PipelineStep'),
          minItems: 1,
          maxItems: LIMITS.pipelineSteps,
        },
        description: `JSON array of 1 to ${LIMITS.pipelineSteps} steps, run in order.`,
        examples: [JSON.stringify(STEP_EXAMPLE)],
      },
      inputPassword: componentRef('InputPasswords'),
      ...COMMON_PROPERTIES,
    },
    additionalProperties: {
      type: 'string',
      format: 'binary',
      description: 'Further files under names of your own, for `<field>@part` in the params of a step.',
    },
    required: ['fileInput', 'steps'],
  };
}

const PIPELINE_ENCODING = {
  fileInput: { contentType: 'application/octet-stream' },
  'fileInput@upload': REPEATED,
  'fileInput@url': REPEATED,
  inputPassword: REPEATED,
};

const UPLOAD_ID = { $ref: '#/components/parameters/UploadIdInPath' };

export const uploadPaths = (limits: Limits): Paths => ({
  '/api/v1/uploads': {
    post: {
      operationId: 'uploadBegin',
      tags: ['uploads'],
      summary: 'Begin a chunked upload',
      description: `For files larger than one request allows, up to ${limits.uploadBytes} bytes. An upload lives one hour and is used up by the first successful operation.`,
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: componentRef('UploadRequest'),
            example: { filename: 'large.pdf', size: 450_000_000 },
          },
        },
      },
      responses: {
        201: answered('The upload, ready for its chunks.', componentRef('Upload')),
        ...problemResponses(400, 401, 408, 413, 429, 500, 503, 507),
      },
    },
  },
  '/api/v1/uploads/{id}/chunks/{index}': {
    put: {
      operationId: 'uploadChunk',
      tags: ['uploads'],
      summary: 'Send one chunk of an upload',
      description:
        'Each chunk except the last is chunkSize bytes, the last is the remainder. Chunks may come in any order and be sent again.',
      parameters: [UPLOAD_ID, { $ref: '#/components/parameters/ChunkIndex' }],
      requestBody: {
        required: true,
        content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
      },
      responses: {
        204: done('The chunk is kept.'),
        ...problemResponses(400, 401, 404, 408, 413, 429, 500, 503, 507),
      },
    },
  },
  '/api/v1/uploads/{id}/complete': {
    post: {
      operationId: 'uploadComplete',
      tags: ['uploads'],
      summary: 'Complete an upload',
      description: 'After this the id can be sent to any operation as `<field>@upload`.',
      parameters: [UPLOAD_ID],
      responses: {
        200: answered('The upload is ready for use.', componentRef('CompletedUpload')),
        ...problemResponses(400, 401, 404, 429, 500, 503),
      },
    },
  },
  '/api/v1/uploads/{id}': {
    delete: {
      operationId: 'uploadDelete',
      tags: ['uploads'],
      summary: 'Delete an upload',
      description: 'Also succeeds where the upload is already gone.',
      parameters: [UPLOAD_ID],
      responses: { 204: done('The upload is gone.'), ...problemResponses(401, 429, 500, 503) },
    },
  },
});

export const infoPaths = ({ metrics }: { metrics: boolean }): Paths => ({
  '/api/v1/info/status': {
    get: {
      operationId: 'infoStatus',
      tags: ['info'],
      summary: 'Limits and version of the service',
      description: 'What a caller must know before sending large files.',
      responses: {
        200: answered('The limits.', componentRef('Status')),
        ...problemResponses(401, 429, 500, 503),
      },
    },
  },
  '/api/v1/info/health': {
    get: {
      operationId: 'infoHealth',
      tags: ['info'],
      summary: 'Whether the service is up',
      description: 'For load balancers and containers; needs no key.',
      security: [],
      responses: {
        200: answered('Ready for requests.', componentRef('Health'), ['X-Request-Id']),
        503: answered(
          'Starting, stopping or without what it needs: not ready for requests.',
          componentRef('Health'),
          ['X-Request-Id'],
        ),
        ...problemResponses(403),
      },
    },
  },
  '/api/v1/info/live': {
    get: {
      operationId: 'infoLive',
      tags: ['info'],
      summary: 'Whether the process answers',
      description: 'For whoever starts it anew where it does not; needs no key.',
      security: [],
      responses: {
        200: answered('It does.', componentRef('Live'), ['X-Request-Id']),
        ...problemResponses(403),
      },
    },
  },
  '/api/v1/info/ready': {
    get: {
      operationId: 'infoReady',
      tags: ['info'],
      summary: 'Whether requests will be served',
      description: 'For whoever sends callers here or elsewhere; needs no key.',
      security: [],
      responses: {
        200: answered('They will.', componentRef('Ready'), ['X-Request-Id']),
        503: answered('Not at present.', componentRef('Ready'), ['X-Request-Id']),
        ...problemResponses(403),
      },
    },
  },
  '/api/v1/info/redaction-key': {
    get: {
      operationId: 'infoRedactionKey',
      tags: ['info'],
      summary: 'The key that redaction reports are signed with',
      description:
        'For whoever was given a redaction report (report=true of security/auto-redact and security/redact) and wants to check it; needs no key of the API.',
      security: [],
      responses: {
        200: answered('The public key.', componentRef('RedactionKey'), ['X-Request-Id']),
        ...problemResponses(403),
      },
    },
  },
  '/v1/openapi.json': {
    get: {
      operationId: 'infoDescription',
      tags: ['info'],
      summary: 'This description',
      description: 'The OpenAPI description of this service; needs no key.',
      security: [],
      responses: {
        200: answered('The description.', { type: 'object' }, ['X-Request-Id']),
        304: { description: 'Not changed since the ETag sent in If-None-Match.' },
        ...problemResponses(403),
      },
    },
  },
  ...(metrics ? METRICS_PATH : {}),
});

const METRICS_PATH: Paths = {
  '/metrics': {
    get: {
      operationId: 'infoMetrics',
      tags: ['info'],
      summary: 'Figures for Prometheus',
      description: 'Requests, durations, workers and memory in the Prometheus text format; needs no key.',
      security: [],
      responses: {
        200: {
          description: 'The figures.',
          headers: headerRefs('X-Request-Id'),
          content: { 'text/plain': { schema: { type: 'string' } } },
        },
        ...problemResponses(401, 403),
      },
    },
  },
};

export const SERVICE_PARAMETERS: Components = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Makes a retry safe: within 24 hours the same request under the same key is answered with the stored response, and nothing runs again.',
    schema: { type: 'string', minLength: 1, maxLength: LIMITS.idempotencyKeyCharacters, pattern: '^[!-~]+$' },
  },
  UploadIdInPath: {
    name: 'id',
    in: 'path',
    required: true,
    description: 'Id of the upload.',
    schema: { type: 'string' },
  },
  ChunkIndex: {
    name: 'index',
    in: 'path',
    required: true,
    description: 'Index of the chunk, counted from 0.',
    schema: { type: 'integer', minimum: 0 },
  },
};
