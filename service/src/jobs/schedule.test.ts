import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Problem } from '../contract/problems.ts';
import type { PageFetches } from './page-fetches.ts';
import { Schedule } from './schedule.ts';
import { newTask, type Task } from './task.ts';
import type { Workspace } from './workspace.ts';

const SHORT_MS = 20;
const LONG_MS = 60_000;
const SETTINGS = { count: 2, queue: 4, waitMs: 240_000 };

function task(owner: string, estimateMs: number | undefined): Task {
  const job = { id: owner, steps: [], files: [], pipeline: false };
  const ends = { resolve: () => {}, reject: () => {} };
  // Neither a directory nor a page is needed to wait.
  return newTask(job, {} as Workspace, { owner, estimateMs, fetches: {} as PageFetches, ...ends });
}

/** At work since then. */
const begun = (owner: string, estimateMs: number | undefined, sinceMs: number): Task => ({
  ...task(owner, estimateMs),
  startedAt: performance.now() - sinceMs,
});

const waited = (owner: string, estimateMs: number | undefined, sinceMs: number): Task => ({
  ...task(owner, estimateMs),
  queuedAt: performance.now() - sinceMs,
});

function waitingFor(...tasks: Task[]): Schedule {
  const schedule = new Schedule(SETTINGS);
  for (const one of tasks) schedule.add(one);
  return schedule;
}

const busyWithLong = [begun('a', LONG_MS, 5000), begun('a', LONG_MS, 5000)];

test('short work that has waited gets a worker beyond their number while all are at long work', () => {
  const short = waited('b', SHORT_MS, 1000);
  const schedule = waitingFor(waited('b', LONG_MS, 9000), short);
  assert.equal(schedule.next(busyWithLong), short);
  assert.equal(schedule.mostWorkers(busyWithLong), 3);
  // One is beyond their number, not more.
  assert.equal(schedule.next([...busyWithLong, begun('c', SHORT_MS, 10)]), undefined);
  assert.equal(schedule.mostWorkers(busyWithLong.slice(1)), 2);
});

test('long work, unknown work of a busy caller and what has only just come wait for one of the workers', () => {
  for (const one of [
    waited('b', LONG_MS, 1000),
    waited('a', undefined, 1000),
    waited('b', undefined, 300),
    waited('b', SHORT_MS, 10),
    waited('a', SHORT_MS, 300),
  ]) {
    assert.equal(waitingFor(one).next(busyWithLong), undefined);
    assert.equal(waitingFor(one).mostWorkers(busyWithLong), 2);
    assert.equal(waitingFor(one).next([]), one);
  }
});

test('whoever has nothing at work gets a worker beyond their number sooner, and for unknown work, too', () => {
  const short = waited('b', SHORT_MS, 200);
  assert.equal(waitingFor(short).next(busyWithLong), short);
  const unknown = waited('b', undefined, 600);
  assert.equal(waitingFor(unknown).next(busyWithLong), unknown);
});

test('a worker beyond their number that is there already takes the short work of others at once', () => {
  const short = waited('b', SHORT_MS, 0);
  assert.equal(waitingFor(short).next(busyWithLong, true), short);
  const own = waited('a', SHORT_MS, 0);
  assert.equal(waitingFor(own).next(busyWithLong, true), undefined);
});

test('many short calls at once get no further worker, however long they wait', () => {
  const schedule = waitingFor(waited('b', SHORT_MS, 9000));
  for (const last of [begun('a', SHORT_MS, 10), begun('a', undefined, 10)]) {
    assert.equal(schedule.next([begun('a', LONG_MS, 5000), last]), undefined);
    assert.equal(schedule.mostWorkers([begun('a', LONG_MS, 5000), last]), 2);
  }
});

test('whoever has the workers with long work may still do short work', () => {
  const short = waited('a', SHORT_MS, 1000);
  assert.equal(waitingFor(short).next(busyWithLong), short);
});

test('whoever holds workers with work that looked short does not get one more; others do', () => {
  const bombs = [begun('a', SHORT_MS, 800), begun('a', SHORT_MS, 800)];
  const another = waited('b', SHORT_MS, 600);
  const schedule = waitingFor(waited('a', SHORT_MS, 800), another);
  assert.equal(schedule.next(bombs), another);
  schedule.remove(another);
  assert.equal(schedule.next(bombs), undefined);
});

test('who would wait longer than anybody may is refused at once, and told when to come again', () => {
  const schedule = waitingFor(...['a', 'a', 'a'].map((owner) => task(owner, 200_000)));
  assert.equal(schedule.refusalFor('b', LONG_MS, []), undefined, 'the turns of another come first');
  const refusal = schedule.refusalFor('a', LONG_MS, []);
  assert.ok(refusal instanceof Problem);
  assert.equal(refusal.reason, 'unavailable');
  assert.equal(refusal.options.retryAfterSeconds, 60);
  assert.equal(schedule.refusalFor('a', SHORT_MS, []), undefined, 'short work does not wait for long work');
});

test('a full queue refuses whoever holds most of it, and makes room for others', () => {
  const tasks = ['a', 'a', 'a', 'a'].map((owner) => task(owner, SHORT_MS));
  const schedule = waitingFor(...tasks);
  assert.equal(schedule.refusalFor('a', SHORT_MS, busyWithLong)?.reason, 'unavailable');
  assert.equal(schedule.refusalFor('b', SHORT_MS, busyWithLong), undefined);
  assert.equal(schedule.outdoneBy('b', busyWithLong), tasks[3]);
  assert.equal(
    schedule.outdoneBy('b', []),
    undefined,
    'there are places for those a worker can be started for',
  );
});
