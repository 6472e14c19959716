import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Rule } from '../../contract/page-items.ts';
import { markUnderlined } from './underlines.ts';
import type { Word } from './word.ts';

const style = { font: 'Serif', size: 10, bold: false, italic: false, monospace: false, color: '#000000' };

/** Words of 30 points each, 5 apart, on a baseline at 100. */
const line = (...texts: string[]): Word[] =>
  texts.map((text, i) => ({
    text,
    box: { x: i * 35, y: 92.5, width: 30, height: 10 },
    baseline: 100,
    style,
    turn: 0,
    glued: false,
    spaced: i > 0,
    direction: 'ltr',
    vertical: false,
    markedContent: -1,
    hidden: false,
    order: i,
  }));

const rule = (from: number, to: number, at: number, thickness = 0.6): Rule => ({
  axis: 'horizontal',
  at,
  from,
  to,
  thickness,
  color: '#000000',
});

const marked = (words: Word[], how: 'underline' | 'strike'): string =>
  words.flatMap((word) => (word.style[how] ? [word.text] : [])).join(' ');

test('words over a thin line as long as they are, are underlined', () => {
  const words = line('one', 'two', 'three', 'four');
  markUnderlined(words, [rule(35, 100, 101.2)]);
  assert.equal(marked(words, 'underline'), 'two three');
  assert.equal(marked(words, 'strike'), '');
  assert.equal(words[1]?.style, words[2]?.style, 'one look is one object');
});

test('a line that letters interrupt is one', () => {
  const words = line('page', 'two');
  markUnderlined(words, [rule(0, 6, 101.2), rule(9, 20, 101.2), rule(24, 30, 101.2)]);
  assert.equal(marked(words, 'underline'), 'page');
});

test('words with a line through them are struck out', () => {
  const words = line('one', 'two', 'three');
  markUnderlined(words, [rule(35, 65, 97.2)]);
  assert.equal(marked(words, 'strike'), 'two');
  assert.equal(marked(words, 'underline'), '');
});

test('borders, rules across the page, thick bars and lines far below are none', () => {
  const words = line('one', 'two', 'three');
  markUnderlined(words, [rule(-20, 400, 101.5), rule(0, 100, 101.5, 3), rule(0, 30, 104), rule(-10, 75, 97)]);
  assert.equal(marked(words, 'underline') + marked(words, 'strike'), '');
});
