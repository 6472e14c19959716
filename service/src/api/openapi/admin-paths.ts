// The administration of keys, as described.
import { PLAN_NAMES, SCOPES } from '../../state/plans.ts';
import { USAGE_DAYS } from '../../state/state.ts';
import { LONGEST_GRACE_SECONDS, USUAL_GRACE_SECONDS, USUAL_USAGE_DAYS } from '../rest/routes/admin-keys.ts';
import { headerRefs, KEYED_HEADERS, problemResponses } from './problems.ts';
import { type Components, componentRef, type JsonSchema } from './schemas.ts';

const json = (schema: JsonSchema) => ({ 'application/json': { schema } });
const answered = (description: string, schema: JsonSchema) => ({
  description,
  headers: headerRefs(...KEYED_HEADERS),
  content: json(schema),
});
const sent = (name: string, example: object) => ({
  'application/json': { schema: componentRef(name), example },
});
const KEY_ID = { $ref: '#/components/parameters/KeyIdInPath' };
const BODY_PROBLEMS = [400, 401, 403, 404, 408, 413, 429, 500, 503] as const;

export const adminPaths: Record<string, Record<string, unknown>> = {
  '/api/v1/admin/keys': {
    get: {
      operationId: 'adminListKeys',
      tags: ['admin'],
      summary: 'List all keys',
      description: 'Revoked and expired ones too; no secrets. Needs a key with the scope admin.',
      responses: {
        200: answered('The keys, the oldest first.', componentRef('Keys')),
        ...problemResponses(401, 403, 429, 500, 503),
      },
    },
    post: {
      operationId: 'adminCreateKey',
      tags: ['admin'],
      summary: 'Make a key',
      description: 'The secret is told in this answer alone. Needs a key with the scope admin.',
      requestBody: {
        required: true,
        content: sent('KeyRequest', { name: 'ci', scopes: ['general', 'misc'] }),
      },
      responses: {
        201: answered('The key and its secret.', componentRef('KeyWithSecret')),
        ...problemResponses(...BODY_PROBLEMS.filter((status) => status !== 404)),
      },
    },
  },
  '/api/v1/admin/keys/{id}': {
    get: {
      operationId: 'adminShowKey',
      tags: ['admin'],
      summary: 'Show a key',
      description: 'Needs a key with the scope admin.',
      parameters: [KEY_ID],
      responses: {
        200: answered('The key.', componentRef('NamedKey')),
        ...problemResponses(401, 403, 404, 429, 500, 503),
      },
    },
    delete: {
      operationId: 'adminRevokeKey',
      tags: ['admin'],
      summary: 'Revoke a key',
      description:
        'It works no more from now on; also succeeds where it was revoked before. One that BINDERY_API_KEY sets works again after the next start. Needs a key with the scope admin.',
      parameters: [KEY_ID],
      responses: {
        204: { description: 'The key is revoked.', headers: headerRefs(...KEYED_HEADERS) },
        ...problemResponses(401, 403, 404, 429, 500, 503),
      },
    },
  },
  '/api/v1/admin/keys/{id}/rotate': {
    post: {
      operationId: 'adminRotateKey',
      tags: ['admin'],
      summary: 'Give a key a new secret',
      description:
        'The old secret goes on working for a while, so that callers can be told. Needs a key with the scope admin.',
      parameters: [KEY_ID],
      requestBody: { required: false, content: sent('KeyRotation', { graceSeconds: 3600 }) },
      responses: {
        200: answered('The new secret, and how long the old one works.', componentRef('RotatedKey')),
        ...problemResponses(...BODY_PROBLEMS),
      },
    },
  },
  '/api/v1/admin/keys/{id}/usage': {
    get: {
      operationId: 'adminKeyUsage',
      tags: ['admin'],
      summary: 'How a key was used',
      description: 'By operation, a few seconds behind. Needs a key with the scope admin.',
      parameters: [KEY_ID, { $ref: '#/components/parameters/UsageDays' }],
      responses: {
        200: answered('Calls and bytes by operation.', componentRef('KeyUsage')),
        ...problemResponses(400, 401, 403, 404, 429, 500, 503),
      },
    },
  },
};

