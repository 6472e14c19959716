import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sketch } from './schema-sketch.ts';

const TREE = {
  type: 'object',
  properties: { title: { type: 'string' }, children: { type: 'array', items: { $ref: '#/x/Tree' } } },
  required: ['title'],
};

test('a schema is told in one line', () => {
  const cases: [Record<string, unknown>, string][] = [
    [{ type: 'integer' }, 'integer'],
    [{ type: ['string', 'null'] }, 'text or null'],
    [{ enum: ['a', 'b'] }, '"a" or "b"'],
    [{ anyOf: [{ type: 'boolean' }, { type: 'number' }] }, 'true or false or number'],
    [{ type: 'object', additionalProperties: { type: 'integer' } }, '{...: integer}'],
    [{ type: 'array', items: { $ref: '#/x/Tree' } }, '[{"title": text, "children"?: [..., ...]}, ...]'],
    [{ $ref: '#/x/Gone' }, '...'],
    [{}, 'any'],
  ];
  for (const [schema, line] of cases) assert.equal(sketch(schema, { Tree: TREE }), line);
});
