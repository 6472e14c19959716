import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { readConfig } from '../../config.ts';
import { PROBLEMS, Problem, problemDocument, type Reason } from '../../contract/problems.ts';
import type { AnyOperation, FileInput } from '../../operations/define.ts';
import type { Field } from '../../operations/fields.ts';
import { OPERATIONS } from '../../operations/index.generated.ts';
import { DESCRIPTION_VERSION, openApiDocument, openApiJson } from './document.ts';
import { mediaTypes } from './results.ts';
import type { JsonSchema } from './schemas.ts';

interface Media {
  example?: unknown;
  schema: JsonSchema & { properties?: Record<string, JsonSchema>; required?: string[] };
}
interface Entry {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  security?: unknown[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { $ref?: string; content?: Record<string, Media>; headers?: object }>;
  'x-uses'?: string[];
}
interface Document {
  paths: Record<string, Record<string, Entry>>;
  tags: { name: string; description: string }[];
  servers: { url: string }[];
  security: unknown[];
  components: Record<string, Record<string, JsonSchema>>;
}

const config = readConfig({});
const document = JSON.parse(openApiJson(config)) as Document;
const entries = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, entry]) => ({ path, method, entry })),
);
const operations = Object.entries(OPERATIONS);
const entryOf = (path: string): Entry => document.paths[`/api/v1/${path}`]?.post as Entry;
const formOf = (path: string) => entryOf(path).requestBody?.content['multipart/form-data']?.schema;

function resolved(schema: JsonSchema | undefined): JsonSchema {
  const { $ref, ...own } = schema ?? {};
  if (typeof $ref !== 'string') return own;
  const [section = '', name = ''] = $ref.replace('#/components/', '').split('/');
  return { ...resolved(document.components[section]?.[name]), ...own };
}

test('every operation and every other path of the service is described, under a name of its own', () => {
  for (const [path] of operations) assert.ok(entryOf(path), path);
  const others = entries.filter(({ path }) => !Object.hasOwn(OPERATIONS, path.replace('/api/v1/', '')));
  assert.deepEqual(
    others.map(({ method, path }) => `${method} ${path}`),
    [
      'post /api/v1/pipeline',
      'post /api/v1/pipeline/handleData',
      'post /api/v1/uploads',
      'put /api/v1/uploads/{id}/chunks/{index}',
      'post /api/v1/uploads/{id}/complete',
      'delete /api/v1/uploads/{id}',
      'post /api/v1/batch',
      'get /api/v1/jobs',
      'get /api/v1/jobs/{id}',
      'delete /api/v1/jobs/{id}',
      'get /api/v1/jobs/{id}/result',
      'get /api/v1/jobs/{id}/events',
      'get /api/v1/admin/keys',
      'post /api/v1/admin/keys',
      'get /api/v1/admin/keys/{id}',
      'delete /api/v1/admin/keys/{id}',
      'post /api/v1/admin/keys/{id}/rotate',
      'get /api/v1/admin/keys/{id}/usage',
      'get /api/v1/info/status',
      'get /api/v1/info/health',
      'get /api/v1/info/live',
      'get /api/v1/info/ready',
      'get /api/v1/info/redaction-key',
      'get /v1/openapi.json',
      'get /metrics',
    ],
  );
  const ids = entries.map(({ entry }) => entry.operationId);
  assert.equal(new Set(ids).size, ids.length);
  for (const { entry, path } of entries) {
    assert.ok(entry.summary && entry.description, path);
    assert.ok(
      document.tags.some(({ name }) => name === entry.tags[0]),
      path,
    );
  }
});

test('a key is asked for everywhere but where the service answers without one', () => {
  assert.deepEqual(document.security, [{ apiKey: [] }]);
  assert.deepEqual(document.components.securitySchemes?.apiKey, {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-KEY',
    description: 'Your API key.',
  });
  const open = entries.filter(({ entry }) => entry.security?.length === 0).map(({ path }) => path);
  assert.deepEqual(open, [
    '/api/v1/info/health',
    '/api/v1/info/live',
    '/api/v1/info/ready',
    '/api/v1/info/redaction-key',
    '/v1/openapi.json',
    '/metrics',
  ]);
});

