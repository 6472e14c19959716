import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { z } from 'zod';
import { json, list, size, text } from '../../operations/fields.ts';
import { formField } from './fields.ts';
import { inlineSchema, namedSchema } from './schemas.ts';

const Leaf = z.object({
  title: z.string(),
  get children() {
    return z.array(Leaf);
  },
});

test('a schema that refers to itself becomes components that refer to each other', () => {
  for (const schema of [Leaf, z.array(Leaf), z.object({ first: Leaf, second: Leaf })]) {
    const components = namedSchema('Tree', schema, 'output');
    const document = { $id: 'https://test.invalid/tree', components: { schemas: components } };
    const ajv = new Ajv2020({ strict: false });
    ajv.addSchema(document);
    const fits = ajv.compile({ $ref: 'https://test.invalid/tree#/components/schemas/Tree' });
    const leaf = { title: 'a', children: [{ title: 'b', children: [] }] };
    const broken = { title: 'a', children: [{ title: 5, children: [] }] };
    const shaped = (value: unknown) =>
      schema === Leaf ? value : schema instanceof z.ZodArray ? [value] : { first: value, second: leaf };
    assert.ok(fits(shaped(leaf)), ajv.errorsText(fits.errors));
    assert.ok(!fits(shaped(broken)));
  }
});

test('what zod adds of its own is left out', () => {
  assert.deepEqual(inlineSchema(z.int(), 'output'), { type: 'integer' });
  assert.deepEqual(inlineSchema(z.object({ a: z.iso.datetime() }), 'output'), {
    type: 'object',
    properties: { a: { type: 'string', format: 'date-time' } },
    required: ['a'],
  });
  assert.deepEqual(inlineSchema(z.record(z.string(), z.int()), 'output'), {
    type: 'object',
    additionalProperties: { type: 'integer' },
  });
});

test('a field looks as its form text does', () => {
  const cases = [
    {
      field: size('Largest part', { default: 10 * 1024 ** 2 }),
      property: {
        $ref: '#/components/schemas/ByteSize',
        description: 'Largest part.',
        default: '10MB',
      },
    },
    {
      field: size('Largest part', { default: 1536 }),
      property: { $ref: '#/components/schemas/ByteSize', description: 'Largest part.', default: '1536B' },
    },
    {
      field: text('Who', { max: 10, maxBytes: 12, aliases: ['whom'] }),
      property: {
        type: 'string',
        maxLength: 10,
        description: 'Who. Valid: text of at most 10 characters and 12 bytes. Other names: whom.',
      },
    },
    {
      field: list('Words', text('A word', { max: 5 }), { min: 1, max: 3, required: true }),
      property: {
        type: 'array',
        minItems: 1,
        maxItems: 3,
        items: { type: 'string', maxLength: 5 },
        description: 'Words.',
      },
    },
    {
      field: json('Pairs', z.array(z.int()), { default: [1], expects: 'a JSON list of numbers' }),
      property: {
        type: 'string',
        contentMediaType: 'application/json',
        contentSchema: { $ref: '#/components/schemas/Name' },
        description: 'Pairs. Valid: a JSON list of numbers.',
        default: '[1]',
      },
    },
  ];
  for (const { field, property } of cases) assert.deepEqual(formField(field, 'Name').property, property);
});
