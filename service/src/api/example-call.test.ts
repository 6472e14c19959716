import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AnyOperation, FileInput } from '../operations/define.ts';
import type { Field } from '../operations/fields.ts';
import { OPERATIONS } from '../operations/index.generated.ts';
import { type Part, planCall } from '../operations/plan.ts';
import { REFUSE_UNKNOWN } from '../operations/unknown-names.ts';
import { exampleCall } from './example-call.ts';

const operations = Object.entries(OPERATIONS) as [string, AnyOperation][];

/** As the forms of clients say it. */
function textsOf(field: Field | undefined, value: unknown): string[] {
  if (field?.kind === 'json') return [JSON.stringify(value)];
  return [value].flat().map(String);
}

test('the example of every operation is a call that is accepted', () => {
  for (const [path, op] of operations) {
    const { files, params } = exampleCall(op);
    const parts: Part[] = [
      ...Object.entries(files).flatMap(([field, names]) =>
        names.map((name): Part => ({ field, file: { name, size: 3, content: { chunks: [] } } })),
      ),
      ...Object.entries(params).flatMap(([field, value]) =>
        textsOf((op.params as Record<string, Field>)[field], value).map((text): Part => ({ field, text })),
      ),
    ];
    assert.doesNotThrow(() => planCall(path, parts, REFUSE_UNKNOWN), path);
  }
});

test('an operation with fields shows some of them, all that are required, and a file for each that it needs', () => {
  let withValues = 0;
  for (const [path, op] of operations) {
    const { files, params } = exampleCall(op);
    for (const [name, { required }] of Object.entries(op.params as Record<string, Field>))
      if (required) assert.ok(name in params, `${path} ${name}`);
    for (const [name, { required }] of Object.entries(op.inputs as Record<string, FileInput>))
      if (required) assert.ok((files[name]?.length ?? 0) > 0, `${path} ${name}`);
    withValues += Object.keys(params).length > 0 ? 1 : 0;
  }
  assert.ok(withValues > 60, String(withValues));
});
