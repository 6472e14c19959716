import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Dict } from '../../pdf/objects.ts';
import type { Restrictions } from '../../pdf/security/change-permissions.ts';
import { changesAfter } from './changes-after.ts';

const asSigned = (restrictions: Restrictions) => {
  const signature = {
    field: 'a',
    fieldRef: undefined,
    holder: undefined,
    isDirect: false,
    dict: new Dict(),
    subFilter: '',
    byteRange: [],
    contents: new Uint8Array(),
    certificates: [],
    name: undefined,
    reason: undefined,
    location: undefined,
    date: undefined,
    restrictions,
  };
  const bytes = {
    ranges: [],
    end: 9,
    revisionEnd: 9,
    coversEntireDocument: false,
    gap: [1, 2] as const,
    contents: Buffer.alloc(0),
  };
  const revision = { signatures: [signature], isEncrypted: false, changes: null };
  return changesAfter({ signature, bytes, revision, fault: undefined }, new Set());
};

test('a certified document that is too large to compare is not called valid', () => {
  const free = asSigned({ permission: undefined, locks: [] });
  assert.equal(free.breaks, undefined);
  assert.equal(free.facts.forbiddenChanges, null);
  for (const restrictions of [
    { permission: 3 as const, locks: [] },
    { permission: undefined, locks: [{ action: 'All' as const, fields: [] }] },
  ])
    assert.match(asSigned(restrictions).breaks ?? '', /cannot be told/);
});
