import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCalculator } from './calculator-functions.ts';

const PROGRAMS: [string, number[], number[]][] = [
  ['{ 1 exch sub }', [0.25], [0.75]],
  ['{ 2 copy add 3 1 roll sub }', [5, 3], [8, 2]],
  ['{ dup 0.5 gt { pop 1 } { pop 0 } ifelse }', [0.7], [1]],
  ['{ dup 0.5 gt { pop 1 } if }', [0.2], [0.2]],
  ['{ 360 mul sin abs }', [0.25], [1]],
  ['{ 1 2 3 3 -1 roll }', [], [2, 3, 1]],
  ['{ 7 2 idiv 7 2 mod 2 3 exp }', [], [3, 1, 8]],
  ['{ % a remark\n 1 2 2 index }', [9], [9, 1, 2, 9]],
  ['{ true false or { 5 } { 6 } ifelse }', [], [5]],
];

for (const [source, inputs, outputs] of PROGRAMS) {
  test(`${JSON.stringify(source)} of ${inputs.join(' ')} is ${outputs.join(' ')}`, () => {
    const made = readCalculator(source)?.(inputs) ?? [];
    assert.deepEqual(
      made.map((value) => Math.round(value * 1e6) / 1e6),
      outputs,
    );
  });
}

test('what is no program is none, and what goes wrong ends', () => {
  for (const source of ['', 'dup', '{ dup', '{'.repeat(100)]) assert.equal(readCalculator(source), undefined);
  const grows = readCalculator(`{ ${'dup '.repeat(1000)} }`)?.([1]) ?? [];
  assert.ok(grows.length < 200);
  assert.deepEqual(readCalculator('{ add roll copy index pop pop }')?.([]), []);
});
