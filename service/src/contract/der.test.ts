import assert from 'node:assert/strict';
import { test } from 'node:test';
import { der, integer, MalformedDer, octetString, oid, readDer, sequence, set, TAG, time } from './der.ts';

test('what is written is read back', () => {
  const long = Buffer.alloc(70_000, 7);
  const root = readDer(
    sequence(integer(0), integer(128), integer(2n ** 70n), oid('2.16.840.1.101.3.4.2.1'), octetString(long)),
  );
  assert.deepEqual(
    root.children.slice(0, 3).map((node) => node.bigint()),
    [0n, 128n, 2n ** 70n],
  );
  assert.equal(root.child(3).oid(), '2.16.840.1.101.3.4.2.1');
  assert.ok(root.child(4).octets().equals(long));
  for (const date of ['1999-12-31T23:59:59Z', '2026-11-15T00:00:00Z', '2051-01-01T01:02:03Z'])
    assert.equal(
      readDer(time(new Date(date)))
        .time()
        .getTime(),
      Date.parse(date),
    );
  assert.deepEqual(set(integer(3), integer(1)), der(TAG.set, integer(1), integer(3)));
});

test('BER is read: lengths that are found by their end, strings in pieces', () => {
  const pieces = Buffer.from('2480040201020401030000', 'hex');
  assert.deepEqual([...readDer(pieces).octets()], [1, 2, 3]);
  assert.deepEqual([...readDer(Buffer.from('30802480040109000000000000', 'hex')).child(0).octets()], [9]);
});

test('what is cut off, nested too deep or too long is malformed, never more', () => {
  const nested = Buffer.alloc(100_000, Buffer.from([0x30, 0x80]));
  const cases = [
    '',
    '30',
    '3005',
    '3086000000000000',
    '3084ffffffff',
    '1f8101',
    '0480',
    '020100'.slice(0, 4),
  ];
  for (const hex of cases) assert.throws(() => readDer(Buffer.from(hex, 'hex')), MalformedDer, hex);
  assert.throws(() => readDer(nested), MalformedDer);
  assert.throws(() => readDer(Buffer.from('0401', 'hex')), MalformedDer);
  assert.throws(() => readDer(Buffer.from('0200', 'hex')).bigint(), MalformedDer);
  assert.throws(() => readDer(Buffer.from('170131', 'hex')).time(), MalformedDer);
});
