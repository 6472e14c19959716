// Asynchronous calls in the description: what answers them, and the paths by which they are followed.
import { LIMITS } from '../../contract/limits.ts';
import { JOB_STATUSES } from '../../state/jobs.ts';
import { headerRefs, KEYED_HEADERS, problemResponses } from './problems.ts';
import { type Components, componentRef, type JsonSchema } from './schemas.ts';

type Paths = Record<string, Record<string, unknown>>;

const JOB_ID = { $ref: '#/components/parameters/JobIdInPath' };

const answered = (description: string, schema: JsonSchema) => ({
  description,
  headers: headerRefs(...KEYED_HEADERS),
  content: { 'application/json': { schema } },
});

/** Of every call that may be answered by a job. */
export const ACCEPTED = { 202: { $ref: '#/components/responses/Accepted' } };
export const PREFER = { $ref: '#/components/parameters/Prefer' };

export const JOB_RESPONSES: Components = {
  Accepted: {
    description: 'With `Prefer: respond-async`: the call is accepted, and this is the job that does it.',
    headers: headerRefs(
      ...KEYED_HEADERS,
      'Location',
      'Preference-Applied',
      'X-Ignored-Fields',
      'Idempotency-Replayed',
    ),
    content: { 'application/json': { schema: componentRef('Job') } },
  },
};

const signed = (name: string, description: string) => ({
  ...{ name, in: 'header', required: true, description },
  schema: { type: 'string' },
});

/**
 * What the service itself sends, to addresses that a call names. Not as callbacks of each call: generators do not
 * read those that are said once for all.
 */
export const WEBHOOKS: Components = {
  jobEnded: {
    post: {
      operationId: 'jobEnded',
      tags: ['jobs'],
      summary: 'An asynchronous call has ended',
      description:
        'To the webhookUrl of the call. Sent at least once, always under the same webhook-id, signed by the Standard Webhooks convention: verify it with any of its libraries.',
      security: [],
      parameters: [
        signed('webhook-id', 'The same for every attempt.'),
        signed('webhook-timestamp', 'When this attempt was made, in seconds since 1970.'),
        signed('webhook-signature', '`v1,` and the HMAC-SHA256 of id, timestamp and body, as base64.'),
      ],
      requestBody: {
        required: true,
        content: { 'application/json': { schema: componentRef('Job') } },
      },
      responses: {
        '2XX': { description: 'Heard: it is not sent again.' },
        410: { description: 'Gone: it is never sent again.' },
        default: { description: 'It is sent again, for a day, ever more rarely.' },
      },
    },
  },
  resultMade: {
    put: {
      operationId: 'resultMade',
      tags: ['jobs'],
      summary: 'The result of a call',
      description:
        'To the resultUrl of the call. Sent with its Content-Type and Content-Length, up to three times.',
      security: [],
      requestBody: {
        required: true,
        content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
      },
      responses: {
        '2XX': { description: 'The result is kept.' },
        '4XX': { description: 'Refused: the call fails with the reason delivery_failed.' },
        default: { description: 'Tried again; then the call fails with the reason delivery_failed.' },
      },
    },
  },
};

export const JOB_PARAMETERS: Components = {
  Prefer: {
    name: 'Prefer',
    in: 'header',
    description: `\`respond-async\` (RFC 7240): the call becomes a job that goes on whether or not the connection lasts, answered by 202. \`respond-async, wait=20\` waits up to so many seconds (at most ${LIMITS.preferredWaitSeconds}) for the answer itself first.`,
    schema: { type: 'string' },
  },
  JobIdInPath: {
    name: 'id',
    in: 'path',
    required: true,
    description: 'Id of the job.',
    schema: { type: 'string' },
  },
};

const time = (description: string, isNullable = true): JsonSchema => ({
  type: isNullable ? ['string', 'null'] : 'string',
  format: 'date-time',
  description,
});

