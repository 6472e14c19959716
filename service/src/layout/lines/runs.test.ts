import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Run } from '../model.ts';
import type { Word } from '../words/word.ts';
import { gatherCompounds, joinRuns, runsText } from './runs.ts';
import { buildLine } from './text-lines.ts';

const style = { font: 'Serif', size: 10, bold: false, italic: false, monospace: false, color: '#000000' };
const run = (text: string): Run => ({ text, style });

function known(...lines: string[]): Set<string> {
  const words = new Set<string>();
  gatherCompounds(
    lines.map((line) =>
      buildLine(
        line.split(' ').map(
          (text, i): Word => ({
            text,
            box: { x: i * 50, y: 0, width: 40, height: 10 },
            baseline: 8,
            style,
            turn: 0,
            glued: false,
            spaced: true,
            direction: 'ltr',
            vertical: false,
            markedContent: -1,
            hidden: false,
            order: i,
          }),
        ),
      ),
    ),
    words,
  );
  return words;
}

const join = (above: string, below: string, words: Set<string>): string =>
  runsText(joinRuns([[run(above)], [run(below)]], words));

test('a hyphen at a line end stays where it is the word’s own', () => {
  const words = known('a variable of this size is', 'every trace of state-based code here');
  assert.equal(join('of variable-', 'size arrays', words), 'of variable-size arrays');
  assert.equal(join('the state-', 'based code', words), 'the state-based code');
});

test('a hyphen that only parted a word is gone', () => {
  const words = known('to under stand this', 'a base line and the baseline of it', 'two halves of');
  assert.equal(join('we under-', 'stand it', words), 'we understand it');
  assert.equal(join('the base-', 'line', words), 'the baseline');
  assert.equal(join('spe-', 'cial', words), 'special');
});

test('what begins or ends a line may be half a word and tells nothing', () => {
  const words = known('special thing of inter', 'national thing of');
  assert.equal(join('inter-', 'national', words), 'international');
});

test('a dash without spaces goes on over the line end, one with spaces keeps them', () => {
  const words = known('nothing to know');
  assert.equal(join('in 1990–', '2000 they', words), 'in 1990–2000 they');
  assert.equal(join('the London–', 'Paris line', words), 'the London–Paris line');
  assert.equal(join('they went—', 'and came', words), 'they went—and came');
  assert.equal(join('they went –', 'and came', words), 'they went – and came');
  assert.equal(join('(a)–', '(b)', words), '(a)– (b)');
});
