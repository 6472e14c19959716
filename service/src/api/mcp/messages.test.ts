import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Problem } from '../../contract/problems.ts';
import { messagesIn } from './messages.ts';

const read = (value: unknown) =>
  messagesIn(Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)));

test('one message, or several at once', () => {
  assert.deepEqual(read({ id: 1, method: 'ping' }), [{ id: 1, method: 'ping' }]);
  assert.deepEqual(
    read([{ id: 1 }, { id: 2 }]).map(({ id }) => id),
    [1, 2],
  );
});

test('what is no message counts as one that says nothing', () => {
  for (const odd of ['', 'no json', '3', 'null', '"text"']) assert.deepEqual(read(odd), [{}], odd);
  assert.deepEqual(read([1, null, { id: 2 }]), [{}, {}, { id: 2 }]);
});

test('a batch is bounded', () => {
  assert.equal(read(Array(20).fill({})).length, 20);
  assert.throws(
    () => read(Array(21).fill({})),
    (error) =>
      error instanceof Problem && error.reason === 'invalid_parameter' && /21 were sent/.test(error.message),
  );
});