export const JOB_SCHEMAS: Components = {
  JobStatus: {
    type: 'string',
    enum: [...JOB_STATUSES],
    description: '`succeeded`, `failed` and `cancelled` are final.',
  },
  JobProgress: {
    type: 'object',
    properties: {
      step: { type: 'integer', minimum: 0, description: 'The step at work, from 1; 0 while it waits.' },
      of: { type: 'integer', minimum: 1, description: 'How many steps there are.' },
      done: { type: 'number', minimum: 0, maximum: 1, description: 'How much of the whole is done.' },
      message: { type: 'string', description: 'The same in words.' },
    },
    required: ['step', 'of', 'done', 'message'],
  },
  JobResult: {
    type: 'object',
    properties: {
      filename: { type: ['string', 'null'], description: 'Name of the result, where it has one.' },
      mediaType: {
        type: ['string', 'null'],
        description: 'Its media type; null where there is nothing (204).',
      },
      size: { type: 'integer', format: 'int64', description: 'Its size in bytes.' },
      href: { type: 'string', description: 'Where it is fetched: the very answer of the call.' },
    },
    required: ['filename', 'mediaType', 'size', 'href'],
  },
  JobWebhook: {
    type: 'object',
    description: 'How telling `webhookUrl` of the end stands; in the job itself, not in lists and events.',
    properties: {
      url: { type: 'string', description: 'The address without its query.' },
      status: { type: 'string', enum: ['waiting', 'delivered', 'given_up'], description: 'How it stands.' },
      attempts: {
        type: 'array',
        description: 'The last 20.',
        items: {
          type: 'object',
          properties: {
            at: time('When it was made.', false),
            status: { type: ['integer', 'null'], description: 'What was answered; null: nothing was.' },
            problem: { type: 'string', description: 'Why nothing was, as a reason of problems.' },
          },
          required: ['at', 'status'],
        },
      },
      nextAttemptAt: time('When it is tried again.'),
    },
    required: ['url', 'status', 'attempts', 'nextAttemptAt'],
  },
  Job: {
    type: 'object',
    description: 'An asynchronous call.',
    properties: {
      id: { type: 'string', description: 'Id of the job.' },
      status: componentRef('JobStatus'),
      operation: { type: 'string', description: 'The operation called; absent for a pipeline.' },
      files: { type: 'integer', minimum: 1, description: 'Of a batch: how many files it has.' },
      steps: {
        type: 'array',
        items: { type: 'string' },
        description: 'The operations of a pipeline, in their order.',
      },
      progress: componentRef('JobProgress'),
      createdAt: time('When it was accepted.', false),
      startedAt: time('When its work began.'),
      finishedAt: time('When it ended.'),
      expiresAt: time('Until when it and its result are kept; null while it is not finished.'),
      result: componentRef('JobResult'),
      webhook: componentRef('JobWebhook'),
      problem: componentRef('Problem'),
    },
    required: ['id', 'status', 'progress', 'createdAt', 'startedAt', 'finishedAt', 'expiresAt'],
  },
  JobList: {
    type: 'object',
    properties: {
      jobs: { type: 'array', items: componentRef('Job'), description: 'Newest first.' },
      nextCursor: {
        type: ['string', 'null'],
        description: 'Where the next page begins; null: it was the last.',
      },
    },
    required: ['jobs', 'nextCursor'],
  },
};

