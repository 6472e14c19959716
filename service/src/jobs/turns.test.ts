import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TurnsOfEach } from './turns.ts';

test('each has so many turns at once, and those of others go on meanwhile', async () => {
  const turns = new TurnsOfEach(2);
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const work = (name: string) => (): Promise<void> => {
    begun.push(name);
    return new Promise((end) => ends.push(end));
  };
  const all = ['a1', 'a2', 'a3', 'b1'].map((name) => turns.take(name[0] as string, work(name)));
  await new Promise((next) => setImmediate(next));
  assert.deepEqual(begun, ['a1', 'a2', 'b1']);
  ends.shift()?.();
  await new Promise((next) => setImmediate(next));
  assert.deepEqual(begun, ['a1', 'a2', 'b1', 'a3']);
  for (const end of ends) end();
  await Promise.all(all);
});

test('a turn whose work fails is free again', async () => {
  const turns = new TurnsOfEach(1);
  await assert.rejects(turns.take('a', () => Promise.reject(new Error('no'))));
  assert.equal(await turns.take('a', async () => 1), 1);
});
