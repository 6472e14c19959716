import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Candidate, withoutLabels } from './heading-labels.ts';

const candidate = (text: string, size: number): Candidate => {
  const paragraph = { kind: 'paragraph', page: 1 } as Candidate['paragraph'];
  const marked = { block: paragraph } as Candidate['marked'];
  return { marked, paragraph, text, size, bold: true, italic: false, capitals: false, depth: 0 };
};

const kept = (candidates: readonly Candidate[]): string[] =>
  withoutLabels(
    candidates.flatMap((each) => [each, undefined]),
    10,
    () => false,
  ).map(({ text }) => text);

test('what is said again under a heading of its own each time is a heading, other repeated words are labels', () => {
  const entries = ['open', 'read', 'close'].flatMap((name) => [
    candidate(name, 16),
    candidate('See also', 12),
  ]);
  assert.deepEqual(
    kept(entries),
    entries.map(({ text }) => text),
  );
  const labels = [1, 2, 3].map(() => candidate('Example', 12));
  assert.deepEqual(kept([candidate('Examples', 16), ...labels]), ['Examples']);
});
