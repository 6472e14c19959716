import assert from 'node:assert/strict';
import { test } from 'node:test';
import { processorMs } from '../../../testing/processor-time.ts';
import { enclosureOf } from './content-balance.ts';

/** What stands before and behind, white space aside. */
const CONTENTS: [content: string, before: string, after: string][] = [
  ['', 'q', 'Q'],
  ['q 1 0 0 1 5 5 cm Q', 'q', 'Q'],
  ['0.5 0 0 0.5 0 0 cm q q', 'q', 'Q Q Q'],
  ['Q Q 0 g', 'q q q', 'Q'],
  ['Q Q', 'q q q', 'Q'],
  ['Q q q', 'q q', 'Q Q Q'],
  ['q Q Q q q', 'q q', 'Q Q Q'],
  // Letters of strings, names, comments, longer words and images are none.
  ['q ( q ) Tj /q gs [(Q) 3 ( Q )] TJ Q', 'q', 'Q'],
  ['( Q \\) q ( Q ) Q) Tj q', 'q', 'Q Q'],
  ['q BI /W 1 /H 1 ID q EI Q', 'q', 'Q'],
  ['q\nQ%Q\n', 'q', 'Q'],
  ['q[(a)]TJ Q', 'q', 'Q'],
  ['/Q<</q(q)>>DP qq BTT', 'q', 'Q'],
  ['1q', 'q', 'Q Q'],
  // Each is ended in its turn.
  ['q BT /F1 9 Tf', 'q', 'ET Q Q'],
  ['/OC /L BDC q BT (a) Tj', 'q', 'ET Q EMC Q'],
  ['BT /Span BMC (a) Tj', 'q', 'EMC ET Q'],
  ['ET EMC BMC EMC', 'q', 'Q'],
  ['(a', 'q', ') Q'],
  ['(a(b) (c \\', 'q', ')) Q'],
  ['q <4', 'q', '> Q Q'],
  ['[ (a', 'q', ')] Q'],
  ['/Span <</A [1 [2', 'q', ']]>> Q'],
  ['<< ] >> > [', 'q', '] Q'],
  ['[ 1 q', 'q q', '] Q Q'],
  ['q [ 1 Q', 'q q', '] Q Q'],
  ['q % [(', 'q', 'Q Q'],
];

for (const [content, before, after] of CONTENTS) {
  test(`${JSON.stringify(content)} stands between ${before} and ${after}`, () => {
    const made = enclosureOf(Buffer.from(content));
    assert.deepEqual(
      [made.before, made.after].map((text) => text.trim().replace(/\s+/g, ' ')),
      [before, after],
    );
    assert.equal(made.end, content.length);
    // A comment is ended by nothing else.
    assert.match(made.after, /^\n/);
  });
}

test('an image that is never ended is left out, and so is what nests without end', () => {
  for (const [kept, rest] of [
    ['q 5 0 0 5 0 0 cm\n', 'BI /W 8 /H 8 /CS /G /BPC 8 ID abcdefg'],
    ['q\n', 'BI /W 8 /H '],
    ['q 0 g\n', '('.repeat(20_000)],
    ['q 0 g\n', '['.repeat(20_000)],
  ] as const) {
    const { after, end } = enclosureOf(Buffer.from(kept + rest));
    assert.equal(end, kept.length);
    assert.equal(after.trim(), 'Q\nQ');
  }
});

test('what piles up without end takes no long', () => {
  const start = processorMs();
  for (const content of [
    'q '.repeat(500_000),
    'Q '.repeat(500_000),
    `BMC ${'q '.repeat(9990)}${'ET '.repeat(500_000)}`,
  ])
    assert.ok(enclosureOf(Buffer.from(content)).after.length < 100_000);
  assert.ok(processorMs() - start < 5000);
});
