import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Queue } from './queue.ts';

interface Named {
  name: string;
  owner: string;
  estimateMs: number | undefined;
}

const job = (name: string, estimateMs?: number): Named => ({ name, owner: name[0] ?? '', estimateMs });

function filled(...names: string[]): Queue<Named> {
  const queue = new Queue<Named>();
  for (const name of names) queue.add(job(name));
  return queue;
}

/** One worker, that takes one after the other. */
function drained(queue: Queue<Named>, came: Record<number, string> = {}): string {
  const order: string[] = [];
  while (queue.length > 0) {
    const next = queue.next(new Map());
    assert.ok(next);
    queue.take(next);
    order.push(next.name);
    const late = came[order.length];
    if (late) queue.add(job(late));
  }
  return order.join(' ');
}

test('callers take turns, and the jobs of each keep their order', () => {
  assert.equal(drained(filled('a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1')), 'a1 b1 c1 a2 b2 a3 a4');
});

test('a caller who comes and goes does not get ahead of one who waits', () => {
  assert.equal(drained(filled('a1', 'a2', 'b1'), { 1: 'c1', 2: 'c2' }), 'a1 b1 a2 c1 c2');
  // Ten thousand of one caller, one of another that comes later: it is next.
  const queue = filled(...Array.from({ length: 10_000 }, (_, n) => `a${n}`));
  queue.take(queue.next(new Map()) as Named);
  queue.add(job('b1'));
  const order = drained(queue).split(' ');
  assert.ok(order.indexOf('b1') <= 1, `${order.indexOf('b1')}`);
});

test('who has fewest at work goes first', () => {
  const queue = filled('a1', 'b1', 'c1');
  const running = new Map([
    ['a', 2],
    ['b', 1],
    ['c', 1],
  ]);
  assert.equal(queue.next(running)?.name, 'b1');
});

test('only what may be taken is taken, from wherever it stands', () => {
  const queue = new Queue<Named>();
  for (const [name, ms] of [
    ['a1', 9000],
    ['a2', 10],
    ['b1', undefined],
  ] as const)
    queue.add(job(name, ms));
  const isShort = ({ estimateMs }: Named) => estimateMs !== undefined && estimateMs < 100;
  const short = queue.next(new Map(), isShort);
  assert.equal(short?.name, 'a2');
  queue.take(short as Named);
  assert.equal(queue.next(new Map(), isShort), undefined);
  assert.equal(queue.length, 2);
});

test('the newest of whoever holds most places makes way, and nobody where places are shared evenly', () => {
  assert.equal(filled('a1', 'a2', 'a3').whoMakesWay('b')?.name, 'a3');
  assert.equal(filled('a1', 'a2', 'a3', 'b1').whoMakesWay('b')?.name, 'a3');
  assert.equal(filled('a1', 'a2', 'b1').whoMakesWay('b'), undefined);
  assert.equal(filled('a1').whoMakesWay('b'), undefined);
  assert.equal(filled('a1', 'a2', 'a3').whoMakesWay('a'), undefined);
});

test('the work before one more is that of the turns before it', () => {
  const queue = new Queue<Named>();
  for (let n = 0; n < 10; n += 1) queue.add(job(`a${n}`, 100));
  assert.equal(queue.workBefore('a'), 1000);
  assert.equal(queue.workBefore('b'), 100);
  queue.add(job('b1', 50));
  assert.equal(queue.workBefore('b'), 250);
});

test('what is removed is gone, once', () => {
  const queue = new Queue<Named>();
  const one = job('a1', 70);
  queue.add(one);
  assert.equal(queue.remove(one), true);
  assert.equal(queue.remove(one), false);
  assert.equal(queue.length, 0);
  assert.equal(queue.workBefore('b'), 0);
});