export const ADMIN_PARAMETERS: Components = {
  KeyIdInPath: {
    name: 'id',
    in: 'path',
    required: true,
    description: 'Id of the key, not its secret.',
    schema: { type: 'string' },
  },
  UsageDays: {
    name: 'days',
    in: 'query',
    description: 'Of so many days (UTC), today among them.',
    schema: { type: 'integer', minimum: 1, maximum: USAGE_DAYS, default: USUAL_USAGE_DAYS },
  },
};

const date = (description: string): JsonSchema => ({ type: 'string', format: 'date-time', description });
const dateOrNull = (description: string): JsonSchema => ({
  type: ['string', 'null'],
  format: 'date-time',
  description,
});
const text = (description: string): JsonSchema => ({ type: 'string', description });
const count = (description: string): JsonSchema => ({ type: 'integer', format: 'int64', description });
const object = (properties: Record<string, JsonSchema>, required = Object.keys(properties)): JsonSchema => ({
  type: 'object',
  properties,
  required,
});

const SCOPE_LIST: JsonSchema = {
  type: 'array',
  items: { type: 'string', enum: [...SCOPES] },
  minItems: 1,
  maxItems: SCOPES.length,
  description: 'Groups of operations it may call; `*`: all of them; `admin`: it may administer keys.',
};
const PLAN: JsonSchema = { type: 'string', enum: [...PLAN_NAMES], description: 'How much it may call.' };
const SECRET = text('What callers send in X-API-KEY; kept nowhere, and not told again.');

export const ADMIN_SCHEMAS: Components = {
  Key: object({
    id: text('Names it in lists and logs.'),
    name: text('What it was called.'),
    plan: PLAN,
    scopes: SCOPE_LIST,
    createdAt: date('When it was made.'),
    lastUsedAt: dateOrNull('When it was last used, to the minute; null: never.'),
    expiresAt: dateOrNull('When it ends; null: never.'),
    revokedAt: dateOrNull('When it was revoked.'),
    state: { type: 'string', enum: ['active', 'revoked', 'expired'], description: 'Whether it works.' },
    setByOperator: { type: 'boolean', description: 'Its secret is set by BINDERY_API_KEY.' },
  }),
  Keys: object({ keys: { type: 'array', items: componentRef('Key'), description: 'All of them.' } }),
  NamedKey: object({ key: componentRef('Key') }),
  KeyRequest: object(
    {
      name: { type: 'string', minLength: 1, maxLength: 100, description: 'For people: whose it is.' },
      plan: { ...PLAN, default: 'standard' },
      scopes: { ...SCOPE_LIST, default: ['*'] },
      expiresAt: dateOrNull('When it is to end; null or absent: never.'),
    },
    ['name'],
  ),
  KeyWithSecret: object({ key: componentRef('Key'), secret: SECRET }),
  KeyRotation: object(
    {
      graceSeconds: {
        type: 'integer',
        minimum: 0,
        maximum: LONGEST_GRACE_SECONDS,
        default: USUAL_GRACE_SECONDS,
        description: 'How long the old secret goes on working.',
      },
    },
    [],
  ),
  RotatedKey: object({
    key: componentRef('Key'),
    secret: SECRET,
    oldSecretUntil: date('Until then the old secret works too.'),
  }),
  KeyUsage: object({
    key: text('Id of the key.'),
    since: { type: 'string', format: 'date', description: 'The first day that is counted, in UTC.' },
    operations: {
      type: 'array',
      description: 'What was called.',
      items: object({
        operation: text('Such as general/rotate-pdf, pipeline, uploads, mcp.'),
        calls: count('How often.'),
        failed: count('How often the answer was a problem.'),
        bytesIn: count('Bytes received.'),
        bytesOut: count('Bytes sent.'),
      }),
    },
  }),
};