test('each file of an operation is there, as a part, as an upload and as an address, and is asked for where it is required', () => {
  for (const [path, op] of operations) {
    const form = formOf(path);
    for (const [name, input] of Object.entries(op.inputs as Record<string, FileInput>)) {
      const part = form?.properties?.[name];
      const binary = { type: 'string', format: 'binary' };
      assert.deepEqual(input.many ? part?.items : { type: part?.type, format: part?.format }, binary, path);
      assert.match(String(part?.description), new RegExp(`${name}@upload`), `${path} ${name}`);
      assert.ok(form?.properties?.[`${name}@upload`], `${path} ${name}@upload`);
      assert.ok(form?.properties?.[`${name}@url`], `${path} ${name}@url`);
      assert.equal(isAskedFor(form, name), input.required, `${path} ${name}`);
    }
    const takesPdf = Object.values(op.inputs as Record<string, FileInput>).some(({ kinds }) =>
      kinds.includes('pdf'),
    );
    assert.equal('inputPassword' in (form?.properties ?? {}), takesPdf, path);
  }
});

const isAskedFor = (form: JsonSchema | undefined, name: string): boolean =>
  (form?.required as string[] | undefined)?.includes(name) ?? false;

test('each field is there with its description, default and whether it is required', () => {
  for (const [path, op] of operations) {
    for (const [name, field] of Object.entries(op.params as Record<string, Field>)) {
      const property = resolved(formOf(path)?.properties?.[name]);
      const place = `${path} ${name}`;
      assert.ok(String(property.description).startsWith(field.description.replace(/\.$/, '')), place);
      assert.ok(property.type !== undefined || property.enum !== undefined, place);
      assert.equal(isAskedFor(formOf(path), name), field.required, place);
      if (field.default === undefined) assert.ok(!('default' in property), place);
      else assert.deepEqual(fromForm(field, property.default), field.default, place);
    }
  }
});

/** What the service makes of a published value. */
function fromForm(field: Field, value: unknown): unknown {
  return Array.isArray(value) ? value : field.fromText(String(value));
}

test('published bounds are those the service keeps', () => {
  const taken = (field: Field, value: unknown) => field.schema.safeParse(value).success;
  let seen = 0;
  for (const [path, op] of operations) {
    for (const [name, field] of Object.entries(op.params as Record<string, Field>)) {
      const property = resolved(formOf(path)?.properties?.[name]);
      const place = `${path} ${name}`;
      if (field.kind === 'integer' || field.kind === 'number') {
        const low = property.minimum ?? property.exclusiveMinimum;
        assert.ok(typeof low === 'number' || property.enum, place);
        if (typeof property.minimum === 'number') assert.ok(!taken(field, property.minimum - 1), place);
        if (typeof property.maximum === 'number') assert.ok(!taken(field, property.maximum + 1), place);
        if (property.exclusiveMinimum !== undefined)
          assert.ok(!taken(field, property.exclusiveMinimum), place);
        seen += 1;
      }
      for (const value of (property.enum as unknown[]) ?? [])
        assert.ok(taken(field, value), `${place} ${value}`);
      if (field.kind === 'choice') assert.ok(Array.isArray(property.enum), place);
      if (field.kind === 'text') assert.ok(!taken(field, 'x'.repeat(Number(property.maxLength) + 1)), place);
    }
  }
  assert.ok(seen > 0);
});

test('each result is described with its media types, its headers and the ways it may fail', () => {
  for (const [path, op] of operations) {
    const { responses } = entryOf(path);
    const made = resolved(responses[200] as JsonSchema) as Entry['responses'][string];
    for (const type of expectedTypes(op)) assert.ok(made.content?.[type], `${path} ${type}`);
    const headers = ['X-Request-Id', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];
    const own = op.output.shape === 'json' ? [] : ['Content-Disposition', ...Object.keys(op.output.headers)];
    for (const header of [...headers, ...own]) assert.ok(header in (made.headers ?? {}), `${path} ${header}`);
    assert.equal('204' in responses, op.output.shape === 'file' && op.output.mayBeNothing, path);
    for (const status of [400, 401, 403, 409, 413, 422, 429, 500, 503, 507])
      assert.ok(responses[status], path);
    assert.deepEqual(entryOf(path)['x-uses'], [...op.uses]);
  }
});

