import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { applied, asynchronousPreference } from './preference.ts';

const read = (prefer?: string) =>
  asynchronousPreference({ headers: prefer === undefined ? {} : { prefer } } as unknown as IncomingMessage);

test('whoever does not ask to be answered later is not', () => {
  for (const prefer of [
    undefined,
    '',
    'wait=20',
    'return=minimal',
    'x="respond-async"',
    'respond-asynch',
    ',,;=',
  ])
    assert.equal(read(prefer), undefined, prefer);
});

test('the preference is read as RFC 7240 writes it, in any order and letter case', () => {
  for (const [prefer, waitSeconds] of [
    ['respond-async', undefined],
    ['Respond-Async; foo="a, b"', undefined],
    ['respond-async, wait=20', 20],
    ['return=minimal, WAIT = "7" ; x=1,respond-async', 7],
    ['handling="a\\", wait=5, ", respond-async, wait=3, wait=9', 3],
    ['respond-async, wait=0', undefined],
    ['respond-async, wait=-1', undefined],
    ['respond-async, wait=1e3', undefined],
    ['respond-async, wait=999999', 300],
  ] as const)
    assert.deepEqual(read(prefer), { waitSeconds }, prefer);
  assert.equal(applied({ waitSeconds: 7 }), 'respond-async, wait=7');
});

test('a header made to hurt is read in no time', () => {
  for (const piece of [',', '"', '\\', 'a=,', '; ', ' ', '="']) {
    const header = piece.repeat(16_384 / piece.length);
    const times = [1, 2, 3, 4, 5].map(() => {
      const began = performance.now();
      read(header);
      return performance.now() - began;
    });
    assert.ok(Math.min(...times) < 50, JSON.stringify(piece));
  }
});
