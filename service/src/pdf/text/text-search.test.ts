import assert from 'node:assert/strict';
import { test } from 'node:test';
import { containsText } from './text-search.ts';

const cases: [page: string, phrase: string, found: boolean][] = [
  ['Hello World', 'World', true],
  ['Hello World', 'world', false],
  ['Hello World', 'o W', true],
  ['over the end\nof a line', 'the end of a', true],
  ['two  blanks', 'two blanks', true],
  ['two\u00a0words', 'two words', true],
  ['twowords', 'two words', false],
  ['o\ufb03ce', 'office', true],
  ['office', 'o\ufb03ce', true],
  ['Jurgen', 'J\u00fcrgen', false],
  ['Ju\u0308rgen', 'J\u00fcrgen', true],
  ['\u65e5\u672c\n\u8a9e', '\u65e5\u672c\u8a9e', true],
  ['a.c', 'a.c', true],
  ['abc', 'a.c', false],
  ['exam-\nple', 'example', false],
  ['', 'a', false],
  ['a\nb', '\n', true],
  ['\u2f47\u672c', '\u65e5\u672c', true],
  ['W I D E  s e t and more', 'WIDE set and', true],
  ['W I D E s e t', 'WIDE set', true],
  ['W I D E', 'WID', true],
  ['1 2 3 4', '1234', false],
  ['so i t is', 'soit', false],
];
test('a phrase is found as it is written', () => {
  for (const [page, phrase, found] of cases) {
    assert.equal(containsText(page, phrase), found, JSON.stringify([page, phrase]));
  }
});
