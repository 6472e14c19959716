import assert from 'node:assert/strict';
import { test } from 'node:test';
import { savesAround } from './content-balance.ts';

const CONTENTS: [string, number, number][] = [
  ['', 1, 1],
  ['q 1 0 0 1 5 5 cm Q', 1, 1],
  ['0.5 0 0 0.5 0 0 cm q q', 1, 3],
  ['Q Q 0 g', 3, 1],
  ['q Q Q q q', 2, 3],
  // Letters of strings and names are none.
  ['q ( q ) Tj /q gs [(Q) 3 ( Q )] TJ Q', 1, 1],
  ['( Q ) Tj q', 1, 2],
  ['q BI /W 1 /H 1 ID q EI Q', 1, 1],
  ['q\nQ%Q\n', 1, 1],
  ['q[(a)]TJ Q', 1, 1],
];

for (const [content, before, after] of CONTENTS) {
  test(`${JSON.stringify(content)} wants ${before} q before and ${after} Q behind`, () => {
    assert.deepEqual(savesAround(Buffer.from(content)), { before, after });
  });
}
