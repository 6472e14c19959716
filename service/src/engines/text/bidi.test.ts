import assert from 'node:assert/strict';
import { test } from 'node:test';
import { levelsOf, resetTrailing, visualOrder } from './bidi.ts';

const levels = (text: string, direction: 'auto' | 'ltr' | 'rtl' = 'auto'): string =>
  [...levelsOf(text, direction).levels].join('');

test('letters and numbers get the levels of Unicode Annex 9', () => {
  assert.equal(levels('abc 12'), '000000');
  assert.equal(levels('אב 12'), '11122');
  assert.equal(levels('ab אב'), '00011');
  assert.equal(levels('אב', 'ltr'), '11');
  assert.equal(levels('ab', 'rtl'), '22');
});

test('characters of two units count by their own kind', () => {
  // Adlam is written from right to left; an emoji takes the direction around it.
  assert.equal(levels('\u{1e900}\u{1e901}'), '1111');
  assert.equal(levels('א\u{1f600}א'), '1111');
  assert.equal(levels('a\u{1f600}a'), '0000');
  assert.equal(levels('א \u{20000}'), '1122');
});

test('blanks at the end of a line go with the paragraph', () => {
  const text = 'ab אב ';
  const found = levelsOf(text, 'auto');
  assert.deepEqual([...resetTrailing(text, 0, text.length, found)], [0, 0, 0, 1, 1, 0]);
});

test('runs are turned round from the deepest level on', () => {
  const order = (...given: number[]): string =>
    visualOrder(given.map((level, index) => ({ level, index })))
      .map(({ index }) => index)
      .join('');
  assert.equal(order(0, 0), '01');
  assert.equal(order(0, 1, 0), '012');
  assert.equal(order(1, 2, 1), '210');
  assert.equal(order(0, 1, 2, 1, 0), '03214');
  assert.equal(order(2, 3, 2), '012');
});
