import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { OPERATIONS } from './index.generated.ts';
import { refusals } from './refusals.ts';

/** Reasons that any call may meet, whatever the operation. */
const GENERAL = ['bad_request', 'internal', 'missing_dependency', 'unavailable'];

for (const [path, op] of Object.entries(OPERATIONS)) {
  test(`${path} lists the reasons it refuses for`, () => {
    const source = readFileSync(new URL(`./${path}.ts`, import.meta.url), 'utf8');
    const listed: readonly string[] = refusals(op);
    assert.equal(new Set(listed).size, listed.length);
    // `invalidParameter` needs no look: every operation lists that reason.
    for (const [, reason = ''] of source.matchAll(/new Problem\(\s*'([a-z_]+)'/g))
      assert.ok(listed.includes(reason) || GENERAL.includes(reason), `${reason} is thrown and not listed`);
    const shown: readonly string[] = refusals({ ...op, refuses: [] });
    for (const reason of op.refuses ?? [])
      assert.ok(!shown.includes(reason), `${reason} need not be said: inputs and fields show it`);
  });
}
