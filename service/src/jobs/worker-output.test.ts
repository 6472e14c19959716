import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WorkerOutput } from './worker-output.ts';

function collect(...texts: string[]): { passed: string[]; rest: string } {
  const passed: string[] = [];
  const output = new WorkerOutput((line) => passed.push(line));
  for (const text of texts) output.add(text);
  return { passed, rest: output.rest };
}

const LINE = '{"time":"2026-01-01T00:00:00.000Z","level":"info","message":"m"}';

test('log lines are passed on whole, however they arrive', () => {
  assert.deepEqual(collect(`${LINE}\n${LINE}\n`), { passed: [`${LINE}\n`, `${LINE}\n`], rest: '' });
  assert.deepEqual(collect(...[...`${LINE}\n`]), { passed: [`${LINE}\n`], rest: '' });
});

test('nothing else is passed on, and its end is kept', () => {
  const words = 'WARNING: file: object 4 0\n{"not":"a log line"}\n{"time": broken\n[1]\n';
  assert.deepEqual(collect(words, LINE), { passed: [], rest: words + LINE });
  const { passed, rest } = collect('terminate called: std::bad_alloc\n', `${LINE}\n`, 'and more');
  assert.deepEqual(passed, [`${LINE}\n`]);
  assert.equal(rest, 'terminate called: std::bad_alloc\nand more');
});

test('what is kept stays short, and a line without end is dropped', () => {
  const flood = collect(...Array.from({ length: 300 }, () => 'x'.repeat(1000)), `\n${LINE}\n`);
  assert.deepEqual(flood.passed, [`${LINE}\n`]);
  assert.equal(flood.rest.length, 4000);
  const many = collect(...Array.from({ length: 1000 }, (_, n) => `line ${n}\n`));
  assert.equal(many.rest.length, 4000);
  assert.ok(many.rest.endsWith('line 999\n'));
});

test('words said before a job are not the last words of that job', () => {
  const output = new WorkerOutput(() => {});
  output.add('out of memory\n');
  output.forget();
  output.add('free(): invalid pointer\n');
  assert.equal(output.rest, 'free(): invalid pointer\n');
});
