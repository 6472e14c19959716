import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lookup } from './lookup.ts';

test('a table has its own entries and nothing that objects inherit', () => {
  const table = lookup({ red: 1, toString: 2 });
  assert.equal(table.red, 1);
  assert.equal(table.toString, 2);
  for (const word of ['constructor', '__proto__', 'hasOwnProperty', 'valueOf'])
    assert.equal(table[word], undefined, word);
});
