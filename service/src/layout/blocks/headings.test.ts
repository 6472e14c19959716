// What is a heading where neither size nor weight says so, and what is none though it is large.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { markdown, type Written } from '../../../testing/documents/plain-text-pages.ts';

const prose = (from: number): Written[] =>
  Array.from(
    { length: 8 },
    (_, line): Written => [
      72,
      from - line * 12,
      10,
      `line ${'abcdefgh'[line]} of a text that goes on until the page has come to its end, and`,
    ],
  );

test('headings in small capitals are headings', async () => {
  const text = await markdown([
    [
      ...prose(780),
      [250, 660, 10, 'I. I'],
      [261.2, 660, 8, 'NTRODUCTION'],
      ...prose(636),
      [250, 520, 10, 'II. R'],
      [265.6, 520, 8, 'ESULTS'],
      ...prose(496),
    ],
  ]);
  assert.match(text, /^#+ I\. INTRODUCTION$/m);
  assert.match(text, /^#+ II\. RESULTS$/m);
});

test('a stamp along the margin is no heading, and parts no paragraph', async () => {
  const stamp = 'BT /F 20 Tf 0 1 -1 0 40 250 Tm (archive:1601.03642 of 2016) Tj ET';
  const text = await markdown([prose(780), prose(780)], stamp);
  assert.doesNotMatch(text, /^#/m);
  assert.match(text, /its end, and line a of a text/);
});
