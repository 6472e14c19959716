// What generators of clients stumble over, asked of the whole description.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { RE2JS } from 're2js';
import { readConfig } from '../../config.ts';
import { openApiJson } from './document.ts';
import { isPortable, type JsonSchema } from './schemas.ts';

interface Media {
  schema: JsonSchema;
  encoding?: Record<string, { contentType?: string; style?: string; explode?: boolean }>;
}
interface Document {
  paths: Record<string, Record<string, { requestBody?: { content: Record<string, Media> } }>>;
  components: { schemas: Record<string, JsonSchema> };
}

const document = JSON.parse(openApiJson(readConfig({}))) as Document;

const bodies = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.values(methods).flatMap(({ requestBody }) =>
    Object.entries(requestBody?.content ?? {}).map(([type, media]) => ({
      place: `${path} ${type}`,
      type,
      media,
    })),
  ),
);
const forms = bodies.filter(({ type }) => type.includes('form'));

function resolved(schema: JsonSchema): JsonSchema {
  const { $ref, ...own } = schema;
  if (typeof $ref !== 'string') return own;
  return { ...resolved(document.components.schemas[$ref.split('/').at(-1) ?? ''] ?? {}), ...own };
}

test('every body is one flat object or one string of bytes', () => {
  assert.ok(forms.length > 90);
  for (const { place, media } of bodies) {
    const schema = resolved(media.schema);
    for (const word of ['anyOf', 'oneOf', 'allOf', 'not', 'if'])
      assert.ok(!(word in schema), `${place} ${word}`);
    assert.ok(schema.type === 'object' || schema.type === 'string', place);
  }
});

test('what the service sends is no call of a generated client', () => {
  // openapi-python-client makes nothing at all of callbacks by reference, OpenAPI Generator no Python of webhooks.
  assert.ok(!('webhooks' in document));
  for (const [path, methods] of Object.entries(document.paths))
    for (const entry of Object.values(methods)) assert.ok(!('callbacks' in entry), path);
});

test('how many files there may be is said in words alone', () => {
  for (const { place, media } of forms)
    for (const [name, property] of Object.entries(media.schema.properties as Record<string, JsonSchema>)) {
      const { items, maxItems, minItems } = property as {
        items?: JsonSchema;
        maxItems?: number;
        minItems?: number;
      };
      if (items?.format === 'binary')
        assert.deepEqual([maxItems, minItems], [undefined, undefined], `${place} ${name}`);
    }
});

test('no component is a choice of types', () => {
  for (const [name, schema] of Object.entries(document.components.schemas))
    for (const word of ['anyOf', 'oneOf']) assert.ok(!(word in schema), name);
});

test('names of one component are none of another in Go: constructors, constants of enumerations', () => {
  const { schemas } = document.components;
  for (const name of Object.keys(schemas)) assert.ok(!Object.hasOwn(schemas, `New${name}`), `New${name}`);
  const values = Object.values(schemas).flatMap(({ type, enum: each = [] }) =>
    type === 'string' ? (each as string[]) : [],
  );
  assert.deepEqual(values.sort(), [...new Set(values)].sort());
});

test('every field of a form has one type, and what is required is there', () => {
  for (const { place, media } of forms) {
    const properties = media.schema.properties as Record<string, JsonSchema>;
    for (const [name, property] of Object.entries(properties)) {
      const { type, enum: values } = resolved(property);
      assert.ok(typeof type === 'string' || values !== undefined, `${place} ${name}`);
    }
    for (const name of (media.schema.required as string[] | undefined) ?? [])
      assert.ok(Object.hasOwn(properties, name), `${place} ${name}`);
  }
});

test('every list of a form says that it is repeated, every file of which type it is, and nothing else is encoded', () => {
  let lists = 0;
  for (const { place, media } of forms) {
    const properties = media.schema.properties as Record<string, JsonSchema>;
    for (const [name, property] of Object.entries(properties)) {
      const schema = resolved(property);
      const isList = schema.type === 'array';
      const { format } = isList ? resolved(schema.items as JsonSchema) : schema;
      const encoding = media.encoding?.[name];
      if (format === 'binary')
        assert.match(encoding?.contentType ?? '', /^[\w.+-]+\/[\w.+-]+/, `${place} ${name}`);
      else if (isList) assert.deepEqual(encoding, { style: 'form', explode: true }, `${place} ${name}`);
      else assert.equal(encoding, undefined, `${place} ${name}`);
      lists += isList ? 1 : 0;
    }
    for (const name of Object.keys(media.encoding ?? {})) assert.ok(name in properties, `${place} ${name}`);
  }
  assert.ok(lists > 10);
});

function patternsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === 'pattern' && typeof inner === 'string' ? [inner] : patternsIn(inner),
  );
}
const patterns = [...new Set(patternsIn(document))];

test('every pattern is one that RE2 compiles', () => {
  assert.ok(patterns.length > 0);
  for (const pattern of patterns) {
    assert.ok(isPortable(pattern), pattern);
    RE2JS.compile(pattern);
  }
});

const hasPython = spawnSync('python3', ['-c', 'import re']).status === 0;
test('every pattern is one that Python compiles', { skip: !hasPython && 'not installed: python3' }, () => {
  const program = 'import json, re, sys\nfor p in json.load(sys.stdin): re.compile(p)';
  const { status, stderr } = spawnSync('python3', ['-c', program], {
    input: JSON.stringify(patterns),
    encoding: 'utf8',
  });
  assert.equal(status, 0, stderr);
});

test('patterns that only JavaScript knows are recognized', () => {
  for (const pattern of ['(?!a)b', '(?<=a)b', '(?<name>a)', '\\p{Cc}', '(a)\\1', '\\u0041', '[^]', '\\cJ'])
    assert.ok(!isPortable(pattern), pattern);
  for (const pattern of ['^(?:a|b)+$', '\\d{1,3}', '[^/]', '\\\\', '^[!-~]+$'])
    assert.ok(isPortable(pattern), pattern);
});
