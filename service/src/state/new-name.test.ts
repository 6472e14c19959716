import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nameOf, newName } from './new-name.ts';

test('no name begins like an option, and none is like another', () => {
  assert.deepEqual(
    [0xf8, 0xfc, 0].map((first) => nameOf(Buffer.from([first, 0, 0]))),
    ['xAAA', 'xAAA', 'AAAA'],
  );
  const names = new Set(Array.from({ length: 500 }, newName));
  assert.equal(names.size, 500);
  for (const name of names) assert.match(name, /^[A-Za-z0-9][\w-]{31}$/);
});
