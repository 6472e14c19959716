import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutFonts } from '../../../testing/documents/drawn-page.ts';
import { processorMs } from '../../../testing/processor-time.ts';
import type { LaidOutText } from '../../pdf/text/drawn-text-shapes.ts';
import { createText, type TextOptions } from './text.ts';

const text = await createText();
const skip = withoutFonts('Liberation fonts');
const linesOf = (laid: LaidOutText): string[] => laid.lines.map((line) => line.text);
const layout = (words: string, options: Partial<TextOptions> = {}): LaidOutText =>
  text.layout(words, { size: 10, ...options });

test('lines end at line ends of every kind, and at the two characters', { skip }, () => {
  assert.deepEqual(linesOf(layout('a\\nb\nc\r\nd\re\u2028f')), ['a', 'b', 'c', 'd', 'e', 'f']);
  assert.deepEqual(linesOf(layout('a\n\nb')), ['a', '', 'b']);
  assert.deepEqual(linesOf(layout('')), ['']);
});

test('characters without a look are left out', { skip }, () => {
  assert.deepEqual(linesOf(layout('a\u0000b\u0007\ufeffc')), ['abc']);
  assert.equal(layout('a\tb').lines[0]?.text, 'a    b');
  assert.equal(layout('\u200d\u2060').width, 0);
  assert.equal(layout('a\u200eb').width, layout('ab').width);
});

test('half a surrogate pair is drawn as the character for such cases', {
  skip: withoutFonts('DejaVu fonts'),
}, () => {
  assert.equal(layout('a\ud800b').lines[0]?.text, 'a\ufffdb');
});

test('text is broken between words to fit, and inside a word where it must be', { skip }, () => {
  assert.deepEqual(linesOf(layout('one two three', { maxWidth: 40 })), ['one two', 'three']);
  assert.deepEqual(linesOf(layout('well-known', { maxWidth: 30 })), ['well-', 'known']);
  assert.deepEqual(linesOf(layout('one\u00a0two', { maxWidth: 25 })), ['one\u00a0t', 'wo']);
  for (const line of layout('x'.repeat(100), { maxWidth: 60 }).lines) assert(line.width <= 60);
  assert.equal(layout('abc', { maxWidth: 0 }).lines.length, 3);
});

test('Chinese is broken between characters, but not before a stop', {
  skip: withoutFonts('Noto CJK fonts'),
}, () => {
  assert.deepEqual(linesOf(layout('汉字测试。', { maxWidth: 40 })), ['汉字测', '试。']);
  assert.deepEqual(linesOf(layout('汉字「测试', { maxWidth: 30 })), ['汉字', '「测试']);
});

test('Thai is broken between its words', { skip: withoutFonts('Noto fonts') }, () => {
  const lines = linesOf(layout('ภาษาไทยผู้ใหญ่', { maxWidth: 45 }));
  assert.equal(lines.join(''), 'ภาษาไทยผู้ใหญ่');
  assert.deepEqual(lines, ['ภาษาไทย', 'ผู้ใหญ่']);
});

test('lines stand left, in the middle or right; text from right to left starts right', { skip }, () => {
  const at = (words: string, align?: TextOptions['align']) =>
    layout(words, { align }).lines.map((line) => Math.round(line.x * 100) / 100);
  const { width } = layout('a long line');
  const short = layout('ab').width;
  const round = (value: number): number => Math.round(value * 100) / 100;
  assert.deepEqual(at('a long line\nab'), [0, 0]);
  assert.deepEqual(at('a long line\nab', 'right'), [0, round(width - short)]);
  assert.deepEqual(at('a long line\nab', 'center'), [0, round((width - short) / 2)]);
  assert.deepEqual(at('a long line\nשל'), [0, round(width - layout('של').width)]);
  assert.deepEqual(at('a long line\nשל', 'left'), [0, 0]);
});

test('lines lie above one another inside the box', { skip }, () => {
  const laid = layout('one\ntwo\nthree');
  const baselines = laid.lines.map((line) => line.y);
  assert.deepEqual(
    [...baselines].sort((a, b) => b - a),
    baselines,
  );
  for (const line of laid.lines) {
    assert(line.y - line.descent >= -1e-9 && line.y + line.ascent <= laid.height + 1e-9);
  }
  const [first = 0, second = 0] = layout('one\ntwo', { lineHeight: 1.5 }).lines.map((line) => line.y);
  assert.equal(Math.round((first - second) * 1000), 15_000);
});

test('widths grow with the size', { skip }, () => {
  const small = layout('Width');
  const large = layout('Width', { size: 30 });
  assert(Math.abs(large.width - 3 * small.width) < 1e-9);
  assert(Math.abs(large.height - 3 * small.height) < 1e-9);
});

test('the order is that in which text is seen', { skip }, () => {
  const seen = (words: string, direction?: TextOptions['direction']): string =>
    layout(words, { direction })
      .lines.flatMap((line) => line.runs.flatMap((run) => run.clusters.map((cluster) => cluster.text)))
      .join('');
  assert.equal(seen('abc'), 'abc');
  assert.equal(seen('אבג'), 'גבא');
  assert.equal(seen('ab אב 12 cd'), 'ab בא 12 cd'.replace('בא 12', '12 בא'));
  assert.equal(seen('אב ab'), 'ab בא');
  assert.equal(seen('אב ab', 'ltr'), 'בא ab');
  assert.equal(seen('ab!', 'rtl'), '!ab');
});

test('long and hostile text is laid out in reasonable time', { skip }, () => {
  const started = processorMs();
  for (const words of [
    'aא'.repeat(5000),
    `a${'\u0301'.repeat(9999)}`,
    '('.repeat(5000) + 'א'.repeat(5000),
    '\u2067'.repeat(5000),
    'lorem ipsum '.repeat(800),
    '\n'.repeat(10_000),
  ]) {
    assert(layout(words, { maxWidth: 300 }).lines.length > 0);
  }
  assert(processorMs() - started < 20_000);
});

const glyphsOf = (words: string): number[] =>
  layout(words).lines.flatMap((line) =>
    line.runs.flatMap((run) => run.clusters.flatMap((cluster) => cluster.glyphs.map(({ id }) => id))),
  );

test('Arabic letters join: each place in a word has its form', { skip: withoutFonts('Noto fonts') }, () => {
  const [alone] = glyphsOf('\u0628');
  const joined = glyphsOf('\u0628\u0628\u0628');
  assert.equal(new Set([alone, ...joined]).size, 4);
  // Lam and alef become one.
  assert.equal(glyphsOf('\u0644\u0627').length, 1);
});

test('a vowel that is written before its consonant is drawn there', {
  skip: withoutFonts('Noto fonts'),
}, () => {
  const consonant = glyphsOf('\u0915');
  const syllable = glyphsOf('\u0915\u093f');
  assert.equal(syllable.length, 2);
  assert.equal(syllable[1], consonant[0]);
});

test('marks stand above their letters, without a width of their own', { skip }, () => {
  const [run] = layout('x\u030c').lines[0]?.runs ?? [];
  assert.equal(run?.clusters.length, 1);
  const [letter, mark] = run?.clusters[0]?.glyphs ?? [];
  assert(letter && mark);
  assert.equal(mark.advance, 0);
  assert(mark.x < 0);
  assert.equal(layout('x\u030c').width, layout('x').width);
});

test('a letter and a mark that no font has together are drawn one after the other', {
  skip: withoutFonts('Noto fonts'),
}, () => {
  const fonts = layout('b\u0e33').lines.flatMap((line) => line.runs.map((run) => run.font.postScriptName));
  assert.equal(fonts.length, 2);
});