export const jobPaths = (): Paths => ({
  '/api/v1/jobs': {
    get: {
      operationId: 'jobList',
      tags: ['jobs'],
      summary: 'Your asynchronous calls',
      description: 'Those that this key sent with `Prefer: respond-async`, newest first.',
      parameters: [
        {
          name: 'limit',
          in: 'query',
          description: 'How many to list at most.',
          schema: { type: 'integer', minimum: 1, maximum: 200, default: 50 },
        },
        {
          name: 'cursor',
          in: 'query',
          description: 'nextCursor of the page before.',
          schema: { type: 'string' },
        },
      ],
      responses: {
        200: answered('A page of jobs.', componentRef('JobList')),
        ...problemResponses(400, 401, 429, 500, 503),
      },
    },
  },
  '/api/v1/jobs/{id}': {
    get: {
      operationId: 'jobShow',
      tags: ['jobs'],
      summary: 'How an asynchronous call stands',
      description: 'Known to the key that sent it, until its expiresAt.',
      parameters: [JOB_ID],
      responses: {
        200: answered('The job.', componentRef('Job')),
        ...problemResponses(401, 404, 429, 500, 503),
      },
    },
    delete: {
      operationId: 'jobDelete',
      tags: ['jobs'],
      summary: 'Cancel or remove an asynchronous call',
      description:
        'One that is not finished is cancelled; a finished one is removed with its result. Also succeeds where it is already gone.',
      parameters: [JOB_ID],
      responses: {
        204: { description: 'The job is cancelled or gone.', headers: headerRefs(...KEYED_HEADERS) },
        ...problemResponses(401, 429, 500, 503),
      },
    },
  },
  '/api/v1/jobs/{id}/result': {
    get: {
      operationId: 'jobResult',
      tags: ['jobs'],
      summary: 'The answer of an asynchronous call',
      description:
        'The very answer that the call would have had, with its status and headers, as often as wanted until the job expires; of a failed job its problem. One range of bytes may be asked for.',
      parameters: [
        JOB_ID,
        {
          name: 'Range',
          in: 'header',
          description: 'Such as `bytes=0-1023`: a part of the result.',
          schema: { type: 'string' },
        },
      ],
      responses: {
        200: {
          description: 'The result.',
          headers: headerRefs(...KEYED_HEADERS, 'Content-Disposition', 'X-Ignored-Fields'),
          content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
        },
        204: { $ref: '#/components/responses/Nothing' },
        206: {
          description: 'The part that was asked for.',
          headers: headerRefs(...KEYED_HEADERS),
          content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
        },
        ...problemResponses(400, 401, 403, 404, 409, 416, 422, 429, 500, 503, 507),
      },
    },
  },
  '/api/v1/jobs/{id}/events': {
    get: {
      operationId: 'jobEvents',
      tags: ['jobs'],
      summary: 'Follow an asynchronous call',
      description:
        'Server-Sent Events: `progress` whenever something changed, `end` when the job is over; each carries the job. Whoever was cut off goes on with Last-Event-ID; once the end was seen, the answer is 204.',
      parameters: [
        JOB_ID,
        {
          name: 'Last-Event-ID',
          in: 'header',
          description: 'Id of the last event that was received.',
          schema: { type: 'string' },
        },
      ],
      responses: {
        200: {
          description: 'The events, until the job is over.',
          headers: headerRefs(...KEYED_HEADERS),
          content: { 'text/event-stream': { schema: { type: 'string' } } },
        },
        204: { description: 'The job is over, and its end was seen.', headers: headerRefs(...KEYED_HEADERS) },
        ...problemResponses(401, 404, 429, 500, 503),
      },
    },
  },
});

const BATCH_FIELD = 'Beside it stand the fields of that operation.';

/** One operation or pipeline for each of many files. */
export const batchPaths = (): Paths => ({
  '/api/v1/batch': {
    post: {
      operationId: 'batch',
      tags: ['jobs'],
      summary: 'Do the same to many files',
      description: `One operation or one pipeline for each of up to ${LIMITS.batchFiles} files, as one job. Its result is a ZIP of what came of them with manifest.json, which tells of each file its name, its status and its result or problem. A file that fails does not fail the others.`,
      parameters: [{ $ref: '#/components/parameters/IdempotencyKey' }, PREFER],
      requestBody: {
        required: true,
        content: {
          'multipart/form-data': { schema: BATCH_FORM, encoding: BATCH_ENCODING, example: BATCH_EXAMPLE },
        },
      },
      responses: {
        200: {
          description: 'With `wait` in Prefer, where all was done by then: the ZIP.',
          headers: headerRefs(...KEYED_HEADERS, 'Content-Disposition', 'X-Ignored-Fields'),
          content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
        },
        ...ACCEPTED,
        ...problemResponses(400, 401, 403, 404, 408, 409, 413, 422, 429, 500, 503, 507),
      },
    },
  },
});

const REPEATED = { style: 'form', explode: true };

const BATCH_ENCODING = {
  fileInput: { contentType: 'application/octet-stream' },
  'fileInput@upload': REPEATED,
};

const BATCH_FORM: JsonSchema = {
  type: 'object',
  properties: {
    fileInput: {
      type: 'array',
      items: { type: 'string', format: 'binary' },
      description: `The files, 1 to ${LIMITS.batchFiles}. Instead, fileInput@upload or fileInput@url may carry uploads or addresses; a client that insists on a file sends an empty one then. Another name: file.`,
    },
    'fileInput@upload': { type: 'array', items: componentRef('UploadId'), maxItems: LIMITS.batchFiles },
    operation: {
      type: 'string',
      description: `Path of an operation that takes a file. ${BATCH_FIELD}`,
      examples: ['misc/compress-pdf'],
    },
    steps: {
      type: 'string',
      contentMediaType: 'application/json',
      description: 'Instead of operation: the steps of a pipeline, as JSON.',
    },
  },
  additionalProperties: { type: 'string', description: 'Fields of the operation.' },
  required: ['fileInput'],
};

const BATCH_EXAMPLE = { fileInput: ['a.pdf', 'b.pdf'], operation: 'misc/compress-pdf' };
