import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FailedKeys } from './failed-keys.ts';

test('an address is held up after so many unknown keys in a minute, and for that minute', () => {
  let now = 0;
  const failed = new FailedKeys(2, () => now);
  assert.equal(failed.note('10.0.0.1'), undefined);
  assert.equal(failed.note('::ffff:10.0.0.1'), undefined);
  now = 20_000;
  const refused = failed.note('10.0.0.1');
  assert.equal(refused?.status, 429);
  assert.equal(refused?.toData().retryAfterSeconds, 40);
  assert.equal(failed.note('10.0.0.2'), undefined);
  now = 60_000;
  assert.equal(failed.note('10.0.0.1'), undefined);
});

test('a network of IPv6 counts as one address', () => {
  const failed = new FailedKeys(1, () => 0);
  assert.equal(failed.note('2001:db8:1:2::1'), undefined);
  assert.equal(failed.note('2001:db8:1:2:ffff::2')?.status, 429);
  assert.equal(failed.note('2001:db8:1:3::1'), undefined);
});

test('what is remembered is bounded, and 0 allows any number', () => {
  const failed = new FailedKeys(1, () => 0);
  for (let i = 0; i < 12_000; i += 1) failed.note(`10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`);
  assert.equal(failed.size, 10_000);
  const open = new FailedKeys(0);
  for (let i = 0; i < 100; i += 1) assert.equal(open.note('10.0.0.1'), undefined);
});
