// Notes at the foot of a page: each for itself, and where the text calls it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { markdown, type Written } from '../../../testing/documents/plain-text-pages.ts';

/** A sentence whose end has a raised mark. */
const called = (y: number, words: string, mark: string): Written[] => [
  [72, y, 11, words],
  [72 + words.length * 5.2, y + 4, 6, mark],
];

const PROSE = Array.from(
  { length: 8 },
  (_, line): Written => [
    72,
    500 - line * 14,
    11,
    `Line ${line} of a text that goes on below what has been noted.`,
  ],
);

const NOTES: Written[] = [
  [72, 70, 8, '1See the report of Smith.'],
  [72, 60, 8, '2Data given by the Ministry.'],
];

test('notes that stand closely below one another are notes of their own', async () => {
  const text = await markdown([
    [
      ...called(640, 'The first thing was said', '1'),
      ...called(600, 'The second thing too', '2'),
      ...PROSE,
      ...NOTES,
    ],
  ]);
  assert.match(text, /\[\^1\]: See the report of Smith\.\n/);
  assert.match(text, /\[\^2\]: Data given by the Ministry\.\n/);
  assert.match(text, /said ?\[\^1\]/);
  assert.match(text, /too ?\[\^2\]/);
});

test('a note for which the page has no room stands on the next one', async () => {
  const text = await markdown([
    [...called(640, 'The first thing was said', '1'), ...called(600, 'The second thing too', '2'), ...PROSE],
    [...PROSE, ...NOTES],
  ]);
  assert.match(text, /\[\^1\]: See the report of Smith\.\n/);
  assert.match(text, /\[\^2\]: Data given by the Ministry\.\n/);
});

test('small lines that nothing calls stay text', async () => {
  const text = await markdown([[...PROSE, ...NOTES]]);
  assert.doesNotMatch(text, /\[\^/);
  assert.match(text, /1See the report of Smith/);
});