/** Operations 1.7, by hand. */
function expectedTypes({ output }: AnyOperation): string[] {
  if (output.shape === 'json') return ['application/json'];
  if (output.shape === 'archive' || output.octet) return ['application/octet-stream'];
  return [output.kind === 'pdf' ? 'application/pdf' : 'text/plain'];
}

test('every reason and code is enumerated, under its status', () => {
  const { ProblemReason, Problem } = document.components.schemas ?? {};
  assert.deepEqual(ProblemReason?.enum, Object.keys(PROBLEMS));
  const codes = Object.values(PROBLEMS).map(({ code }) => code as string);
  const { code } = (Problem?.properties ?? {}) as { code?: { enum: string[] } };
  assert.deepEqual(new Set(code?.enum), new Set(codes));
  const answered = new Set(entries.flatMap(({ entry }) => Object.keys(entry.responses)));
  for (const [reason, { status }] of Object.entries(PROBLEMS)) {
    assert.ok(answered.has(String(status)), `${reason} ${status}`);
    const response = document.components.responses?.[`Problem${status}`];
    assert.ok(JSON.stringify(response).includes(`"${reason}"`), reason);
    assert.equal(
      'Retry-After' in ((response?.headers ?? {}) as object),
      [409, 429, 503, 507].includes(status),
      reason,
    );
  }
});

test('schemas are JSON Schema 2020-12, all references lead somewhere, examples and real problems fit', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: 'https://test.invalid/document', ...document });
  for (const name of Object.keys(document.components.schemas ?? {})) {
    assert.ok(ajv.validateSchema(document.components.schemas?.[name] ?? {}), `${name}: ${ajv.errorsText()}`);
    ajv.compile({ $ref: `https://test.invalid/document#/components/schemas/${name}` });
  }
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [type, { schema, example }] of Object.entries(methods.post?.requestBody?.content ?? {})) {
      assert.ok(ajv.validateSchema(schema), `${path} ${type}: ${ajv.errorsText()}`);
      const pointer = path.replaceAll('~', '~0').replaceAll('/', '~1');
      const place = `paths/${pointer}/post/requestBody/content/${type.replace('/', '~1')}/schema`;
      const fits = ajv.compile({ $ref: `https://test.invalid/document#/${place}` });
      assert.ok(fits(example), `${path} ${type}: ${ajv.errorsText(fits.errors)}`);
    }
  }
  const isProblem = ajv.compile({ $ref: 'https://test.invalid/document#/components/schemas/Problem' });
  for (const reason of Object.keys(PROBLEMS) as Reason[]) {
    const body = problemDocument(new Problem(reason, 'What happened.', { step: 0, op: 'x/y' }).toData());
    assert.ok(isProblem(body), ajv.errorsText(isProblem.errors));
  }
  assert.ok(
    !isProblem({ ...problemDocument({ reason: 'internal', detail: 'x' }), reason: 'no_such_reason' }),
  );
});

test('the description is the same whatever the order of the registry, and follows the settings', () => {
  const described = { version: DESCRIPTION_VERSION, limits: config.limits, baseUrl: null, metrics: true };
  const backwards = Object.fromEntries([...operations].reverse());
  assert.equal(JSON.stringify(openApiDocument({ operations: backwards, ...described })), openApiJson(config));

  const settings = { BINDERY_BASE_URL: 'https://pdf.example.org/', BINDERY_METRICS: 'false' };
  const other = JSON.parse(openApiJson(readConfig(settings))) as Document;
  assert.deepEqual(document.servers[0]?.url, '/');
  assert.deepEqual(other.servers[0]?.url, 'https://pdf.example.org');
  assert.ok(!('/metrics' in other.paths));
});

test('a pipeline may answer with every type its last step may, and with the only image of an archive', () => {
  const { content } = entryOf('pipeline').responses['200'] as { content: Record<string, unknown> };
  const types = Object.keys(content);
  for (const type of ['application/pdf', 'application/json', 'text/plain', 'text/html', 'image/jpeg'])
    assert.ok(types.includes(type), type);
  for (const [path, { output }] of operations)
    for (const type of mediaTypes(output)) assert.ok(types.includes(type), `${path} ${type}`);
});
