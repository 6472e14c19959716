import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HeldBytes } from './held-bytes.ts';

test('files leave room for what must be held, and what a request holds is given back as a whole', () => {
  const held = new HeldBytes({ held: 100, spooled: 40, fetched: 10 });
  const [one, other] = [held.share(), held.share()];
  assert.equal(one.take(40), true);
  assert.equal(other.take(1), false);
  other.hold(60);
  assert.throws(() => one.hold(1), { reason: 'unavailable' });
  one.fetch(10);
  assert.throws(() => other.fetch(1), { reason: 'unavailable' });
  one.giveBack();
  assert.equal(held.takenBytes, 60);
  other.fetch(10);
  other.hold(40);
  other.giveBack();
  assert.equal(held.takenBytes, 0);
});

test('what a request takes after it is over does not count for ever', () => {
  const held = new HeldBytes({ held: 100 });
  const share = held.share();
  share.giveBack();
  share.hold(50);
  share.giveBack();
  assert.equal(held.takenBytes, 0);
});

test('files that requests bring have room in all, one key at most half of it, and it is given back', () => {
  const held = new HeldBytes({ brought: 100 });
  const [first, second, other] = [held.share('a'), held.share('a'), held.share('b')];
  first.bring(30);
  second.bring(20);
  assert.throws(() => second.bring(1), { reason: 'insufficient_storage' });
  other.bring(50);
  assert.throws(() => held.share('c').bring(1), { reason: 'insufficient_storage' });
  first.giveBack();
  first.giveBack();
  second.bring(30);
  second.giveBack();
  other.giveBack();
  const again = held.share('a');
  again.bring(50);
  assert.throws(() => again.bring(1), { reason: 'insufficient_storage' });
});
