// Failures and headers in the description, from the one table of problems.
import { STATUS_CODES } from 'node:http';
import { PROBLEMS, type Reason } from '../../contract/problems.ts';
import { CLAIMS_HEADER } from '../../operations/define.ts';
import { type Components, componentRef, type JsonSchema } from './schemas.ts';

type Headers = Record<string, { description: string; schema: JsonSchema }>;

export const HEADERS: Headers = {
  'X-Request-Id': {
    description: 'Id of the request: the one sent in the same header, where it is sane, else a new one.',
    schema: { type: 'string' },
  },
  'X-RateLimit-Limit': {
    description: 'Requests the key may send in a window.',
    schema: { type: 'integer' },
  },
  'X-RateLimit-Remaining': {
    description: 'Requests left in the present window.',
    schema: { type: 'integer' },
  },
  'X-RateLimit-Reset': {
    description: 'When the present window ends, in seconds since 1970 (UTC).',
    schema: { type: 'integer' },
  },
  'Retry-After': { description: 'Seconds to wait before sending again.', schema: { type: 'integer' } },
  'Content-Disposition': {
    description: 'Name of the result: `attachment` with `filename` (ASCII) and `filename*` (UTF-8).',
    schema: { type: 'string' },
  },
  'X-Ignored-Fields': {
    description:
      'Names of fields that were sent and that the operation does not have: cut, cleaned, at most 20.',
    schema: { type: 'string' },
  },
  [CLAIMS_HEADER]: {
    description:
      'What became of the standards that the document claims in its metadata (PDF/A, PDF/UA, PDF/X), separated by ' +
      'commas: `kept PDF/A-2b`, the result conforms; `removed PDF/A-1b (6.4-3)`, it does not and no longer claims to, ' +
      'with up to three failed rules; `violated`, the same of a signed result, which cannot be changed; `unverified`, ' +
      'nobody here can tell. Absent where nothing is claimed.',
    schema: { type: 'string' },
  },
  Location: { description: 'Where the job is followed.', schema: { type: 'string' } },
  'Preference-Applied': {
    description: 'What of the header Prefer was heeded.',
    schema: { type: 'string' },
  },
  'Idempotency-Replayed': {
    description: '`true` where the answer to an earlier request with the same Idempotency-Key is sent again.',
    schema: { type: 'string', enum: ['true'] },
  },
};

export const headerRefs = (...names: string[]): Record<string, JsonSchema> =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** Interface 8: on responses of calls that carry a key. */
export const KEYED_HEADERS = [
  'X-Request-Id',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
];

const REASONS = Object.keys(PROBLEMS) as Reason[];
const STATUSES = [...new Set(REASONS.map((reason) => PROBLEMS[reason].status))].sort((a, b) => a - b);

/** Statuses whose problems may tell when to come back. */
const WITH_RETRY_AFTER: readonly number[] = [409, 429, 503, 507];

export const PROBLEM_COMPONENTS: Components = {
  Problem: {
    type: 'object',
    description: 'A failure (RFC 9457). Branch on `reason`, fall back to `code`.',
    properties: {
      type: { type: 'string', format: 'uri', description: 'A stable URI per reason.' },
      title: { type: 'string', description: 'Short title, the same for every problem of the reason.' },
      status: { type: 'integer', enum: STATUSES, description: 'HTTP status.' },
      detail: { type: 'string', description: 'What is wrong with this request, naming the field or file.' },
      // In place: beside the reasons it would give Go two constants of one name.
      code: {
        type: 'string',
        description: 'Coarse code of a failure.',
        enum: [...new Set(REASONS.map((reason) => PROBLEMS[reason].code))],
      },
      reason: { $ref: '#/components/schemas/ProblemReason' },
      hint: { type: 'string', description: 'What the caller may do.' },
      error: { type: 'string', description: 'Mirror of detail for older clients; for 404 the title.' },
      step: { type: 'integer', minimum: 0, description: 'In a pipeline: index of the step that failed.' },
      op: { type: 'string', description: 'In a pipeline: operation of the step that failed.' },
      file: { type: 'string', description: 'In a pipeline: name of the file to blame.' },
    },
    required: ['type', 'title', 'status', 'detail', 'code', 'reason', 'hint', 'error'],
  },
  ProblemReason: { type: 'string', description: 'Finer reason of a failure.', enum: REASONS },
};

const reasonsOf = (status: number): Reason[] =>
  REASONS.filter((reason) => PROBLEMS[reason].status === status);

/** Every path refuses other methods than its own. */
const WRONG_METHOD = 405;

const responseName = (status: number): string => `Problem${status}`;

export const PROBLEM_RESPONSES: Components = Object.fromEntries(
  STATUSES.map((status) => [
    responseName(status),
    {
      description: `${STATUS_CODES[status]}: ${reasonsOf(status).join(', ')}.`,
      'x-reasons': reasonsOf(status),
      headers: headerRefs(
        // Without a valid key nothing is counted.
        ...([401, WRONG_METHOD].includes(status) ? ['X-Request-Id'] : KEYED_HEADERS),
        ...(WITH_RETRY_AFTER.includes(status) ? ['Retry-After'] : []),
      ),
      content: {
        'application/problem+json': {
          schema: componentRef('Problem'),
        },
      },
    },
  ]),
);

/** Responses by status, for an operation that may fail in these ways. */
export const problemResponses = (...statuses: number[]): Record<string, JsonSchema> =>
  Object.fromEntries(
    [...statuses, WRONG_METHOD].map((status) => [
      String(status),
      { $ref: `#/components/responses/${responseName(status)}` },
    ]),
  );
